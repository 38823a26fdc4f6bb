"""The MCP server at `/mcp`, over streamable HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from schema.access import Member
from serving.live_runs import LiveRuns
from web.access import get_member
from web.mcp_server import build_mcp_server

MAX_SESSIONS = 1_000


class _Caller(AuthenticatedUser):
    """A member as the SDK knows users: a session answers nobody but the one who opened it."""

    def __init__(self, member: Member) -> None:
        super().__init__(AccessToken(token="", client_id=member.identity, scopes=[]))
        self.member = member


class McpEndpoint:
    """The application behind the route; `serving` has to be open while it serves."""

    def __init__(self, runs: LiveRuns) -> None:
        server = build_mcp_server(runs, _find_member)
        self._manager = StreamableHTTPSessionManager(server, max_sessions=MAX_SESSIONS)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Keep sessions until the block ends; in a task of its own, which the SDK's group needs."""
        started, ended = asyncio.Event(), asyncio.Event()

        async def keep() -> None:
            async with self._manager.run():
                started.set()
                await ended.wait()

        task = asyncio.create_task(keep())
        await started.wait()
        try:
            yield
        finally:
            ended.set()
            await task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request of whoever is signed in."""
        caller = _Caller(get_member(Request(scope)))
        await self._manager.handle_request({**scope, "user": caller}, receive, send)


def _find_member(request: Any) -> Member:
    caller: _Caller = request.user
    return caller.member
