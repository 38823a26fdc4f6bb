"""The web application of `quire serve`."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from library.database.connections import close_databases
from serving.live_runs import LiveRuns
from serving.webhooks import Webhooks
from web import health, openai_api
from web.access import LocalSignIn
from web.csrf_guard import CsrfGuard
from web.faults import HANDLERS
from web.mcp_http import McpEndpoint
from web.security import SecurityHeaders
from web.this_machine import ThisMachineOnly


def build_app() -> Starlette:
    """The application; `app.state.runs` holds the reports that it writes."""
    webhooks = Webhooks()
    runs = LiveRuns(on_end=webhooks.announce)
    mcp = McpEndpoint(runs)
    routes: Sequence[BaseRoute] = [
        *health.routes,
        *openai_api.routes,
        Route("/mcp", mcp),
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
    app.state.runs, app.state.webhooks, app.state.mcp = runs, webhooks, mcp
    return app


@asynccontextmanager
async def _live(app: Starlette) -> AsyncIterator[None]:
    try:
        async with app.state.webhooks.sending(), app.state.mcp.manager.run():
            yield
    finally:
        await app.state.runs.close()
        await close_databases()
