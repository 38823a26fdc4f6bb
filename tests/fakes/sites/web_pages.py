"""A website whose pages behave well and badly, each in its own way."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from fakes.server import Fake, pause

CHUNK = b"x" * 65_536
HUGE = 50 * 2**20


class FakeSite(Fake):
    """Pages by path.

    `/ok` answers, `/<status>` answers with that status, `/no-head/<status>` answers HEAD with it
    and GET with 200, `/to?<address>` redirects there and `/loop` to itself, both with a body that
    does not end in time, `/slow` hangs, `/drip` sends its body byte by byte, `/huge` has 50 MB and
    knows no HEAD.

    Attributes:
        requests: Method and path of every request that came in.
        headers: The headers of the last one.
        sent: Bytes of the bodies that were streamed.
    """

    def __init__(self) -> None:
        """Sets the site up."""
        super().__init__([Route("/{path:path}", self._page, methods=["GET", "HEAD"])])
        self.requests: list[str] = []
        self.headers: dict[str, str] = {}
        self.sent = 0

    async def _page(self, request: Request) -> Response:
        path: str = request.path_params["path"]
        self.requests.append(f"{request.method} /{path}")
        self.headers = dict(request.headers)
        await request.body()
        name, _, status = path.rpartition("/")
        if name == "no-head":
            return Response(status_code=int(status) if request.method == "HEAD" else 200)
        if path.isdecimal():
            return Response(status_code=int(path))
        if path in ("to", "loop"):
            target = request.url.query if path == "to" else "/loop"
            headers = {"Location": target}
            return StreamingResponse(self._body(CHUNK, 1.0), 302, headers)
        if path == "slow":
            await pause(request, 60)
        if path == "drip":
            return StreamingResponse(self._body(b"x", 0.05))
        if path == "huge":
            if request.method == "HEAD":
                return Response(status_code=405)
            return StreamingResponse(self._body(CHUNK, 0.0))
        return Response(b"a page")

    async def _body(self, chunk: bytes, seconds: float) -> AsyncIterator[bytes]:
        for _ in range(HUGE // len(CHUNK)):
            self.sent += len(chunk)
            yield chunk
            await asyncio.sleep(seconds)
