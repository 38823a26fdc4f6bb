"""From the hits of many searches to one pool: every passage once, every source one number."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from schema.documents import Hit
from schema.search import SearchResult

MIN_RELEVANCE = 0.2
"""Evidence that a passage must have to enter a report: others may hold the rest of the question."""

MIN_BEST_RELEVANCE, MIN_COVERAGE = 0.3, 0.7
"""Evidence that the best passage must have, or else share of the question that all of them must
hold together; otherwise the sources do not speak of it, and nothing they hold counts. Fitted on
questions asked of another collection, see docs/benchmarks.md."""

MAX_POOL_PASSAGES = 400
"""Passages; keeps a checkpoint small whatever was found."""


def select_relevant_hits(found: SearchResult, *, chosen: bool = False) -> list[Hit]:
    """The hits of one question that speak of it; none where the sources do not.

    Args:
        found: of a search.
        chosen: a search engine has chosen the sources for this question, and knows more of them
            than the excerpts that it hands over.
    """
    best = max((hit.relevance for hit in found.hits), default=0.0)
    if not chosen and best < MIN_BEST_RELEVANCE and found.coverage < MIN_COVERAGE:
        return []
    return [hit for hit in found.hits if hit.relevance >= MIN_RELEVANCE]


def make_scores_comparable(found: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
    """The hits of several searches for one question, with scores that compare between them.

    A score says how good a passage is among those of its search, whatever that search had to offer;
    evidence is the same everywhere. So each search counts as much as its best evidence.
    """
    best = [max((_get_relevance(hit) for hit in hits), default=0.0) for hits in found]
    most = max(best, default=0.0) or 1.0
    return [
        [replace(hit, score=hit.score * own / most) for hit in hits]
        for hits, own in zip(found, best, strict=True)
    ]


def _get_relevance(hit: Hit) -> float:
    return 1.0 if hit.grade == "exact" else hit.relevance


def merge_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Each chunk once with its best score, best first.

    A chunk that several questions or connectors found gains a little with each of them: sources
    that answer much of the outline come first.
    """
    best: dict[int, Hit] = {}
    times: dict[int, int] = {}
    for hit in hits:
        times[hit.chunk] = times.get(hit.chunk, 0) + 1
        if hit.chunk not in best or hit.score > best[hit.chunk].score:
            best[hit.chunk] = hit

    def worth(hit: Hit) -> float:
        return hit.score + 0.05 * min(times[hit.chunk] - 1, 10)

    return sorted(best.values(), key=lambda hit: (-worth(hit), hit.chunk))[:MAX_POOL_PASSAGES]


def priority_factor(priority: int) -> float:
    """What a query of priority 1 (most wanted) to 5 is worth: a tenth less for each step."""
    return 1 - 0.1 * (priority - 1)


def number_sources(known: dict[int, int], documents: Sequence[int]) -> dict[int, int]:
    """Give each document a number. Known ones keep theirs; new ones follow, in order."""
    numbers = dict(known)
    for document in documents:
        numbers.setdefault(document, len(numbers) + 1)
    return numbers


def deduplicate_questions(questions: Iterable[str]) -> list[str]:
    """Questions that differ in more than case, white space and closing marks."""
    kept: dict[str, str] = {}
    for question in questions:
        if key := normalise_question(question):
            kept.setdefault(key, question)
    return list(kept.values())


def normalise_question(question: str) -> str:
    """What makes two questions the same."""
    return " ".join(question.casefold().split()).rstrip("?？.。! ")
