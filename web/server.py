"""The server that answers: uvicorn, which lets pages go that follow a run when it is to end."""

import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from schema.errors import InputError

CLOSING_SECONDS = 5
"""What is still being answered so long after Ctrl-C is broken off."""


class _Server(uvicorn.Server):
    def __init__(self, app: Starlette, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End; streams see it within a second (`web/streams.py`)."""
        self._app.state.is_closing = True
        super().handle_exit(sig, frame)


def run_server(app: Starlette, host: str, port: int, ready: Callable[[], None]) -> None:
    """Serve the application until the process is told to end.

    Args:
        app: the application.
        host: an address of this machine.
        port: to listen on.
        ready: called once nobody else has the port.

    Raises:
        InputError: the address cannot be had.
    """
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
        except OSError as error:
            why = error.strerror or str(error)
            raise InputError(
                f"Port {port} of {host} cannot be had ({why}): take another --port."
            ) from None
        ready()
        _Server(app, config).run(sockets=[listening])
