"""A stand-in for the part of X's API, version 2, that reads an account's posts."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake, pause

PROBLEMS = "https://api.twitter.com/2/problems"


class FakeX(Fake):
    """Accounts and their posts, newest first.

    Attributes:
        requests: Path and query of every request that came in.
    """

    def __init__(self, accounts: dict[str, list[dict[str, Any]]], **how: Any) -> None:
        """Sets the service up.

        Args:
            accounts: Posts by handle; the account's id is its place, from 1.
            how: What every fake can be told.
        """
        super().__init__(
            [
                Route("/2/users/by/username/{name}", self._user),
                Route("/2/users/{number:int}/tweets", self._posts),
            ],
            **how,
        )
        self.requests: list[str] = []
        self.reset = "1795255200"
        self._accounts = accounts

    async def _user(self, request: Request) -> Response:
        name = request.path_params["name"]
        if refused := await self._refused(request):
            return refused
        known = {handle.casefold(): handle for handle in self._accounts}
        if name.casefold() not in known:
            detail = f"Could not find user with username: [{name}]."
            return JSONResponse({"errors": [problem("Not Found Error", detail)]})
        handle = known[name.casefold()]
        number = str(list(self._accounts).index(handle) + 1)
        return JSONResponse({"data": {"id": number, "name": handle, "username": handle}})

    async def _posts(self, request: Request) -> Response:
        if refused := await self._refused(request):
            return refused
        limit = int(request.query_params["max_results"])
        if not 5 <= limit <= 100:
            return JSONResponse({"errors": [problem("Invalid Request", "max_results")]}, 400)
        posts = list(self._accounts.values())[request.path_params["number"] - 1][:limit]
        if posts and posts[0].get("protected"):
            return JSONResponse({"errors": [problem("Authorization Error", "protected")]})
        if not posts:
            return JSONResponse({"meta": {"result_count": 0}})
        return JSONResponse({"data": posts, "meta": {"result_count": len(posts)}})

    async def _refused(self, request: Request) -> Response | None:
        self.requests.append(str(request.url).removeprefix(self.url))
        await request.body()
        await pause(request, self.latency)
        status = self.refusal(request)
        if status is None:
            return None
        headers = {"x-rate-limit-reset": self.reset} if status == 429 else {}
        token = request.headers["authorization"]  # a server that quotes what it was sent
        return JSONResponse({"title": "Error", "detail": token, "status": status}, status, headers)


def problem(title: str, detail: str) -> dict[str, str]:
    """One entry of `errors`, which come with status 200."""
    kind = title.casefold().replace(" ", "-")
    return {"title": title, "detail": detail, "type": f"{PROBLEMS}/{kind}"}


def posts(count: int) -> list[dict[str, Any]]:
    """Posts, newest first."""
    return [
        {
            "id": str(1000 - number),
            "text": f"Post {count - number}",
            "created_at": f"2026-11-{20 - number:02}T08:00:00.000Z",
        }
        for number in range(count)
    ]
