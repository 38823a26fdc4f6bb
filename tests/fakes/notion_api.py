"""A stand-in for Notion's API, and its blocks as a test writes them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.provider import OLD, Item, Provider

CODES = {401: "unauthorized", 403: "restricted_resource", 404: "object_not_found"}
ADA, GRACE = "00000000-0000-4000-9000-00000000000a", "00000000-0000-4000-9000-00000000000b"
DATABASE, SOURCE = (f"00000000-0000-4000-a000-00000000000{number}" for number in (1, 2))
WORKSPACE = {"type": "workspace", "workspace": True}
ROW = {"type": "data_source_id", "data_source_id": SOURCE, "database_id": DATABASE}


def id_of(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def rich(text: str, **more: Any) -> list[dict[str, Any]]:
    part = {"type": "text", "text": {"content": text, "link": None}, "href": None}
    return [part | {"annotations": {}, "plain_text": text} | more]


def block(kind: str, text: str = "", **body: Any) -> dict[str, Any]:
    """A block; what stands inside of it is given as `children`, as `convert_blocks` takes it."""
    children = body.pop("children", [])
    given = {"rich_text": rich(text)} | body if text else body
    made = {"object": "block", "id": id_of(0), "type": kind, kind: given}
    return made | {"has_children": bool(children), "children": children}


def below(id_: str) -> dict[str, str]:
    return {"type": "page_id", "page_id": id_}


class NotionServer(Provider):
    """The items, the odd ones rows of the database Turbines, and what a test adds."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held)
        self.things = dict[str, dict[str, Any]]()
        """Further pages and blocks that are above pages, by id."""
        self.hidden = set[str]()
        """Ids that a search passes over."""
        self.refused = set[str]()
        """Ids of pages and blocks whose blocks Notion cannot show."""
        self.blocks = dict[str, list[dict[str, Any]]]()
        """What stands in further pages."""
        self.most = 10_000
        """Records that a listing gives at most."""

    def api(self) -> list[Any]:
        return [
            Route("/v1/search", self.search, methods=["POST"]),
            Route("/v1/users/me", self.me),
            Route("/v1/users/{id}", self.user),
            Route("/v1/blocks/{id}/children", self.children),
            Route("/v1/data_sources/{id}/query", self.query, methods=["POST"]),
            Route("/v1/{kind}/{id}", self.one),
        ]

    def allowed(self, request: Request) -> bool:
        assert request.headers["notion-version"] == "2025-09-03"
        return super().allowed(request)

    def failure(self, status: int, code: str = "") -> Response:
        code = code or CODES.get(status, "internal_server_error")
        error = {"object": "error", "status": status, "code": code, "message": "It went wrong."}
        return JSONResponse(error | {"request_id": "1"}, status)

    def add(self, number: int, name: str, *blocks: dict[str, Any], **more: Any) -> str:
        """Add a page of the workspace, with another `parent` or `properties` where given."""
        held = {"Name": {"id": "title", "type": "title", "title": rich(name)}}
        held |= more.pop("properties", {})
        page = {
            "object": "page",
            "id": id_of(number),
            "created_time": (OLD + timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:00.000Z"),
            "last_edited_time": "2024-05-02T10:00:00.000Z",
            "created_by": {"object": "user", "id": ADA},
            "archived": False,
            "in_trash": False,
            "url": f"https://www.notion.so/{name.replace(' ', '-')}-{id_of(number)}",
            "parent": WORKSPACE,
            "properties": held,
        }
        self.things[id_of(number)] = page | more
        self.blocks[id_of(number)] = list(blocks)
        return id_of(number)

    def page(self, item: Item) -> dict[str, Any]:
        name = "Name" if item.number % 2 else "title"
        edited = item.when.strftime("%Y-%m-%dT%H:%M:00.000Z")
        return {
            "object": "page",
            "id": id_of(item.number),
            "created_time": (OLD + timedelta(minutes=item.number)).strftime("%Y-%m-%dT%H:%M:00Z"),
            "last_edited_time": edited,
            "created_by": {"object": "user", "id": ADA},
            "in_trash": False,
            "url": f"https://www.notion.so/{item.number}",
            "parent": ROW if item.number % 2 else WORKSPACE,
            "properties": {name: {"id": "title", "type": "title", "title": rich(item.title)}},
        }

    @property
    def source(self) -> dict[str, Any]:
        return {
            "object": "data_source",
            "id": SOURCE,
            "title": rich("Turbines"),
            "parent": {"type": "database_id", "database_id": DATABASE},
            "database_parent": self.things.get(DATABASE, {}).get("parent", WORKSPACE),
            "properties": {"Name": {"id": "title", "name": "Name", "type": "title", "title": {}}},
            "last_edited_time": "2024-05-01T10:00:00.000Z",
        }

    def found(self, id_: str) -> dict[str, Any] | None:
        """A page by its id."""
        item = self.items.get(int(id_[:8], 16)) if id_.endswith("-000000000000") else None
        return self.page(item) if item else self.things.get(id_)

    async def search(self, request: Request) -> Response:
        body = await request.json()
        assert body["filter"]["property"] == "object"
        assert body["sort"]["timestamp"] == "last_edited_time"
        if body["filter"]["value"] == "data_source":
            return self.listed(body, [self.source])
        held: list[Any] = [*self.items.values()]
        held += [one for one in self.things.values() if one.get("object") == "page"]
        held = [one for one in held if isinstance(one, Item) or one["id"] not in self.hidden]
        held = [
            one for one in held if not (isinstance(one, Item) and id_of(one.number) in self.hidden)
        ]
        backwards = body["sort"]["direction"] == "descending"
        held.sort(key=edited, reverse=backwards)
        return self.listed(body, held)

    async def query(self, request: Request) -> Response:
        body = await request.json()
        assert body["sorts"] == [{"timestamp": "created_time", "direction": "ascending"}]
        first = body.get("filter", {}).get("created_time", {}).get("on_or_after", "")
        rows = [one for one in self.items.values() if one.number % 2]
        held = [one for one in map(self.page, rows) if one["created_time"] >= first]
        return self.listed(body, held)

    def listed(self, body: Mapping[str, Any], held: list[Any]) -> Response:
        """A page of a listing; an item stands for its page."""
        size, start = int(body.get("page_size", 100)), int(body.get("start_cursor") or 0)
        assert 1 <= size <= 100
        end = min(start + size, self.most)
        more = end < min(len(held), self.most)
        results = [self.page(one) if isinstance(one, Item) else one for one in held[start:end]]
        answer = {"object": "list", "results": results, "has_more": more}
        if len(held) > self.most:
            reason = "query_result_limit_reached"
            answer["request_status"] = {"type": "incomplete", "incomplete_reason": reason}
        return JSONResponse(answer | {"next_cursor": str(end) if more else None})

    async def me(self, request: Request) -> Response:
        bot = {"owner": WORKSPACE, "workspace_name": "Acme", "workspace_id": "w1"}
        return JSONResponse({"object": "user", "id": GRACE, "type": "bot", "bot": bot})

    async def user(self, request: Request) -> Response:
        if request.path_params["id"] != ADA:
            return self.failure(403)
        return JSONResponse({"object": "user", "id": ADA, "type": "person", "name": "Ada Lovelace"})

    async def one(self, request: Request) -> Response:
        kind, id_ = request.path_params["kind"], request.path_params["id"]
        if id_ in (DATABASE, SOURCE):
            if kind == "pages":  # it says that this is a database
                return self.failure(400, "validation_error")
            database = {"object": "database", "id": DATABASE, "title": rich("Turbines")}
            database |= {"parent": self.source["database_parent"]}
            held = {("databases", DATABASE): database, ("data_sources", SOURCE): self.source}
            return JSONResponse(held[kind, id_]) if (kind, id_) in held else self.failure(404)
        thing = self.found(id_)
        if not thing or {"pages": "page", "blocks": "block"}.get(kind) != thing["object"]:
            return self.failure(404)
        return JSONResponse(thing)

    async def children(self, request: Request) -> Response:
        id_ = request.path_params["id"]
        if id_ in self.refused:
            return self.failure(400, "validation_error")
        item = self.items.get(int(id_[:8], 16)) if id_.endswith("-000000000000") else None
        if item:
            self.sent.append(item.number)
            return self.listed(request.query_params, [block("paragraph", item.text)])
        if id_ not in self.blocks:
            return self.failure(404)
        held = [
            {name: value for name, value in one.items() if name != "children"}
            for one in self.blocks[id_]
        ]
        return self.listed(request.query_params, held)

    def nest(self, id_: str, one: dict[str, Any]) -> dict[str, Any]:
        """Give a block its own id, so that its children are asked for."""
        self.blocks[id_] = one["children"]
        return one | {"id": id_}


def edited(one: Any) -> str:
    when = one.when.strftime("%Y-%m-%dT%H:%M") if isinstance(one, Item) else ""
    return when or str(one.get("last_edited_time") or "")
