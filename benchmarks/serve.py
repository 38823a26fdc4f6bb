"""Syncs by several workers, some of them killed: what is lost or doubled, and how quick it is.

    python benchmarks/serve.py [--workers 1 2 4] [--sources 20] [--documents 500] [--kills 2]
        [--reports 50] [--searches 200] [--seconds 30]

Makes folders of text, each a source of one space, queues a sync of each, starts workers as
processes of their own, and kills some with SIGKILL while they work; each is replaced. Then every
document must be there once. Meanwhile `--reports` are written at once by a process of their own,
and the library is searched `--searches` times a second for `--seconds`. A library of its own is
made for each count of workers, and removed.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(1, str(ROOT / "tests"))

from benchmarks.reliability.beside import search_at_rate, write_reports  # noqa: E402
from library.database.connections import close_databases  # noqa: E402
from library.library import open_library  # noqa: E402
from schema.access import LOCAL_MEMBER  # noqa: E402
from serving.jobs import Jobs, open_jobs  # noqa: E402
from serving.sources import add_sources  # noqa: E402

LONGEST_SECONDS = 900
WORDS = [f"word{number}" for number in range(2_000)]


@dataclass(frozen=True)
class Outcome:
    """What came of one count of workers."""

    workers: int
    seconds: float
    documents: int
    expected: int
    versions_wrong: int
    kills: int
    beside: list[str]


def make_sources(folder: Path, sources: int, documents: int) -> list[Path]:
    """Folders of Markdown pages of some 150 words each, the same each time."""
    chance = random.Random(7)
    made = []
    for source in range(sources):
        place = folder / f"source{source}"
        place.mkdir()
        for number in range(documents):
            text = " ".join(chance.choices(WORDS, k=150))
            (place / f"page{number}.md").write_text(f"# Page {source}.{number}\n\n{text}.\n")
        made.append(place)
    return made


async def run_workers(folders: list[Path], workers: int, given: argparse.Namespace) -> Outcome:
    """Queue all sources, have them synced, kill now and then, and count what is there."""
    documents, kills = given.documents, given.kills
    names = await add_sources([str(one) for one in folders], "default")
    async with open_jobs() as jobs:
        for name in names:
            await jobs.queue_sync(name, "default", LOCAL_MEMBER)
        begun = time.perf_counter()
        running = [await _start_worker() for _ in range(workers)]
        asked = [asyncio.create_task(one) for one in _ask_beside(given)]
        try:
            killed = await _wait(jobs, running, kills, len(names))
        finally:
            for one in running:
                if one.returncode is None:
                    one.kill()
            await asyncio.gather(*(one.wait() for one in running))
        seconds = time.perf_counter() - begun
        beside = await asyncio.gather(*asked)
    library = await open_library()
    versions = {
        uri: version
        for folder in folders
        for uri, version in (await library.load_versions("files", [folder.as_uri()])).items()
    }
    expected = len(folders) * documents
    stored, _ = await library.count()
    return Outcome(workers, seconds, stored, expected, expected - len(versions), killed, beside)


def _ask_beside(given: argparse.Namespace) -> Iterator[Coroutine[None, None, str]]:
    if given.reports:
        yield write_reports(given.reports)
    if given.searches:
        yield search_at_rate(WORDS, given.searches, given.seconds)


async def _start_worker() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "cli", "worker")


async def _wait(
    jobs: Jobs, running: list[asyncio.subprocess.Process], kills: int, expected: int
) -> int:
    """Until all syncs have succeeded; returns how many workers were killed on the way."""
    killed, deadline = 0, time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < deadline:
        states = [job.state for job in await jobs.list_syncs(LOCAL_MEMBER)]
        if "failed" in states:
            raise SystemExit("a sync failed: see quire jobs list")
        done = states.count("succeeded")
        if done == expected:
            return killed
        if killed < kills and done >= expected * (killed + 1) // (kills + 2):
            running[0].kill()
            await running.pop(0).wait()
            running.append(await _start_worker())
            killed += 1
        await asyncio.sleep(0.2)
    raise SystemExit(f"not done after {LONGEST_SECONDS} s: {states}")


async def measure(workers: int, given: argparse.Namespace) -> Outcome:
    """One count of workers, in a library of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data = Path(folder, "data")
        os.environ |= {"QUIRE_DATA_DIR": str(data), "QUIRE_DATABASE_IDLE_SECONDS": "0"}
        try:
            folders = make_sources(Path(folder), given.sources, given.documents)
            return await run_workers(folders, workers, given)
        finally:
            await close_databases()


def main() -> int:
    """Print a row for each count of workers; 1 where a document is lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--sources", type=int, default=20)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--reports", type=int, default=0)
    parser.add_argument("--searches", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=30)
    given = parser.parse_args()
    print("workers  kills  seconds  documents/s  lost  doubled")
    wrong = 0
    for workers in given.workers:
        one = asyncio.run(measure(workers, given))
        lost, doubled = max(0, one.versions_wrong), max(0, one.documents - one.expected)
        rate = one.expected / one.seconds
        print(
            f"{workers:7}  {one.kills:5}  {one.seconds:7.1f}  {rate:11.0f}  {lost:4}  {doubled:7}"
        )
        for line in one.beside:
            print(f"         {line}", flush=True)
        wrong += lost + doubled
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
