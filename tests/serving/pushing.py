"""Pages as a browser extension pushes them, and the app that takes them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.authentication import (
    AuthCredentials,
    AuthenticationBackend,
    BaseUser,
    SimpleUser,
    UnauthenticatedUser,
)
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp

from serving.captures import app

MORNING = datetime(2026, 5, 1, 8, tzinfo=UTC)


def page(number: int = 1, *, hours: float = 0, **fields: Any) -> dict[str, Any]:
    given = {
        "url": f"https://wind.test/{number}",
        "title": f"Turbine {number}",
        "captured_at": (MORNING + timedelta(hours=hours)).isoformat(),
        "text": f"Turbine number {number} turns wind into power after {hours} hours.",
    }
    return {name: value for name, value in (given | fields).items() if value is not None}


def at(application: ASGIApp = app) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=application)
    return httpx.AsyncClient(transport=transport, base_url="http://quire.test")


def outcomes(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [one["outcome"] for one in answer.json()["outcomes"]]


class Names(AuthenticationBackend):
    """Lets in whom the header names, as an authentication of the server's would."""

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        name = conn.headers.get("x-name")
        return AuthCredentials(), SimpleUser(name) if name else UnauthenticatedUser()


def guarded() -> Starlette:
    """The app behind an authentication that believes the header `X-Name`."""
    made = Starlette(routes=app.routes)
    made.add_middleware(AuthenticationMiddleware, backend=Names())
    return made
