"""`quire mcp`: an MCP server over standard input and output, for an agent that starts it."""

import os
import sys
from io import TextIOWrapper

from cli.console import run
from schema.errors import QuireError


def mcp() -> None:
    """Serve an agent that speaks the Model Context Protocol over standard input and output."""
    try:
        import web.mcp_server  # noqa: F401
    except ImportError as error:
        raise QuireError(
            f"An MCP server needs {error.name}: install it with pip install 'quire[serve]'."
        ) from None
    run(_serve)


async def _serve() -> None:
    """Serve until standard input ends."""
    import anyio
    from mcp.server.stdio import stdio_server

    from schema.access import LOCAL_MEMBER
    from serving.live_runs import LiveRuns
    from web.mcp_server import build_mcp_server

    runs = LiveRuns()
    server = build_mcp_server(runs, lambda _: LOCAL_MEMBER)
    try:
        async with stdio_server(stdout=anyio.wrap_file(_take_stdout())) as (given, told):
            await server.run(given, told, server.create_initialization_options())
    except* (anyio.ClosedResourceError, anyio.BrokenResourceError):
        pass  # whoever would be told something has left
    finally:
        await runs.close()


def _take_stdout() -> TextIOWrapper:
    """Standard output for messages alone: what anything else prints goes to standard error."""
    own = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return TextIOWrapper(os.fdopen(own, "wb"), encoding="utf-8")
