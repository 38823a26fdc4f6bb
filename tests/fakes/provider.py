"""A provider's API over loopback, with the faults that a test orders."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from fakes.server import Fake

KEY = "sk-provider-0123456789abcdef"
"""The only key that a provider lets in; no document, error or log may show it."""

OLD = datetime.fromisoformat("2024-05-01T10:00:00Z")
"""When what a provider holds was changed last, unless a test says otherwise."""

Fault = int | Literal["cut", "malformed"] | float
"""A status to answer with, a broken answer, or seconds to wait before a good one."""


@dataclass
class Item:
    """One thing that a provider holds. `number` is its identity, `when` its last change."""

    number: int
    title: str
    text: str
    author: str = "Ada Lovelace"
    when: datetime = OLD

    @property
    def iso(self) -> str:
        """Its time as APIs write it."""
        return self.when.strftime("%Y-%m-%dT%H:%M:%SZ")


class Provider(Fake):
    """Speaks one provider's API. Subclasses give `api()` and, where they differ, the hooks.

    Attributes:
        items: What it holds, by number.
        calls: Path and query of every request, in order.
        sent: Number of each item whose text was sent, in order.
        faults: For the next requests, one each.
        always: For every request, once `faults` are used up and `good` ones were answered.
        good: Requests answered well before `always` begins.
        busy, peak: Requests in flight, now and at most.
    """

    retry_after = "0"

    def __init__(self, items: Sequence[Item] = ()) -> None:
        """Sets it up with what it holds."""
        super().__init__(self.api())
        self.items = {item.number: item for item in items}
        self.calls: list[str] = []
        self.sent: list[int] = []
        self.faults: list[Any] = []
        self.always: Fault | None = None
        self.good = 0
        self.pause = 0.0
        self.busy = 0

    def api(self) -> list[BaseRoute]:
        """The routes of its API, as its documentation gives them."""
        raise NotImplementedError

    def allowed(self, request: Request) -> bool:
        """Whether the request carries the key, in the way of this provider."""
        return request.headers.get("authorization") == f"Bearer {KEY}"

    def failure(self, status: int) -> Response:
        """An error as this provider words it."""
        return JSONResponse({"error": {"message": f"error {status}"}}, status)

    def put(self, *items: Item) -> None:
        """Adds or replaces items."""
        self.items |= {item.number: item for item in items}

    def remove(self, number: int) -> None:
        """Takes an item away."""
        del self.items[number]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or fails it as ordered."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        request = Request(scope, receive)
        self.calls.append(f"{scope['path']}?{scope['query_string'].decode()}")
        self.busy += 1
        self.peak = max(self.peak, self.busy)
        try:
            await self._answer(request, scope, receive, send)
        finally:
            self.busy -= 1

    async def _answer(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        fault = self._next_fault()
        if not self.allowed(request):
            fault = 401
        seconds = self.pause + (fault if isinstance(fault, float) else 0.0)
        if seconds:
            await asyncio.sleep(min(seconds, 5.0))  # so that the server can stop
        if fault == "cut":
            await _cut(send)
        elif fault == "malformed":
            body = Response('{"data": [{"id": 1, "tit', media_type="application/json")
            await body(scope, receive, send)
        elif isinstance(fault, int):
            answer = self.failure(fault)
            if fault == 429:
                answer.headers["Retry-After"] = self.retry_after
            await answer(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    def _next_fault(self) -> Fault | None:
        if self.faults:
            return self.faults.pop(0)  # type: ignore[no-any-return]
        if self.always is not None and self.good <= 0:
            return self.always
        self.good -= 1
        return None


async def _cut(send: Send) -> None:
    """Promises more than it sends: the server closes the connection."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"1000")]
    with suppress(Exception):
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"da', "more_body": True})
        raise ConnectionError("cut")
    raise ConnectionError("cut")
