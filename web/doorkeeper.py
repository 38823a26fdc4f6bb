"""Who comes in where people sign in: the keys and cookies of requests, looked at for every one."""

from starlette.authentication import (
    AuthCredentials,
    AuthenticationBackend,
    BaseUser,
    UnauthenticatedUser,
)
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from schema.access import Member
from schema.concurrency import is_waited_for
from schema.errors import QuireError
from team.api_keys import PREFIX, find_key
from team.browser_sessions import find_session
from team.store import open_team
from web.access import SignedIn
from web.cookies import SESSION, find_cookie
from web.faults import answer_fault

STATIC = "/static/"
"""Begins the paths that are the same for everybody."""


class TeamSignIn(AuthenticationBackend):
    """Who comes in has a key, or a browser that is signed in; all others are nobody."""

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser] | None:
        """The member whom a request's key or cookie stands for; a key goes before a cookie."""
        if conn.url.path.startswith(STATIC):
            return None
        said = conn.headers.get("authorization")
        if said is not None:
            key = said[len("bearer ") :] if said.lower().startswith("bearer ") else ""
            member = await find_key(await open_team(), key) if key.startswith(PREFIX) else None
            return _admit(member, by_key=True)
        session = find_cookie(conn, SESSION)
        return _admit(await find_session(await open_team(), session) if session else None)


def _admit(
    member: Member | None, *, by_key: bool = False
) -> tuple[AuthCredentials, BaseUser] | None:
    if member is None:
        return None
    return AuthCredentials(["authenticated"]), SignedIn(member, by_key=by_key)


class Doorkeeper:
    """Notes for every request who asks; that the database cannot be asked is told, too."""

    def __init__(self, app: ASGIApp, backend: AuthenticationBackend) -> None:
        self._app = app
        self._backend = backend

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] in ("http", "websocket"):
            is_waited_for.set(True)
            scope["auth"], scope["user"] = AuthCredentials(), UnauthenticatedUser()
            try:
                found = await self._backend.authenticate(HTTPConnection(scope))
            except QuireError as error:
                answer = await answer_fault(Request(scope, receive), error)
                await answer(scope, receive, send)
                return
            if found:
                scope["auth"], scope["user"] = found
        await self._app(scope, receive, send)
