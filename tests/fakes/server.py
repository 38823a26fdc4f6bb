"""Serves an app on a free loopback port and keeps the books every fake needs."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Sequence
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

START_SECONDS = 10.0
STOP_SECONDS = 10.0
GRACE_SECONDS = 0.2


class _Server(uvicorn.Server):
    """Stops when it is told to: uvicorn's own looks every 0.1 s, and then waits as long again."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.serving = threading.Event()

    async def main_loop(self) -> None:
        """Serves until `stop` is called."""
        await self.on_tick(0)  # makes the headers that every answer carries
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        self.serving.set()
        await self._stopped.wait()

    def stop(self) -> None:
        """Ends the server; for another thread than its own."""
        self._loop.call_soon_threadsafe(self._stopped.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Lets answers under way go out for a moment; the end of the loop cancels the others."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=GRACE_SECONDS)
        await self.lifespan.shutdown()


class Served:
    """Runs an app with uvicorn in a daemon thread while the context is open.

    Attributes:
        url: Address of the server, without a trailing slash.
    """

    def __init__(self, app: ASGIApp, *, lives: bool = False) -> None:
        """Binds the port; nothing is served until the context is entered.

        Args:
            app: The app to serve.
            lives: Whether what the app does beside its requests is begun and ended, too.
        """
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            app,
            # None leaves logging as the test set it up, so that caplog keeps working.
            log_config=None,
            log_level="error",
            access_log=False,
            lifespan="on" if lives else "off",
            ws="none",
        )
        self._server = _Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )

    def __enter__(self) -> Self:
        """Starts the server and waits until it answers."""
        self._thread.start()
        if not self._server.serving.wait(START_SECONDS):
            raise RuntimeError("the test server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        """Stops the server and waits until its thread has ended."""
        self._server.stop()
        self._thread.join(STOP_SECONDS)
        self._socket.close()
        if self._thread.is_alive():
            raise RuntimeError("the test server did not stop")


class Fake(Starlette):
    """A fake service: an app that serves itself, fails on demand and counts its load.

    Attributes:
        api_key: The only Bearer token let in; None lets everyone in.
        latency: Seconds that a counted request takes.
        faults: Statuses still to be answered, first one first.
        in_flight: The number of counted requests under way. A request that the client gave up on
            counts until the server notices, a moment later.
        peak: The largest number of them at once.
    """

    def __init__(
        self,
        routes: Sequence[BaseRoute],
        *,
        counted: str | None = None,
        api_key: str | None = None,
        latency: float = 0.0,
        faults: Sequence[int] | None = None,
    ) -> None:
        """Sets the fake up.

        Args:
            routes: The routes of the service.
            counted: Path of the requests that count towards the peak.
            api_key: The only Bearer token let in; None lets everyone in.
            latency: Seconds that a counted request takes.
            faults: Statuses for the first requests, before the fake behaves.
        """
        super().__init__(routes=list(routes))
        self.api_key = api_key
        self.latency = latency
        self.faults = list(faults or [])
        self.peak = 0
        self._counted = counted
        self.in_flight = 0
        self._served: Served | None = None

    @property
    def url(self) -> str:
        """Address of the running fake, without a trailing slash."""
        if self._served is None:
            raise RuntimeError("the fake is not being served")
        return self._served.url

    def __enter__(self) -> Self:
        """Starts serving."""
        served = Served(self)
        served.__enter__()
        self._served = served
        return self

    def __exit__(self, *exc: object) -> None:
        """Stops serving."""
        served, self._served = self._served, None
        if served is not None:
            served.__exit__(*exc)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request, counting it until its last byte is sent."""
        if scope["type"] != "http" or scope["path"] != self._counted:
            await super().__call__(scope, receive, send)
            return
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.in_flight -= 1

    def refusal(self, request: Request) -> int | None:
        """Decides whether a request is turned away.

        Args:
            request: The request.

        Returns:
            401 for a wrong key, else the next fault, else None.
        """
        if self.api_key is not None and bearer(request) != self.api_key:
            return 401
        return self.faults.pop(0) if self.faults else None


def bearer(request: Request) -> str:
    """Reads the Bearer token of a request; empty if there is none."""
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def failure_headers(status: int) -> dict[str, str]:
    """Gives the headers that go with an error status."""
    return {"Retry-After": "0"} if status == 429 else {}


async def pause(request: Request, seconds: float) -> None:
    """Waits, but no longer than the client stays.

    The body has to be read before: what is awaited is the client's disconnect. A plain sleep
    would keep a request in flight, and the server from stopping, after a client's timeout.

    Args:
        request: The request whose client waits.
        seconds: How long to wait.
    """
    if seconds <= 0:
        return
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(request.receive(), seconds)
