"""Asking live connectors, and bringing a large source into the library.

`ask`: 12 questions to 8 live connectors of 0.5 s each; then with 30 % of the searches refused by a
rate limit; then with one connector that hangs. `sync`: a source of 100,000 items in a process of
its own, whose memory is watched, and which is killed midway and started again.

    python benchmarks/connectors.py [ask|sync] [--items 100000] [--floor 1.2] [--json FILE]

`--floor` is the longest that the first `ask` may take, in seconds; of the others and of `sync` the
bounds are fixed: everything that can be found is, a hang costs its deadline and no more than 2 s,
memory stays below 300 MB, and the library ends as if nothing had happened.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "connectors")]

QUESTIONS = [f"How does part {number} of a wind turbine work?" for number in range(12)]
CONNECTORS = 8
LATENCY = 0.5
LARGEST_MB = 300
HANG = 60.0


def ask(runs: int, floor: float) -> list[dict[str, Any]]:
    """Rows of the first table: what was done, seconds, answers with hits, whether it holds."""
    from fakes.server import Fake, pause
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    from connectors.http.client import Api
    from connectors.protocol import Limits
    from schema.documents import Document

    class Provider(Fake):
        """Five pages for every question, two of them found by every connector."""

        def __init__(self) -> None:
            super().__init__([Route("/{name}", self.search)])
            self.refused: set[tuple[str, str]] = set()
            self.hanging = ""

        async def search(self, request: Request) -> Response:
            name, query = request.path_params["name"], request.query_params["q"]
            if (name, query) in self.refused:
                self.refused.remove((name, query))
                return JSONResponse({}, 429, {"Retry-After": "0.2"})
            await request.body()  # so that what is awaited next is the client leaving
            await pause(request, HANG if name == self.hanging else LATENCY)
            pages = [f"{query}/{n}" for n in range(2)] + [f"{name}/{query}/{n}" for n in range(3)]
            return JSONResponse({"urls": [f"https://turbines.test/{page}" for page in pages]})

    @dataclass
    class Live:
        name: str
        url: str
        kind: Literal["live"] = "live"
        description = document_description = "pages on turbines"
        required_variables = ()
        package = ""
        languages = ()
        limits = Limits(concurrency=12)

        async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002
            async with Api(self.name, self.url) as api:
                found = await api.get(f"/{self.name}", q=query)
            text = f"{query} It turns the wind into power, as a page on turbines tells at length. "
            return [
                Document(uri=url, url=url, text=text * 6, connector=self.name)
                for url in found["urls"]
            ]

    with Provider() as provider:
        live = [Live(f"live{number}", provider.url) for number in range(CONNECTORS)]
        asyncio.run(_asked(live, 15.0))  # connections and caches are warm
        rows = []
        walls = [asyncio.run(_asked(live, 15.0)) for _ in range(runs)]
        wall, answered = statistics.median(wall for wall, _ in walls), walls[-1][1]
        rows.append(_row("all answer in 0.5 s", wall, answered, wall <= floor and answered == 96))
        pairs = [(one.name, question) for one in live for question in QUESTIONS]
        provider.refused = set(random.Random(4).sample(pairs, len(pairs) * 3 // 10))
        wall, answered = asyncio.run(_asked(live, 15.0))
        rows.append(_row("30 % answer 429 first", wall, answered, answered == 96))
        provider.hanging = live[0].name
        wall, answered = asyncio.run(_asked(live, 3.0))
        rows.append(_row("one hangs, deadline 3 s", wall, answered, wall < 5 and answered == 84))
    return rows


async def _asked(live: list[Any], seconds: float) -> tuple[float, int]:
    from connectors.search_all import SearchRequest, search_all
    from library.database.connections import close_databases
    from library.library import open_library

    library = await open_library(f"ask-{random.random()}")
    await library.count()
    started = time.perf_counter()
    answers = await search_all(live, QUESTIONS, SearchRequest(library, 5, seconds=seconds))
    wall = time.perf_counter() - started
    await close_databases()
    return wall, sum(bool(answered.hits) for answered in answers)


def _row(what: str, wall: float, answered: int, holds: bool) -> dict[str, Any]:
    return {"what": what, "seconds": round(wall, 2), "answered": f"{answered} of 96", "ok": holds}


def sync(count: int) -> list[dict[str, Any]]:
    """Rows of the second table: a whole sync, one that is killed, and the one that goes on."""
    from conformance import items
    from fakes.provider import KEY
    from fakes.sites.linear import LinearServer

    held = [replace(item, text=f"{item.text} " * 12) for item in items(count)]
    with LinearServer(held) as server:
        os.environ |= {"QUIRE_LINEAR_BASE_URL": server.url, "LINEAR_API_KEY": KEY}
        rows = [_synced("whole sync", "whole")]
        server.sent.clear()
        rows.append(_synced("killed midway", "killed", lambda: len(server.sent) > count // 2))
        server.sent.clear()
        rows.append(_synced("the next sync", "killed"))
        rows.append(_synced("nothing new", "killed"))
    same = asyncio.run(_library("whole")) == asyncio.run(_library("killed"))
    rows.append({"what": "both libraries are the same", "ok": same})
    return rows


def _synced(what: str, space: str, kill: Any = lambda: False) -> dict[str, Any]:
    import psutil

    started, peak = time.perf_counter(), 0
    command = [sys.executable, "-m", "cli", "ingest", "linear:ENG", "--space", space]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        try:
            peak = max(peak, watched.memory_info().rss)
        except psutil.Error:
            break
        if kill():
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.1)
    said, _ = process.communicate()
    seconds = time.perf_counter() - started
    megabytes = peak / 2**20
    row = {"what": what, "seconds": round(seconds, 1), "peak MB": round(megabytes)}
    return {**row, "said": said.strip(), "ok": megabytes <= LARGEST_MB}


async def _library(space: str) -> tuple[dict[str, str], tuple[int, int]]:
    from library.database.connections import close_databases
    from library.library import open_library

    library = await open_library(space)
    held = await library.load_versions("linear", ["linear://ENG"]), await library.count()
    await close_databases()
    return held


def main() -> None:
    """Measure, print, and fail where a bound does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=["ask", "sync"])
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--floor", type=float, default=1.2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quire-") as folder:
        os.environ["QUIRE_DATA_DIR"] = folder
        rows = [] if given.what == "sync" else ask(given.runs, given.floor)
        rows += [] if given.what == "ask" else sync(given.items)
    for row in rows:
        print("  ".join(f"{name}: {value}" for name, value in row.items()))
    if given.json:
        given.json.write_text(json.dumps(rows, indent=2) + "\n")
    sys.exit(not all(row["ok"] for row in rows))


if __name__ == "__main__":
    main()
