"""The loopback world of a run: a language model, two search engines, web pages, and their faults.

One server stands for all of them, and keeps a book of every request: when it came, when its whole
answer was sent, whether its client had left before. A fault is a rule that says of a request what
goes wrong with it.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from hashlib import blake2b
from typing import Any, Self
from urllib.parse import parse_qs

from fakes.openai_api import failure as model_failure
from fakes.openai_chat import ChatRequest, chunks, completion, read_chat
from fakes.server import Served
from fakes.writer import section_of, task_of
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from benchmarks.reliability.world.chat_model import Mind, part
from benchmarks.reliability.world.pages import Page, page_at, searched
from benchmarks.reliability.world.requests import Call, Delays, Fault, Kind, Rule

CHUNK = f"<p>{'0123456789abcdef' * 4096}</p>".encode()
"""What a page of many megabytes is made of."""

USUAL = Delays()


class World:
    """Serves while the context is open.

    Attributes:
        calls: every request, in order.
        failures: what the stand-in model itself failed with, which is the benchmark's fault.
        rules: asked one after the other what is wrong with a request; the first that knows counts.
        on_come, on_sent: told of every request as it comes, and when its answer has been sent.
    """

    def __init__(
        self,
        mind: Callable[[ChatRequest], str] | None = None,
        delays: Delays = USUAL,
        *,
        excerpts: Callable[[Page], bool] = lambda _: False,
        searches_at_once: int = 0,
        rules: Sequence[Rule] = (),
    ) -> None:
        """Set it up.

        Args:
            mind: says what the model answers.
            delays: of every answer.
            excerpts: whether Tavily shows only the beginning of a page, not its text.
            searches_at_once: that the search engine works on, the others wait; 0 for no limit.
            rules: its faults.
        """
        self.mind = mind or Mind()
        self.delays = delays
        self.excerpts = excerpts
        self.rules = list(rules)
        self.calls: list[Call] = []
        self.failures: list[str] = []
        self.on_come: Callable[[Call], None] = lambda _: None
        self.on_sent: Callable[[Call], None] = lambda _: None
        self._at_once = searches_at_once
        self._search_slots: asyncio.Semaphore | None = None
        self._served = Served(self)
        self.url = self._served.url

    def __enter__(self) -> Self:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # cuts are meant
        self._served.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._served.__exit__(*error)

    def environment(self) -> dict[str, str]:
        """The variables of a process that lives in this world."""
        return {
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "OPENAI_API_KEY": "sk-loopback-0123456789",
            "TAVILY_API_KEY": "tvly-loopback-0123456789",
            "QUIRE_TAVILY_BASE_URL": f"{self.url}/tavily",
            "QUIRE_ALLOWED_HOSTS": "127.0.0.1",
        }

    def forget(self) -> None:
        """Begin a new book."""
        self.calls = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        body = await request.body()
        path = request.url.path
        gone = asyncio.create_task(_left(receive))
        try:
            if path == "/v1/chat/completions":
                await self._model(request, read_chat(json.loads(body)), gone, send)
            elif path in ("/tavily/search", "/searxng/search"):
                await self._search(request, body, gone, send)
            else:
                await self._page(request, gone, send)
        finally:
            gone.cancel()

    async def _model(
        self, request: Request, asked: ChatRequest, gone: "asyncio.Task[None]", send: Send
    ) -> None:
        task, section, goal = task_of(asked), section_of(asked), part(asked, "goal")
        about = section or goal or part(asked, "question")
        dug = task in _DIGGING
        chain = f"dig {goal or about}" if dug else f"section {section}" if section else "report"
        if task == "judge_answer":  # its criteria may be judged side by side
            chain = f"dig {part(asked, 'question')}"
        call = self._note("model", task, about, chain, asked.text)
        fault = self._fault(call)
        if await _gone(gone, self.delays.model + fault.wait):
            return
        if fault.status != 200:
            answer = model_failure(fault.status, request, asked.model)
            told = {k: v for k, v in answer.headers.items() if k != "retry-after"}
            await self._send(call, send, bytes(answer.body), fault, told)
            return
        text = fault.text
        if text is None:
            try:
                text = self.mind(asked)
            except Exception as error:
                self.failures.append(f"{task}: {error!r}")
                raise
        if asked.stream and fault.body is None:
            made = list(chunks(asked, text))
            for chunk in made:
                if fault.finish and chunk["choices"] and chunk["choices"][0]["finish_reason"]:
                    chunk["choices"][0]["finish_reason"] = fault.finish
            lines = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in made]
            await self._stream(call, send, [*lines, b"data: [DONE]\n\n"], fault)
            return
        whole = completion(asked, text)
        if fault.finish:
            whole["choices"][0]["finish_reason"] = fault.finish
        await self._send(call, send, json.dumps(whole).encode(), fault)

    async def _search(
        self, request: Request, body: bytes, gone: "asyncio.Task[None]", send: Send
    ) -> None:
        engine = request.url.path.split("/")[1]
        asked: dict[str, Any] = (
            json.loads(body)
            if engine == "tavily"
            else {name: given[0] for name, given in parse_qs(request.url.query).items()}
        )
        query = str(asked.get("query") or asked.get("q") or "")
        chain = f"search {query}"
        call = self._note("search", engine, query, chain, json.dumps(asked, sort_keys=True))
        fault = self._fault(call)
        async with self._slots():
            if await _gone(gone, self.delays.search + fault.wait):
                return
        if fault.status != 200:
            told = json.dumps({"detail": {"error": f"Error {fault.status}."}}).encode()
            await self._send(call, send, told, fault)
            return
        found = [_result(page, self.url, engine, self.excerpts(page)) for page in searched(query)]
        answer = {"query": query, "results": found, "unresponsive_engines": []}
        await self._send(call, send, json.dumps(answer).encode(), fault)

    async def _page(self, request: Request, gone: "asyncio.Task[None]", send: Send) -> None:
        path = request.url.path
        page = page_at(path)
        if path.startswith("/site/"):
            await _respond(send, *_SITE.get(path, (404, b"gone", {"content-type": "text/plain"})))
            return
        if path == "/robots.txt" or page is None:
            await _respond(send, 404, b"gone", {"content-type": "text/plain"})
            return
        name = "read" if request.method == "GET" else "head"
        call = self._note("page", name, path, f"page {path}", f"{request.method} {path}")
        fault = self._fault(call)
        if await _gone(gone, self.delays.page + fault.wait):
            return
        if fault.size:
            await self._stream(call, send, [CHUNK] * (fault.size // len(CHUNK)), fault, "text/html")
            return
        body = b"gone" if fault.status != 200 else page.html.encode()
        if request.method == "HEAD":
            body = b""
        await self._send(call, send, body, fault, {"content-type": "text/html; charset=utf-8"})

    def _note(self, kind: Kind, name: str, about: str, chain: str, text: str) -> Call:
        text = text.replace(self.url, "http://web")
        key = blake2b(f"{kind} {name} {text}".encode(), digest_size=8).hexdigest()
        before = [one for one in self.calls if one.kind == kind]
        call = Call(
            kind=kind,
            name=name,
            about=about,
            chain=chain,
            key=key,
            number=len(before),
            again=sum(one.key == key for one in before),
            attempt=sum((one.name, one.about) == (name, about) for one in before),
            came=time.monotonic(),
        )
        self.calls.append(call)
        self.on_come(call)
        return call

    def _fault(self, call: Call) -> Fault:
        found = next((fault for rule in self.rules if (fault := rule(call))), None)
        call.faulty = found is not None and (
            found.status != 200 or found.cut or found.wait > 600 or found.body is not None
        )
        return found or Fault()

    def _slots(self) -> AbstractAsyncContextManager[Any]:
        if not self._at_once:
            return nullcontext()
        self._search_slots = self._search_slots or asyncio.Semaphore(self._at_once)
        return self._search_slots

    async def _send(
        self,
        call: Call,
        send: Send,
        body: bytes,
        fault: Fault,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        told = {"content-type": "application/json", **(headers or {}), **fault.headers}
        if fault.body is not None:
            body, told["content-type"] = fault.body
        told["content-length"] = str(len(body) + (100 if fault.cut else 0))
        if fault.cut:
            await _respond(send, fault.status, body[: len(body) // 2], told, more=True)
            raise ConnectionError("the connection is cut, as a rule asks")
        await _respond(send, fault.status, body, told)
        self._was_sent(call)

    async def _stream(
        self,
        call: Call,
        send: Send,
        parts: Sequence[bytes],
        fault: Fault,
        media: str = "text/event-stream",
    ) -> None:
        parts = parts[: max(2, len(parts) // 2)] if fault.cut else parts
        told = {"content-type": media, **fault.headers}
        await _respond(send, fault.status, b"", told, more=True)
        for one in parts:
            await send({"type": "http.response.body", "body": one, "more_body": True})
        if fault.cut:
            raise ConnectionError("the connection is cut, as a rule asks")
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        self._was_sent(call)

    def _was_sent(self, call: Call) -> None:
        call.sent = time.monotonic()
        self.on_sent(call)


def _linked(title: str, *links: str) -> tuple[int, bytes, dict[str, str]]:
    anchors = "".join(f'<p><a href="{one}">Go on to {one}</a></p>' for one in links)
    body = (
        f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{title} is told "
        f"of at length in this little chapter of the book of the harbour.</p>{anchors}</main>"
    )
    return 200, body.encode(), {"content-type": "text/html"}


_SITE: dict[str, tuple[int, bytes, dict[str, str]]] = {
    "/site/": _linked("The quay", "/site/moved", "/site/crane"),
    "/site/moved": (302, b"", {"location": "javascript:alert(1)"}),
    "/site/crane": _linked("The crane"),
}
"""A website one of whose links leads nowhere that a reader may go."""

_DIGGING = ("choose_criteria", "choose_action", "write_queries", "answer_question")


def _result(page: Page, url: str, engine: str, excerpt: bool) -> dict[str, Any]:
    beginning = page.sentences[0][:120]
    found = {"url": f"{url}{page.path}", "title": page.title, "content": beginning}
    if engine == "tavily":
        return {**found, "score": 0.9, "raw_content": None if excerpt else page.text}
    return found


async def _left(receive: Receive) -> None:
    """Until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _gone(gone: Awaitable[None], seconds: float) -> bool:
    """Wait; whether the client left meanwhile."""
    done, _ = await asyncio.wait([asyncio.ensure_future(gone)], timeout=seconds)
    return bool(done)


async def _respond(
    send: Send, status: int, body: bytes, headers: Mapping[str, str], *, more: bool = False
) -> None:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": more})
