"""Whether the process lives, and whether it can work: for what starts and watches it."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from library.library import open_library
from schema.errors import QuireError


async def tell_alive(request: Request) -> PlainTextResponse:  # noqa: ARG001
    """The process answers."""
    return PlainTextResponse("ok\n")


async def tell_ready(request: Request) -> PlainTextResponse:  # noqa: ARG001
    """The library can be used; 503 and why, where it cannot."""
    try:
        await (await open_library()).list_sources()
    except QuireError as error:
        return PlainTextResponse(f"{error}\n", 503)
    return PlainTextResponse("ok\n")


routes = [Route("/healthz", tell_alive), Route("/readyz", tell_ready)]
