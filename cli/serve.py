"""`quire serve`: the page and its protocols, from one process."""

from typing import Annotated

import typer

from cli.loading import pause_collector
from cli.safe_output import print_stderr
from schema.errors import InputError, QuireError

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Port to listen on.")] = 8000,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine need sign-in.")
    ] = "127.0.0.1",
    runs_at: Annotated[
        str,
        typer.Option(
            help="Have reports written by the LangGraph server at this address, such as "
            "http://localhost:2024; else by this process.",
            metavar="URL",
        ),
    ] = "",
) -> None:
    """Serve the page on which reports are asked for and read."""
    try:
        with pause_collector():
            from web.app import build_app
            from web.server import run_server
    except ImportError as error:
        raise QuireError(
            f"The page needs {error.name}: install it with pip install 'quire[serve]'."
        ) from None
    from schema.settings import get_settings
    from serving.json_log import start_log
    from serving.telemetry import start_traces

    if host not in LOOPBACK and not get_settings().needs_sign_in:
        raise InputError(
            "Without sign-in only this machine is served: set QUIRE_OIDC_ISSUER (or "
            "QUIRE_REQUIRE_SIGN_IN=true for programs with keys), or leave --host out."
        )
    start_log()
    start_traces()
    run_server(build_app(runs_at), host, port, lambda: print_stderr(f"quire: http://{host}:{port}"))
