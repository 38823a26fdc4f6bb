"""From candidates to hits: what is worth reading, and how sure it is."""

from collections.abc import Sequence

from library.asked import PASSAGES_PER_DOCUMENT, Asked
from library.gather import Gathered
from retrieval.candidates import Candidate
from retrieval.dedup import Item, deduplicate
from retrieval.grading import grade, meaning_evidence
from schema.documents import Hit


def passages(asked: Asked, gathered: Gathered, candidates: Sequence[Candidate]) -> list[Hit]:
    """The passages worth reading; see `retrieval.dedup`."""
    items = [
        Item(chunk=one.chunk, document=one.document, kind=one.kind, text=one.text, words=one.words)
        for one in candidates
    ]
    options = asked.options
    kept = deduplicate(items, limit=options.limit, per_document=options.per_document)
    by_chunk = {one.chunk: one for one in candidates}
    mirrors = {one.item.chunk: one.mirror_of for one in kept}
    return _hits(asked, gathered, [by_chunk[chunk] for chunk in mirrors], mirrors)


def whole_documents(asked: Asked, gathered: Gathered, candidates: Sequence[Candidate]) -> list[Hit]:
    """Passages by document, best document first, a few each."""
    by_document: dict[int, list[Candidate]] = {}
    for one in candidates:
        by_document.setdefault(one.document, []).append(one)
    groups = list(by_document.values())[: asked.options.limit]
    best = [one for group in groups for one in group[:PASSAGES_PER_DOCUMENT]]
    return _hits(asked, gathered, best)


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
