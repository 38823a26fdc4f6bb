"""Where nobody signs in, only this machine is served, and only under its own names.

A page of another site can have its own name lead here (DNS rebinding), and would then be taken for
a page of this server by the browser; its name tells it.
"""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


class ThisMachineOnly:
    """Refuses requests that name another host."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] in ("http", "websocket") and not _is_named_well(scope):
            answer = PlainTextResponse("This server is for this machine: use localhost.\n", 421)
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_named_well(scope: Scope) -> bool:
    host = HTTPConnection(scope).headers.get("host", "")
    try:
        return urlsplit(f"//{host}").hostname in LOOPBACK_NAMES
    except ValueError:
        return False
