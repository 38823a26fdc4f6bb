"""The MCP server at `/mcp`, over streamable HTTP."""

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
    """The application behind the route; `manager.run()` has to be open while it serves."""

    def __init__(self, runs: LiveRuns) -> None:
        server = build_mcp_server(runs, _find_member)
        self.manager = StreamableHTTPSessionManager(server, max_sessions=MAX_SESSIONS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request of whoever is signed in."""
        caller = _Caller(get_member(Request(scope)))
        await self.manager.handle_request({**scope, "user": caller}, receive, send)


def _find_member(request: Any) -> Member:
    caller: _Caller = request.user
    return caller.member
