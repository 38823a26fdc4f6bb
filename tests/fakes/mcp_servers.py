"""MCP servers of the SDK, behind the faults of a provider."""

import asyncio
from typing import Any

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.resources import TextResource
from mcp.types import (
    CallToolResult,
    TextContent,
)
from pydantic import AnyUrl
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from fakes.provider import KEY, Item, Provider


class McpServer(Provider):
    """A server of the SDK behind the faults of a provider, which befall messages (POST).

    Answers are event streams or, with `as_json`, JSON; either way every client has a session.
    `ended` counts those that were closed, each of which takes `farewell` seconds.
    """

    def __init__(self, held: list[Item] | None = None, *, sse: bool = False, as_json: bool = False):
        self.mcp = FastMCP("turbines", json_response=as_json)
        self.sse = sse
        self.ended = 0
        self.farewell = 0.0
        self.running: asyncio.Task[None] | None = None
        super().__init__(held or [])

    def api(self) -> list[Any]:
        app = self.mcp.sse_app() if self.sse else self.mcp.streamable_http_app()
        return list(app.routes)

    @property
    def address(self) -> str:
        return f"{self.url}/{'sse' if self.sse else 'mcp'}"

    @property
    def described(self) -> dict[str, Any]:
        """How it is written into the variable."""
        return {
            "transport": "sse" if self.sse else "streamable_http",
            "url": self.address,
            "headers": {"Authorization": "Bearer ${TURBINES_TOKEN}"},
        }

    def allowed(self, request: Request) -> bool:
        return super().allowed(request) or request.query_params.get("key") == KEY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._managed()
        if scope["type"] == "http" and scope["method"] != "POST":
            assert self.allowed(Request(scope))
            if scope["method"] == "DELETE":
                self.ended += 1
                await asyncio.sleep(self.farewell)
            await super(Provider, self).__call__(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _managed(self) -> None:
        """Sessions live in a task of the server's own loop, as a lifespan would run it."""
        if self.sse or self.running:
            return
        ready = asyncio.Event()

        async def run() -> None:
            async with self.mcp.session_manager.run():
                ready.set()
                await asyncio.Event().wait()

        self.running = asyncio.create_task(run())
        await ready.wait()


class Turbines(McpServer):
    """Items, as a tool that returns structured results."""

    def api(self) -> list[Any]:
        @self.mcp.tool()
        async def search(query: str) -> dict[str, Any]:
            return {
                "results": [
                    {
                        "title": item.title,
                        "url": f"https://turbines.test/{item.number}",
                        "text": item.text,
                        "author": item.author,
                        "date": item.iso,
                    }
                    for item in self.items.values()
                ]
            }

        return super().api()


class TurbinesInJson(Turbines):
    """A stream would count on when its client has left it."""

    def __init__(self, held: list[Item]) -> None:
        super().__init__(held, as_json=True)


class Answering(McpServer):
    """Answers every search with the same result, and holds one note to read."""

    def __init__(self, answer: CallToolResult | None = None, **how: Any) -> None:
        self.answer = answer or CallToolResult(content=[text("Wind turns.")])
        super().__init__(**how)

    def api(self) -> list[Any]:
        @self.mcp.tool()
        async def search(query: str) -> CallToolResult:
            return self.answer

        note = TextResource(uri=AnyUrl("note://wind"), name="wind", text="The whole note.")
        self.mcp.add_resource(note)
        return super().api()


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


class ManyTools(McpServer):
    def api(self) -> list[Any]:
        @self.mcp.tool()
        async def search_pages(query: str, limit: int = 3) -> str:
            return f"pages on {query}"

        @self.mcp.tool()
        async def web_search(topic: str, country: str) -> str:
            return f"the web on {topic}{country}"

        @self.mcp.tool()
        async def recall(about: str = "", country: str = "") -> str:
            return f"a memory of {about}"

        return super().api()
