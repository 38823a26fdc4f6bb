"""The real application on a real port, in the loop of the test, so that both share a database."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.authentication import AuthCredentials, AuthenticationBackend, BaseUser
from starlette.requests import HTTPConnection

from schema.access import Member
from web.access import SignedIn
from web.app import build_app
from web.doorkeeper import Doorkeeper

MEMBERS = {
    "ada": Member(identity="ada", groups={"law": "writer"}),
    "eve": Member(identity="eve", groups={"sales": "curator"}),
    "rob": Member(identity="rob", groups={"law": "reader"}),
}


class KeySignIn(AuthenticationBackend):
    """Whoever's name stands in the Bearer token is signed in."""

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser] | None:
        key = conn.headers.get("authorization", "").removeprefix("Bearer ")
        return (AuthCredentials(), SignedIn(MEMBERS[key])) if key in MEMBERS else None


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the test runner's."""
        yield


@asynccontextmanager
async def served(app: Starlette | None = None) -> AsyncIterator[tuple[str, Starlette]]:
    """The address of an application, and the application."""
    app = app or build_app()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app, log_config=None, log_level="error", access_log=False, timeout_graceful_shutdown=1
        )
        server = _Server(config)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", app
        finally:
            server.should_exit = True
            await task


def build_team_app() -> Starlette:
    """The application for the members above."""
    app = build_app()
    for one in app.user_middleware:
        if one.cls is Doorkeeper:
            one.kwargs["backend"] = KeySignIn()
    return app
