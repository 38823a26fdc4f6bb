"""From candidates to hits: what is worth reading, and how sure it is."""

from collections.abc import Sequence

from library.search.retrieve import RetrieverResults
from library.search.search_pass import PASSAGES_PER_DOCUMENT, SearchPass
from retrieval.search.candidates import Candidate
from retrieval.search.dedup import deduplicate
from retrieval.search.grading import grade_relevance, score_dense_relevance
from schema.documents import Hit


def select_passages(
    asked: SearchPass, gathered: RetrieverResults, candidates: Sequence[Candidate]
) -> list[Hit]:
    """The passages worth reading; see `retrieval.search.dedup`."""
    options = asked.options
    kept = deduplicate(candidates, limit=options.limit, per_document=options.per_document)
    mirrors = {one.item.chunk: one.mirror_of for one in kept}
    return _build_hits(asked, gathered, [one.item for one in kept], mirrors)


def select_documents(
    asked: SearchPass, gathered: RetrieverResults, candidates: Sequence[Candidate]
) -> list[Hit]:
    """Passages by document, best document first, a few each."""
    by_document: dict[int, list[Candidate]] = {}
    for one in candidates:
        by_document.setdefault(one.document, []).append(one)
    groups = list(by_document.values())[: asked.options.limit]
    best = [one for group in groups for one in group[:PASSAGES_PER_DOCUMENT]]
    return _build_hits(asked, gathered, best)


def _build_hits(
    asked: SearchPass,
    gathered: RetrieverResults,
    candidates: Sequence[Candidate],
    mirrors: dict[int, int | None] | None = None,
) -> list[Hit]:
    hits = []
    for one in candidates:
        evidence = gathered.coverage.measure_share([one.chunk])
        if one.cosine is not None:
            evidence = max(evidence, score_dense_relevance(one.cosine, asked.space.cosine))
        hits.append(
            Hit(
                chunk=one.chunk,
                document=one.document,
                score=min(1.0, max(0.0, round(one.score, 6))),
                relevance=round(evidence, 4),
                grade=grade_relevance(evidence, exact=one.exact),
                kind=one.kind,
                retriever_scores=one.retriever_scores,
                why=list(one.why),
                mirror_of=(mirrors or {}).get(one.chunk),
                hop=one.hop,
            )
        )
    return hits
