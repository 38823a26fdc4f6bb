"""How quick the pages of `quire serve` are while it writes reports.

    python benchmarks/page_load.py [--reports 20] [--readers 4] [--seconds 60]

One server writes `--reports` reports at once, each with a page that follows it; one that ends is
followed by a next one. The model answers after 0.3 to 1 s and the search engine after 0.3 s, both
on loopback. Meanwhile readers load one page after the other, each with a pause of 0.25 s. A row for
each page: how often it was loaded, and how long it took, first with no report being written. Exits
1 where 95 of 100 loads of a page take more than 300 ms.
"""

import argparse
import asyncio
import random
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(1, str(ROOT / "tests"))

import httpx  # noqa: E402

from benchmarks.reliability.databases import folder_with_database  # noqa: E402
from benchmarks.reliability.process import Place, ended  # noqa: E402
from benchmarks.reliability.world.chat_model import Mind, chance  # noqa: E402
from benchmarks.reliability.world.pages import TOWNS, question  # noqa: E402
from benchmarks.reliability.world.requests import Call, Delays, Fault  # noqa: E402
from benchmarks.reliability.world.server import World  # noqa: E402

MOST_SECONDS = 0.3
PAUSE_SECONDS = 0.25
PORT = 18_437
DOCUMENTS = 300

Times = dict[str, list[float]]


class Reader:
    """A browser without scripts."""

    def __init__(self, url: str) -> None:
        self.client = httpx.AsyncClient(
            base_url=url, headers={"accept": "text/html"}, timeout=120, limits=httpx.Limits()
        )
        self._token = ""

    async def post(self, path: str, **data: str) -> httpx.Response:
        """Send a form."""
        if not self._token:
            found = re.search('csrf-token" content="([0-9a-f]+)', (await self.get("/")).text)
            self._token = found[1] if found else ""
        return await self.client.post(path, data={"csrf_token": self._token, **data})

    async def get(self, path: str) -> httpx.Response:
        """Load a page."""
        answer = await self.client.get(path)
        answer.raise_for_status()
        return answer

    async def ask(self, town: str, mode: str) -> str:
        """Have a report written; returns the path of its page."""
        asked = {"question": question(town), "research_mode": mode, "connectors": "tavily"}
        answer = await self.post("/reports", **asked, space="default")
        if answer.status_code != 303:
            raise SystemExit(f"a report could not be begun: {answer.status_code}")
        return answer.headers["location"]

    async def follow(self, path: str) -> None:
        """Look on until a report is written."""
        async with self.client.stream("GET", f"{path}/events", timeout=None) as events:
            async for line in events.aiter_lines():
                if line == "event: end":
                    return


class Crowd:
    """Reports that are being written, always so many at once."""

    def __init__(self, url: str) -> None:
        self.running: list[str] = []
        self.written = 0
        self._url = url

    async def keep_writing(self, first: int, count: int) -> None:
        """Write one report after the other."""
        reader, number = Reader(self._url), first
        while True:
            path = await reader.ask(TOWNS[number % len(TOWNS)], "deep")
            self.running.append(path)
            await reader.follow(path)
            self.running.remove(path)
            self.written += 1
            number += count


async def read_pages(
    url: str, pages: dict[str, str], crowd: Crowd, times: Times, end: float
) -> None:
    """Load one page after the other, those of running reports among them."""
    reader = Reader(url)
    while time.monotonic() < end:
        named = {**pages}
        if crowd.running:
            named["run"] = random.choice(crowd.running)
        for name, path in named.items():
            begun = time.perf_counter()
            await reader.get(path)
            times[name].append(time.perf_counter() - begun)
            await asyncio.sleep(PAUSE_SECONDS)


async def measure(
    url: str, pages: dict[str, str], crowd: Crowd, readers: int, seconds: float
) -> Times:
    """Seconds of every load, by page."""
    times: Times = defaultdict(list)
    end = time.monotonic() + seconds
    await asyncio.gather(*(read_pages(url, pages, crowd, times, end) for _ in range(readers)))
    return times


def show(title: str, times: Times) -> bool:
    """Print a row for each page; whether all are quick enough."""
    print(f"\n{title}\n{'page':10}{'loads':>7}{'p50 ms':>9}{'p95 ms':>9}{'most ms':>9}")
    good = True
    for name, taken in times.items():
        p95 = statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]
        good &= p95 <= MOST_SECONDS
        row = (statistics.median(taken), p95, max(taken))
        print(f"{name:10}{len(taken):7}" + "".join(f"{one * 1000:9.0f}" for one in row), flush=True)
    return good


async def prepare(url: str, folder: Path) -> dict[str, str]:
    """A report of many sections and a library of some documents; returns pages by name."""
    reader = Reader(url)
    for number in range(DOCUMENTS):
        (folder / f"page{number}.md").write_text(f"# Page {number}\n\n" + "Words of it. " * 100)
    await reader.post("/library/add", space="default", connector="files", location=str(folder))
    path = await reader.ask(TOWNS[0], "deeper")
    await reader.follow(path)
    page = (await reader.get(path)).text
    async with reader.client.stream("GET", "/library/events?space=default") as events:
        async for _ in events.aiter_lines():
            pass  # until all documents are read
    sections, size = len(re.findall(r"<h2", page)), len(page) // 1024
    print(f"the report: {sections} headings, {size} KiB; the library: {DOCUMENTS} documents")
    return {"ask": "/", "report": path, "reports": "/reports", "library": "/library"}


@asynccontextmanager
async def crowd_of(url: str, count: int) -> AsyncIterator[Crowd]:
    """So many reports that are being written, until the context ends."""
    crowd = Crowd(url)
    tasks = [asyncio.create_task(crowd.keep_writing(n, count)) for n in range(count)]
    try:
        while len(crowd.running) < count:
            await asyncio.sleep(0.1)
            if failed := next((one for one in tasks if one.done()), None):
                failed.result()
        yield crowd
    finally:
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def run(url: str, folder: Path, options: argparse.Namespace) -> bool:
    """Measure without and beside reports; whether all pages are quick enough."""
    pages = await prepare(url, folder)
    alone = await measure(url, pages, Crowd(url), options.readers, min(15, options.seconds))
    show("with no report being written", alone)
    async with crowd_of(url, options.reports) as crowd:
        times = await measure(url, pages, crowd, options.readers, options.seconds)
        good = show(f"beside {options.reports} reports", times)
        print(f"{crowd.written} reports were written in {options.seconds:.0f} s")
    return good


async def wait_for(url: str) -> None:
    """Until the server answers."""
    async with httpx.AsyncClient() as client:
        for _ in range(600):
            try:
                await client.get(f"{url}/healthz")
            except httpx.TransportError:
                await asyncio.sleep(0.1)
            else:
                return
    raise SystemExit("the server did not start")


def slower(call: Call) -> Fault | None:
    """The model takes up to 0.7 s more, by the hash of what it is asked."""
    return Fault(wait=chance(call.key, 700) / 1000) if call.kind == "model" else None


def main() -> int:
    """Print the tables; 1 where a page is slow."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--reports", type=int, default=20)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    delays, url = Delays(model=0.3, search=0.3, page=0.1), f"http://127.0.0.1:{PORT}"
    with (
        folder_with_database("quire-pages-") as (folder, _),
        World(Mind(), delays, rules=[slower]) as world,
    ):
        variables = {**world.environment(), "QUIRE_RUNS_AT_ONCE": str(options.reports)}
        place = Place(folder / "data", folder, variables)
        texts = folder / "texts"
        texts.mkdir()
        with (folder / "log").open("w") as log:
            server = place.start("-m", "cli", "serve", "--port", str(PORT), stderr=log)
            try:
                asyncio.run(wait_for(url))
                good = asyncio.run(run(url, texts, options))
            finally:
                ended(server)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
