"""Linear's GraphQL API over loopback: linear.app/developers/graphql."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.provider import KEY, Item, Provider


class LinearServer(Provider):
    """The team ENG, whose items are its issues."""

    def api(self) -> list[Any]:
        return [Route("/graphql", self.query, methods=["POST"])]

    def allowed(self, request: Request) -> bool:
        return request.headers.get("authorization") == KEY

    def failure(self, status: int) -> Response:
        code = {401: "AUTHENTICATION_ERROR", 429: "RATELIMITED"}.get(status, "INTERNAL_ERROR")
        error = {"message": "It went wrong", "extensions": {"code": code, "type": "error"}}
        return JSONResponse({"errors": [error]}, status)

    async def query(self, request: Request) -> Response:
        body = await request.json()
        query, variables = body["query"], body["variables"]
        if "teams(" in query:
            return JSONResponse({"data": {"teams": {"nodes": [{"key": "ENG"}, {"key": "OPS"}]}}})
        assert variables["first"] <= 250
        if "ids" in variables:
            chosen = [
                item for item in self.items.values() if f"id-{item.number}" in variables["ids"]
            ]
            self.sent += [item.number for item in chosen]
            return JSONResponse({"data": {"issues": {"nodes": [self.issue(i) for i in chosen]}}})
        start = int(variables["after"] or 0)
        held = list(self.items.values()) if variables["team"] == "ENG" else []
        page = held[start : start + variables["first"]]
        end = start + len(page)
        nodes = [
            {
                "id": f"id-{item.number}",
                "identifier": f"ENG-{item.number}",
                "updatedAt": item.iso,
                "comments": {"nodes": [{"updatedAt": item.iso}]},
            }
            for item in page
        ]
        info = {"hasNextPage": end < len(held), "endCursor": str(end)}
        return JSONResponse({"data": {"issues": {"nodes": nodes, "pageInfo": info}}})

    def issue(self, item: Item) -> dict[str, Any]:
        comment = {
            "body": "Agreed.",
            "createdAt": item.iso,
            "updatedAt": item.iso,
            "user": {"name": "Grace Hopper"},
        }
        return {
            "id": f"id-{item.number}",
            "identifier": f"ENG-{item.number}",
            "title": item.title,
            "description": item.text,
            "url": f"https://linear.app/acme/issue/ENG-{item.number}",
            "createdAt": item.iso,
            "updatedAt": item.iso,
            "team": {"key": "ENG", "name": "Engineering"},
            "project": {"name": "Wind/Sun"} if item.number % 2 else None,
            "state": {"name": "Todo"},
            "creator": {"name": item.author},
            "comments": {"nodes": [comment]},
        }
