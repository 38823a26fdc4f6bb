"""The web application of `quire serve`."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from library.database.connections import close_databases
from serving.background import Background
from serving.live_runs import LiveRuns
from web import (
    ask,
    changes,
    downloads,
    follow_up,
    health,
    library,
    outline,
    passages,
    reports,
    sharing,
)
from web.access import LocalSignIn
from web.csrf_guard import CsrfGuard
from web.faults import HANDLERS
from web.security import SecurityHeaders
from web.this_machine import ThisMachineOnly


def build_app() -> Starlette:
    """The application; `app.state.runs` has the reports it writes, `background` its other work."""
    routes: Sequence[BaseRoute] = [
        *health.routes,
        *ask.routes,
        *changes.routes,
        *downloads.routes,
        *follow_up.routes,
        *library.routes,
        *outline.routes,
        *passages.routes,
        *reports.routes,
        *sharing.routes,
        Mount(
            "/static/report",
            StaticFiles(packages=[("exports", "html/static")]),
            name="report",
        ),
        Mount("/static", StaticFiles(packages=[("web", "static")]), name="static"),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(ThisMachineOnly),
            Middleware(AuthenticationMiddleware, backend=LocalSignIn()),
            Middleware(CsrfGuard),
        ],
        exception_handlers=HANDLERS,
        lifespan=_live,
    )
    app.state.runs = LiveRuns()
    app.state.background = Background()
    return app


@asynccontextmanager
async def _live(app: Starlette) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await app.state.runs.close()
        await app.state.background.close()
        await close_databases()
