"""The server that answers: uvicorn, which lets pages go that follow a run when it is to end."""

from types import FrameType

import uvicorn
from starlette.applications import Starlette

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


def run_server(app: Starlette, host: str, port: int) -> None:
    """Serve the application until the process is told to end."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    _Server(app, config).run()
