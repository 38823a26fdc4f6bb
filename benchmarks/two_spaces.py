"""Quality of a report's pool whose sources stand in two spaces, as documents and web results do.

Reads folders in BEIR's layout, as `retrieval.py` does. Of DIR a tenth, and then a half, of the
documents stand in a second space; with OTHER, all of DIR stands in one and OTHER in the second.
Prints nDCG@10 of the first space alone, of one space that holds all, and of both searched apart and
brought together: by score as each search gives it, and by score and evidence, as reports do.

    python benchmarks/two_spaces.py DIR [OTHER] [--queries N]
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.retrieval import Collection, quality, read  # noqa: E402

SHARES = (0.1, 0.5)

Texts = Sequence[dict[str, str]]


def divided(documents: Texts, share: float) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Documents without a share of them, and that share; the same in every run."""

    def apart(document: dict[str, str]) -> bool:
        digest = blake2b(document["id"].encode(), digest_size=4).digest()
        return int.from_bytes(digest) < share * 2**32

    first = [one for one in documents if not apart(one)]
    return first, [one for one in documents if apart(one)]


async def stored(space: str, documents: Texts) -> Any:
    """A space that holds these."""
    from library.batch_writer import BatchWriter
    from library.library import open_library
    from schema.documents import Document

    library = await open_library(space)
    async with BatchWriter(library) as writers:
        for start in range(0, len(documents), 256):
            await writers.put(
                [
                    Document(uri=one["id"], title=one["title"], text=one["text"], connector="b")
                    for one in documents[start : start + 256]
                ]
            )
    return library


async def ranked(collection: Collection, first: Texts, second: Texts, name: str) -> dict[str, Any]:
    """nDCG@10 of each way to bring the two together."""
    from retrieval.passages.pool import make_scores_comparable, merge_hits, select_relevant_hits

    one, other = await stored(f"{name}-1", first), await stored(f"{name}-2", second)
    both = await stored(f"{name}-12", [*first, *second])
    rankings: dict[str, dict[str, list[str]]] = {}
    for query in collection.queries:
        found = [
            select_relevant_hits(await space.search(query["text"])) for space in (one, other, both)
        ]
        ways = {
            "the first space alone": found[0],
            "one space that holds all": found[2],
            "two spaces, by score": merge_hits([*found[0], *found[1]]),
            "two spaces, by score and evidence": merge_hits(
                hit for hits in make_scores_comparable(found[:2]) for hit in hits
            ),
        }
        for way, hits in ways.items():
            described = await one.load_documents([hit.document for hit in hits])
            uris = dict.fromkeys(described[hit.document].uri for hit in hits)
            rankings.setdefault(way, {})[query["id"]] = list(uris)
    return {way: quality(collection, found)["nDCG@10"] for way, found in rankings.items()}


async def measure(folder: Path, other: Path | None, most: int | None) -> dict[str, dict[str, Any]]:
    """By division: nDCG@10 of each way."""
    from library.database.connections import close_databases

    collection = read(folder, most)
    divisions = {
        f"{share:.0%} of {collection.name} apart": divided(collection.documents, share)
        for share in SHARES
    }
    if other:
        foreign = [{**one, "id": f"foreign {one['id']}"} for one in read(other, 0).documents]
        divisions[f"{collection.name} beside {other.name}"] = (collection.documents, foreign)
    try:
        return {
            name: await ranked(collection, first, second, f"two{number}")
            for number, (name, (first, second)) in enumerate(divisions.items())
        }
    finally:
        await close_databases()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("other", nargs="?", type=Path, metavar="OTHER")
    parser.add_argument("--queries", type=int, help="only the first N")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quire-") as data:
        os.environ |= {"QUIRE_DATA_DIR": data, "LANGSMITH_TRACING": "false"}
        for name, ways in asyncio.run(measure(given.folder, given.other, given.queries)).items():
            print(name)
            for way, value in ways.items():
                print(f"  {way:36} nDCG@10 {value:5.1f}")


if __name__ == "__main__":
    main()
