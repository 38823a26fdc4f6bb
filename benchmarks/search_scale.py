"""Speed of the library's search as it grows, on text it is pointed at.

Takes the sentences of the files below DIR (corpus.jsonl in BEIR's layout, .txt and .md), builds
documents of about five chunks from them, drawn with a fixed seed so that a little text makes a
large library with natural words, and stores them in a fresh library. Queries are those of
queries.jsonl, or sentences. Vectors have the given length and are sums of random vectors of a
text's words: what a model costs is left out, what its vectors cost is not.

    python benchmarks/search_scale.py DIR... [--chunks 10000 100000] [--vectors 384] [--json FILE]
        [--against FILE]

Prints for each size: chunks stored a second; what a chunk costs to store, in milliseconds of CPU
and bytes of the write-ahead log; megabytes on disk by table; seconds of the vector index; and p50,
p95 and CPU of the words, of the meaning, of both, and kept to a twentieth of the documents by four
filters, with the hits they gave (10 each are asked for). Then, what share of the first ten that a
plain reckoning finds the retrievers find; see measures/exact_ranking.py. With vectors of length 0
there are none, and words are searched alone. A FILE of another run says how many of its hits come
back: the passages that are among the first ten of both runs.
CPU is read from /proc: on Linux only.
"""

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.jsonl import rows  # noqa: E402
from benchmarks.measures.exact_ranking import Keeps, compare  # noqa: E402
from benchmarks.server_cost import Cost, read_cost  # noqa: E402

BATCH = 128
"""Documents of a batch, as of a sync."""
QUERIES = 300
COMPARED = 200
"""Queries whose first ten are compared with those of a plain reckoning."""
CHUNKS_PER_DOCUMENT = 5
CHUNK_CHARACTERS = 750
RARE = "a-twentieth"
FILTERS: dict[str, tuple[dict[str, Any], Keeps]] = {
    "connector": ({"connectors": [RARE]}, lambda row: row["connector"] == RARE),
    "folder": ({"under": ["scale:/7"]}, lambda row: row["uri"].startswith("scale:/7/")),
    "language": ({"language": "de"}, lambda row: row["language"] == "de"),
    "date": ({"since": "2020"}, lambda row: row["published"] >= "2020"),
}
"""Each keeps a twentieth of the documents: as a search takes it, and as a test of a chunk."""
RUNS: dict[str, dict[str, Any]] = {
    "words": {"retrievers": ("lexical",)},
    "meaning": {"retrievers": ("dense",)},
    "both": {},
}


class WordSums(Embeddings):
    """Vectors of texts by their words: near where words are shared, as cheap as they get."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._table = np.random.default_rng(0).standard_normal((50_000, length)).astype(np.float32)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector of length 1 per text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """One vector of length 1."""
        from text.tokens import tokenise_to_ids

        rows = np.array(tokenise_to_ids(text, "en") or [0]) % len(self._table)
        total = self._table[rows].sum(axis=0)
        return (total / np.linalg.norm(total)).tolist()  # type: ignore[no-any-return]


def read(folders: Sequence[Path]) -> tuple[list[str], list[str]]:
    """Sentences and queries found below some folders."""
    texts: list[str] = []
    queries: list[str] = []
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.name in ("corpus.jsonl", "queries.jsonl"):
            found = [one["text"] for one in rows(path)]
            (texts if path.name == "corpus.jsonl" else queries).extend(found)
        elif path.suffix in (".txt", ".md"):
            texts.append(path.read_text(errors="replace"))
    pieces = (piece for text in texts for piece in re.split(r"(?<=[.!?。！？])\s*|\n\s*\n", text))
    sentences = [piece.strip() for piece in pieces if piece and len(piece.strip()) > 20]
    if not sentences:
        sys.exit("No text was found: name folders with corpus.jsonl, .txt or .md files.")
    shuffled = random.Random(0)
    shuffled.shuffle(queries)
    return sentences, (queries or shuffled.sample(sentences, min(QUERIES, len(sentences))))[
        :QUERIES
    ]


def documents(sentences: Sequence[str], chunks: int) -> Iterator[Any]:
    """Documents of five paragraphs each. What `FILTERS` name, a twentieth is or has."""
    from schema.documents import Document

    draw = random.Random(1)
    for number in range(-(-chunks // CHUNKS_PER_DOCUMENT)):
        paragraphs = []
        for _ in range(CHUNKS_PER_DOCUMENT):
            text = ""
            while len(text) < CHUNK_CHARACTERS:
                text += draw.choice(sentences) + " "
            paragraphs.append(text.strip())
        yield Document(
            uri=f"scale:/{number // 20 % 20}/{number}",
            title=" ".join(draw.choice(sentences).split()[:8]),
            text="\n\n".join(paragraphs),
            connector=RARE if number % 20 == 0 else "scale",
            language="de" if number % 20 == 1 else "en",
            published=f"{2001 + number // 3 % 20}-05-01",
        )


ReadCost = Callable[[], Awaitable[Cost]]


async def stored(library: Any, made: Sequence[Any]) -> float:
    """Store documents as ingesting does; seconds."""
    from library.batch_writer import BatchWriter

    started = time.perf_counter()
    async with BatchWriter(library) as writers:
        for start in range(0, len(made), BATCH):
            await writers.put(made[start : start + BATCH])
    return time.perf_counter() - started


async def timed(
    library: Any, cost: ReadCost, queries: Sequence[str], **options: Any
) -> dict[str, Any]:
    """p50, p95 and CPU in milliseconds, hits per query, and each query's hits."""
    from schema.search import SearchOptions

    seconds, hits = [], []
    before = await cost()
    for query in queries:
        started = time.perf_counter()
        found = await library.search(query, SearchOptions(limit=10, **options))
        seconds.append(time.perf_counter() - started)
        hits.append([hit.chunk for hit in found.hits])
    spent = await cost() - before
    return {
        "p50": 1000 * statistics.median(seconds),
        "p95": 1000 * statistics.quantiles(seconds, n=20)[-1],
        "python": 1000 * spent.python / len(queries),
        "server": 1000 * spent.server / len(queries),
        "hits": sum(map(len, hits)) / len(queries),
        "found": await place(library, hits),
    }


async def place(library: Any, hits: Sequence[Sequence[int]]) -> list[list[str]]:
    """The first ten hits of each query by what is the same in another library."""
    passages = await library.load_passages(sorted({chunk for found in hits for chunk in found}))
    documents = await library.load_documents(sorted({one.document for one in passages.values()}))
    places = {i: f"{documents[one.document].uri}#{one.start}" for i, one in passages.items()}
    return [[places[chunk] for chunk in found[:10]] for found in hits]


def share(found: Sequence[list[str]], before: Sequence[list[str]]) -> float:
    """Which share of the hits of another run came back; all where it had none."""
    kept = sum(len(set(a) & set(b)) for a, b in zip(found, before, strict=True))
    hits = sum(map(len, before))
    return kept / hits if hits else 1.0


async def measure(sentences: list[str], queries: list[str], chunks: int, length: int) -> Any:
    """One size, in a space of its own."""
    from library.database.connections import close_databases, open_database
    from library.library import Library
    from models.embeddings import Embedder
    from schema.search import Filters

    opened = await open_database()
    model = Embedder("benchmark:word-sums", WordSums(length), seconds=60) if length else None
    library = Library(opened, "benchmark", f"s{chunks}", model)
    try:
        made = list(documents(sentences, chunks))
        cost = partial(read_cost, opened, Path(os.environ["QUIRE_DATA_DIR"]) / "postgres")
        before = await cost()
        seconds = await stored(library, made)
        spent = await cost() - before
        [_, count] = await library.count()
        started = time.perf_counter()
        if length:
            await library.embed_missing()
        embedding = time.perf_counter() - started
        sizes = await _sizes(opened)
        search = partial(timed, library, cost)
        await search(queries[:20])
        return {
            "chunks": count,
            "stored a second": count / seconds,
            "python": 1000 * spent.python / count,
            "server": 1000 * spent.server / count,
            "wal": spent.wal / count,
            "vectors, s": embedding,
            "megabytes": sizes,
            "runs": {
                f"{run}{of}": await search(queries, filters=Filters(**given), **options)
                for run, options in RUNS.items()
                if length or run == "words"
                for of, given in (
                    ("", {}),
                    *((f" of a {name}", given) for name, (given, _) in FILTERS.items()),
                )
                if run != "meaning" or not given
            },
            "first ten": await compare(
                library,
                queries[:COMPARED],
                {name: (Filters(**given), keeps) for name, (given, keeps) in FILTERS.items()},
            ),
        }
    finally:
        await close_databases()


async def _sizes(opened: Any) -> dict[str, float]:
    async with opened.maintenance() as connection:
        cursor = await connection.execute(
            "SELECT relname, pg_total_relation_size(oid) / 1e6 FROM pg_class "
            "WHERE relnamespace = 'quire'::regnamespace AND relkind = 'r' ORDER BY 2 DESC LIMIT 6"
        )
        return {name: float(size) for name, size in await cursor.fetchall()}


def show(results: Sequence[dict[str, Any]], against: Sequence[dict[str, Any]]) -> None:
    """Print a block for each size, with what another run found at this size."""
    before = {one["chunks"]: one["runs"] for one in against}
    for one in results:
        sizes = ", ".join(f"{name} {size:.0f}" for name, size in one["megabytes"].items())
        print(
            f"{one['chunks']:,} chunks: {one['stored a second']:,.0f} stored a second; CPU of one: "
            f"{one['python']:.3f} ms Python, {one['server']:.3f} ms PostgreSQL; {one['wal']:,.0f} "
            f"bytes of WAL\n  MB: {sizes}"
        )
        print(f"  vectors made and indexed in {one['vectors, s']:.0f} s")
        for run, figures in one["runs"].items():
            print(
                f"  {run:20} p50 {figures['p50']:6.1f} ms   p95 {figures['p95']:6.1f} ms   "
                f"CPU {figures['python']:5.1f} + {figures['server']:5.1f} ms   "
                f"{figures['hits']:.1f} hits"
            )
            if old := before.get(one["chunks"], {}).get(run):
                print(f"  {'':20} {share(figures['found'], old['found']):.2%} as before")
        for way, shares in one["first ten"].items():
            told = ", ".join(f"{name} {found:.1%}" for name, found in shares.items())
            print(f"  first ten by {way} as plainly reckoned: {told}")


def main() -> None:
    """Measure every size and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--chunks", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--vectors", type=int, default=384, help="length of the vectors")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--against", type=Path, help="the JSON of another run")
    given = parser.parse_args()
    sentences, queries = read(given.folders)
    against = json.loads(given.against.read_text()) if given.against else []
    results = []
    for chunks in given.chunks:
        # its server may still write while it is removed
        with tempfile.TemporaryDirectory(prefix="quire-", ignore_cleanup_errors=True) as data:
            os.environ |= {"QUIRE_DATA_DIR": data, "LANGSMITH_TRACING": "false"}
            results.append(asyncio.run(measure(sentences, queries, chunks, given.vectors)))
        show(results[-1:], against)
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
