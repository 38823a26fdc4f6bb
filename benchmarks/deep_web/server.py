"""The small web on loopback: its hosts, and a search engine that speaks SearXNG's JSON."""

import asyncio
import socket
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from typing import Self

import uvicorn
from fakes.server import pause
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from benchmarks.deep_web.questions import Question
from benchmarks.deep_web.web import HOSTS, Known, Reply, Web
from benchmarks.deep_web.world import World
from retrieval.search.bm25 import BM25
from text.tokens import tokenise

RESULTS = 10
START_SECONDS = 10.0
CHUNK = b"<p>" + b"x" * 65_529 + b"</p>"


class Engine:
    """Ranks what it knows by the words of titles and beginnings, and nothing else."""

    def __init__(self, known: list[Known]) -> None:
        by_language: defaultdict[str, list[Known]] = defaultdict(list)
        for page in known:
            by_language[page.language].append(page)
        self._indexes = {
            language: (pages, BM25([tokenise(f"{p.title} {p.beginning}", language) for p in pages]))
            for language, pages in by_language.items()
        }

    def search(self, query: str) -> list[Known]:
        """The best ten, whatever their language."""
        found = [
            (-score, page.url, page)
            for language, (pages, index) in self._indexes.items()
            for page, score in zip(
                pages, index.scores(dict.fromkeys(tokenise(query, language), 1.0)), strict=True
            )
            if score > 0
        ]
        return [page for *_, page in sorted(found, key=lambda one: one[:2])[:RESULTS]]


class Loopback:
    """Serves the web while the context is open.

    Attributes:
        web: what is served.
        read: (host, path) of every request that was answered, in order, and whether it was for
            where a redirect had just pointed.
    """

    def __init__(self, world: World, asked: list[Question]) -> None:
        self._sockets = _bound(sorted(set(HOSTS.values())))
        self._port = self._sockets[0].getsockname()[1]
        self.web = Web(world, asked, self._port)
        self.read: list[tuple[str, str, bool]] = []
        self._pointed_to: Counter[str] = Counter()
        self._engine = Engine(self.web.known)
        config = uvicorn.Config(
            self._answer, interface="asgi3", log_config=None, access_log=False, lifespan="off",
            ws="none", timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": self._sockets}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        deadline = time.monotonic() + START_SECONDS
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > deadline:
                raise RuntimeError("The small web did not start: is the loopback 127.0.0.0/8 free?")
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(START_SECONDS)
        for one in self._sockets:
            one.close()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        host, path = request.url.hostname or "", scope["raw_path"].decode()
        if (host, path) == (HOSTS["search"], "/search"):
            await self._results(request)(scope, receive, send)
            return
        reply, url = self.web.reply(host, path), self.web.url(host, path)
        moved = self._pointed_to[url] > 0
        self._pointed_to[url] -= moved
        self._pointed_to[reply.headers.get("Location", "")] += 1
        self.read.append((host, path, moved))
        await request.body()  # so that what is awaited next is the client leaving
        await pause(request, reply.seconds)
        await _response(reply)(scope, receive, send)

    def _results(self, request: Request) -> Response:
        query = request.query_params.get("q", "")
        results = [
            {
                "url": page.url,
                "title": page.title,
                "content": page.beginning,
                "publishedDate": f"{page.day}T00:00:00",
            }
            for page in self._engine.search(query)
        ]
        return JSONResponse({"query": query, "results": results, "unresponsive_engines": []})


def _response(reply: Reply) -> Response:
    headers = dict(reply.headers)
    if reply.size:
        return StreamingResponse(_without_end(reply.size), media_type="text/html")
    return Response(reply.body, reply.status, headers, media_type="text/html")


async def _without_end(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // len(CHUNK)):
        yield CHUNK
        await asyncio.sleep(0)


def _bound(hosts: list[str]) -> list[socket.socket]:
    """A socket for each host, all on one port."""
    bound: list[socket.socket] = []
    port = 0
    for host in hosts:
        one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        one.bind((host, port))
        port = one.getsockname()[1]
        bound.append(one)
    return bound
