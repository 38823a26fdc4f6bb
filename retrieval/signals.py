"""What else speaks for or against a candidate: one small function a signal.

Each gives a factor on the fused score. Which of them are on is the search's choice; what they are
worth is measured by `benchmarks/retrieval.py`, which switches them one by one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from retrieval.analysis import content_weight, terms
from retrieval.candidates import Candidate, best_first
from retrieval.fusion import reblended
from schema.search import Detail, Signal

LINK_WEIGHT = 0.05
TITLE_FACTOR = 1.25
SUPERSEDED_FACTOR = 0.5
FRESH_WEIGHT = 0.3
RECORD_FACTOR = 1.25
HALF_DAYS = 90.0
"""Age in days at which half of what freshness can give is left."""


def cosine(candidate: Candidate) -> float:
    """What mixes 0.3 of the cosine itself into the score; see `retrieval.fusion.reblended`."""
    if candidate.cosine is None or candidate.score <= 0:
        return 1.0
    return reblended(candidate.score, candidate.cosine) / candidate.score


def places(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """The weight of the longest beginning of the document's uri that has one."""
    held = [start for start in weights if candidate.uri.startswith(start)]
    return weights[max(held, key=len)] if held else 1.0


def links(candidate: Candidate) -> float:
    """1 + 0.05 ln(1 + n) for a document that n others link to."""
    return 1 + LINK_WEIGHT * math.log1p(candidate.links_in)


def recency(candidate: Candidate, today: date) -> float:
    """1 + 0.3 · 90 / (90 + age in days); 1 without a date, and for one in the future."""
    published = _day(candidate.published)
    if published is None or published > today:
        return 1.0
    return 1 + FRESH_WEIGHT * HALF_DAYS / (HALF_DAYS + (today - published).days)


def title_phrase(candidate: Candidate, query: str, language: str) -> float:
    """1.25 where the whole title stands in the query and has two words of content, else 1."""
    # folded, for the parts of joined names stand apart from them
    title, asked = (terms(text.casefold(), language) for text in (candidate.title, query))
    content = sum(1 for term in title if content_weight(term, language) == 1)
    held = any(asked[i : i + len(title)] == title for i in range(len(asked) - len(title) + 1))
    return TITLE_FACTOR if content >= 2 and held else 1.0


def superseded(candidate: Candidate) -> float:
    """0.5 for a document that another has replaced."""
    return SUPERSEDED_FACTOR if candidate.superseded else 1.0


def record(candidate: Candidate, detail: Detail) -> float:
    """1.25 for a timeline where the query wants the whole record, else 1."""
    return RECORD_FACTOR if detail == "high" and candidate.kind == "timeline" else 1.0


def apply_signals(
    candidates: Sequence[Candidate],
    signals: Sequence[Signal],
    *,
    query: str,
    language: str,
    detail: Detail,
    weights: Mapping[str, float],
    today: date,
) -> list[Candidate]:
    """Change the scores by the signals that are on, and by the detail that is wanted.

    Args:
        candidates: in any order.
        signals: those that are on.
        query: as it was asked.
        language: the query's.
        detail: what the query wants.
        weights: of `places`.
        today: for `recency`.

    Returns:
        The candidates, best first.
    """
    factors: dict[Signal, Callable[[Candidate], float]] = {
        "cosine": cosine,
        "places": lambda one: places(one, weights),
        "links": links,
        "recency": lambda one: recency(one, today),
        "title_phrase": lambda one: title_phrase(one, query, language),
        "superseded": superseded,
    }
    changed = [one.times(record(one, detail), "record") for one in candidates]
    for signal in signals:
        changed = [one.times(factors[signal](one), signal.replace("_", " ")) for one in changed]
    return best_first(changed)


def _day(published: str) -> date | None:
    """The day of an ISO date that may be a bare year or month: its first."""
    padded = published[:10] + "-01-01"[len(published[:10]) - 4 :] if len(published) >= 4 else ""
    try:
        return datetime.strptime(padded[:10], "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None
