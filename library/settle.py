"""From candidates to hits: what is worth reading, and how sure it is."""

import asyncio
from collections.abc import Sequence

from library import read
from library.asked import PASSAGES_PER_DOCUMENT, Asked
from library.database import Connection
from library.gather import Gathered
from retrieval.candidates import Candidate
from retrieval.dedup import Item, deduplicate
from retrieval.grading import grade, meaning_evidence
from schema.documents import Hit


async def passages(
    connection: Connection, asked: Asked, gathered: Gathered, candidates: Sequence[Candidate]
) -> list[Hit]:
    """The passages worth reading; see `retrieval.dedup`."""
    texts = await read.words(connection, [one.chunk for one in candidates])
    items = [
        Item(
            chunk=one.chunk,
            document=one.document,
            kind=one.kind,
            text=texts[one.chunk][0],
            words=texts[one.chunk][1],
        )
        for one in candidates
        if one.chunk in texts
    ]
    options = asked.options
    kept = await asyncio.to_thread(
        deduplicate, items, limit=options.limit, per_document=options.per_document
    )
    by_chunk = {one.chunk: one for one in candidates}
    mirrors = {one.item.chunk: one.mirror_of for one in kept}
    return _hits(asked, gathered, [by_chunk[chunk] for chunk in mirrors], mirrors)


async def whole_documents(
    connection: Connection,  # noqa: ARG001  (as `passages` takes it)
    asked: Asked,
    gathered: Gathered,
    candidates: Sequence[Candidate],
) -> list[Hit]:
    """Passages by document, best document first, a few each."""
    by_document: dict[int, list[Candidate]] = {}
    for one in candidates:
        by_document.setdefault(one.document, []).append(one)
    groups = list(by_document.values())[: asked.options.limit]
    return _hits(
        asked, gathered, [one for group in groups for one in group[:PASSAGES_PER_DOCUMENT]]
    )


def _hits(
    asked: Asked,
    gathered: Gathered,
    candidates: Sequence[Candidate],
    mirrors: dict[int, int | None] | None = None,
) -> list[Hit]:
    hits = []
    for one in candidates:
        evidence = gathered.held.share([one.chunk])
        if one.cosine is not None:
            evidence = max(evidence, meaning_evidence(one.cosine, asked.space.cosine))
        hits.append(
            Hit(
                chunk=one.chunk,
                document=one.document,
                score=min(1.0, max(0.0, round(one.score, 6))),
                evidence=round(evidence, 4),
                grade=grade(evidence, exact=one.exact),
                kind=one.kind,
                arms=one.arms,
                why=list(one.why),
                mirror_of=(mirrors or {}).get(one.chunk),
                hop=one.hop,
            )
        )
    return hits
