"""Whether the process lives, and whether it can work: for what starts and watches it."""

import asyncio
import logging

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from library.library import open_library
from schema.errors import QuireError

_log = logging.getLogger("quire")

READY_SECONDS = 2.0
"""The database has to answer within so many."""


async def tell_alive(request: Request) -> PlainTextResponse:  # noqa: ARG001
    """The process answers."""
    return PlainTextResponse("ok\n")


async def tell_ready(request: Request) -> PlainTextResponse:  # noqa: ARG001
    """The library can be used, its schema in place; 503 where it cannot. Why is in the log."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            await (await open_library()).list_sources()
    except (QuireError, TimeoutError) as error:
        _log.warning("not ready: %s", error or "the database does not answer in time")
        return PlainTextResponse("not ready\n", 503)
    return PlainTextResponse("ok\n")


routes = [Route("/healthz", tell_alive), Route("/readyz", tell_ready)]
