"""What readers of single documents cost a search, and a sync.

Stores the documents of `search_scale.py` in two spaces of a group: in one all may read all, in the
other each document is kept for one of a hundred and twenty-eight sets of readers. Then it searches
as a member who may read all, a half, a twentieth and none of them, and takes all readers back.

    python benchmarks/document_readers.py DIR... [--chunks 20000] [--vectors 384]

Prints chunks stored a second with and without readers; p50 and p95 of a search, and its hits, by
what may be read; and seconds to change the readers of all documents, whose texts stay.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.search_scale import WordSums, documents, read, stored  # noqa: E402

SETS = 128
GROUP = "@benchmark"
MEMBERS = {"all": 1, "a half": 2, "a twentieth": 20, "none": SETS + 1}
"""By what a member may read, one in how many sets names them."""


async def time_searches(library: Any, queries: Sequence[str]) -> str:
    """p50, p95 and hits of searches, as a line says them."""
    from schema.search import SearchOptions

    seconds, hits = [], 0
    for query in queries:
        started = time.perf_counter()
        hits += len((await library.search(query, SearchOptions(limit=10))).hits)
        seconds.append(1000 * (time.perf_counter() - started))
    p95 = statistics.quantiles(seconds, n=20)[-1]
    count = hits / len(queries)
    return f"p50 {statistics.median(seconds):6.1f} ms   p95 {p95:6.1f} ms   {count:.1f} hits"


def name_readers(number: int) -> tuple[str, ...]:
    """The readers of a document: somebody of its own set, and each member whose turn it is."""
    place = number % SETS
    return (f"set-{place}", *(who for who, each in MEMBERS.items() if place % each == each - 1))


async def measure(sentences: list[str], queries: list[str], chunks: int, length: int) -> None:
    """Both spaces, one after the other."""
    from library.database.connections import close_databases, open_database
    from library.library import Library
    from models.embeddings import Embedder

    opened = await open_database()
    model = Embedder("benchmark:word-sums", WordSums(length), seconds=60) if length else None

    def enter(space: str, *names: str) -> Library:
        return Library(opened, GROUP, space, model, names)

    try:
        plain = list(documents(sentences, chunks))
        kept = [replace(one, readers=name_readers(number)) for number, one in enumerate(plain)]
        for space, made in (("open", plain), ("kept", kept)):
            library = enter(space, "all")
            seconds = await stored(library, made)
            _, count = await library.count()
            await library.embed_missing()
            print(f"{space}: {count:,} chunks, {count / seconds:,.0f} stored a second")
            await time_searches(library, queries[:20])
            for name in MEMBERS if space == "kept" else ["all"]:
                print(f"  {name:12} {await time_searches(enter(space, name), queries)}")
        started = time.perf_counter()
        for start in range(0, len(kept), 128):
            await library.set_readers({one.uri: ("all",) for one in kept[start : start + 128]})
        print(f"readers of all changed in {time.perf_counter() - started:.1f} s")
    finally:
        await close_databases()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--vectors", type=int, default=384, help="length of the vectors")
    given = parser.parse_args()
    sentences, queries = read(given.folders)
    with tempfile.TemporaryDirectory(prefix="quire-") as data:
        os.environ |= {"QUIRE_DATA_DIR": data, "LANGSMITH_TRACING": "false"}
        asyncio.run(measure(sentences, queries, given.chunks, given.vectors))


if __name__ == "__main__":
    main()
