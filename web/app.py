"""The web application of `quire serve`."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from library.database.connections import close_databases
from schema.gather import end_tasks
from schema.settings import get_settings
from serving import captures
from serving.background import Background
from serving.jobs import HEARTBEAT_SECONDS
from serving.live_runs import LiveRuns
from serving.metrics import count_event, reports_ended, start_metrics
from serving.served_jobs import JobQueue
from serving.server_runs import ServerWriter
from serving.webhooks import Webhooks
from web import account, health, metrics, openai_api, pages, sign_in
from web.access import LocalSignIn
from web.csrf_guard import CsrfGuard
from web.doorkeeper import Doorkeeper, TeamSignIn
from web.faults import HANDLERS
from web.mcp_http import McpEndpoint
from web.oidc import Provider
from web.security import SecurityHeaders
from web.this_machine import ThisMachineOnly


def build_app(runs_at: str = "") -> Starlette:
    """The application; `app.state.runs` holds the reports that it writes, `background` other work.

    Args:
        runs_at: address of a LangGraph server that writes them in its place.
    """
    webhooks = Webhooks()
    runs = LiveRuns(
        count_event,
        lambda state: reports_ended.labels(state).inc(),
        ServerWriter(runs_at, signs_in=get_settings().team_secret is not None) if runs_at else None,
        webhooks.announce,
    )
    mcp = McpEndpoint(runs)
    routes: Sequence[BaseRoute] = [
        *health.routes,
        *metrics.routes,
        *sign_in.routes,
        *account.routes,
        *captures.app.routes,
        *openai_api.routes,
        Route("/mcp", mcp),
        *pages.routes,
    ]
    team = get_settings().needs_sign_in
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders),
            *([] if team else [Middleware(ThisMachineOnly)]),
            Middleware(Doorkeeper, backend=TeamSignIn() if team else LocalSignIn()),
            Middleware(CsrfGuard),
        ],
        exception_handlers=HANDLERS,
        lifespan=_live,
    )
    app.state.provider = Provider()
    start_metrics()
    app.state.runs, app.state.webhooks, app.state.mcp = runs, webhooks, mcp
    app.state.background, app.state.jobs = Background(), JobQueue()
    app.state.is_closing = False
    return app


@asynccontextmanager
async def _live(app: Starlette) -> AsyncIterator[None]:
    embedded = get_settings().database_url is None
    working = [app.state.jobs.work()] if embedded else []  # else `quire worker` does them
    tasks = [asyncio.create_task(one) for one in working]
    try:
        async with app.state.webhooks.sending(), app.state.mcp.serving():
            yield
    finally:
        await end_tasks(tasks, seconds=3 * HEARTBEAT_SECONDS)  # a job under way has one to end
        await app.state.runs.close()
        await app.state.background.close()
        await app.state.jobs.close()
        await close_databases()
