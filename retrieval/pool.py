"""From the hits of many searches to one pool: every passage once, every source one number."""

from collections.abc import Iterable, Sequence

from schema.documents import Hit

LEAST_EVIDENCE = 0.2
"""Share of a question's weight that a passage must hold to enter a report. A question about
something else matches only small words; without a floor it would get a report of noise."""

LARGEST_POOL = 400
"""Passages; keeps a checkpoint small whatever was found."""


def best_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Each chunk once with its best score, best first; hits without evidence left out.

    A chunk that several questions or connectors found gains a little with each of them: sources
    that answer much of the outline come first.
    """
    best: dict[int, Hit] = {}
    times: dict[int, int] = {}
    for hit in hits:
        if hit.evidence < LEAST_EVIDENCE:
            continue
        times[hit.chunk] = times.get(hit.chunk, 0) + 1
        if hit.chunk not in best or hit.score > best[hit.chunk].score:
            best[hit.chunk] = hit

    def worth(hit: Hit) -> float:
        return hit.score + 0.05 * min(times[hit.chunk] - 1, 10)

    return sorted(best.values(), key=lambda hit: (-worth(hit), hit.chunk))[:LARGEST_POOL]


def number_sources(known: dict[int, int], documents: Sequence[int]) -> dict[int, int]:
    """Give each document a number. Known ones keep theirs; new ones follow, in order."""
    numbers = dict(known)
    for document in documents:
        numbers.setdefault(document, len(numbers) + 1)
    return numbers


def distinct_questions(questions: Iterable[str]) -> list[str]:
    """Questions that differ in more than case, white space and closing marks."""
    kept: dict[str, str] = {}
    for question in questions:
        if key := question_key(question):
            kept.setdefault(key, question)
    return list(kept.values())


def question_key(question: str) -> str:
    """What makes two questions the same."""
    return " ".join(question.casefold().split()).rstrip("?？.。! ")
