"""What else speaks for or against a candidate: one small function each.

Each gives a factor on the fused score. Which of them are on is the search's choice; what they are
worth is measured by `benchmarks/retrieval.py`, which switches them one by one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from retrieval.search.candidates import Candidate, sort_best_first
from retrieval.search.fusion import blend_cosine
from schema.search import Boost, Detail
from text.tokens import content_weight, tokenise

LINK_WEIGHT = 0.05
TITLE_FACTOR = 1.25
SUPERSEDED_FACTOR = 0.5
RECENCY_WEIGHT = 0.3
TIMELINE_FACTOR = 1.25
RECENCY_HALF_DAYS = 90.0
"""Age in days at which half of what freshness can give is left."""


def boost_by_cosine(candidate: Candidate) -> float:
    """What mixes 0.3 of the cosine itself into the score.

    See `retrieval.search.fusion.blend_cosine`.
    """
    if candidate.cosine is None or candidate.score <= 0:
        return 1.0
    return blend_cosine(candidate.score, candidate.cosine) / candidate.score


def boost_by_path(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """The weight of the longest beginning of the document's uri that has one."""
    held = [start for start in weights if candidate.uri.startswith(start)]
    return weights[max(held, key=len)] if held else 1.0


def boost_by_links(candidate: Candidate) -> float:
    """1 + 0.05 ln(1 + n) for a document that n others link to."""
    return 1 + LINK_WEIGHT * math.log1p(candidate.links_in)


def boost_by_recency(candidate: Candidate, today: date) -> float:
    """1 + 0.3 · 90 / (90 + age in days); 1 without a date, and for one in the future."""
    published = _parse_date(candidate.published)
    if published is None or published > today:
        return 1.0
    return 1 + RECENCY_WEIGHT * RECENCY_HALF_DAYS / (RECENCY_HALF_DAYS + (today - published).days)


def boost_by_title_phrase(candidate: Candidate, query: str, language: str) -> float:
    """1.25 where the whole title stands in the query and has two words of content, else 1."""
    # folded, for the parts of joined names stand apart from them
    title, asked = (tokenise(text.casefold(), language) for text in (candidate.title, query))
    content = sum(1 for term in title if content_weight(term, language) == 1)
    held = any(asked[i : i + len(title)] == title for i in range(len(asked) - len(title) + 1))
    return TITLE_FACTOR if content >= 2 and held else 1.0


def demote_superseded(candidate: Candidate) -> float:
    """0.5 for a document that another has replaced."""
    return SUPERSEDED_FACTOR if candidate.superseded else 1.0


def boost_timeline(candidate: Candidate, detail: Detail) -> float:
    """1.25 for a timeline where the query wants the whole record, else 1."""
    return TIMELINE_FACTOR if detail == "high" and candidate.kind == "timeline" else 1.0


def apply_boosts(
    candidates: Sequence[Candidate],
    boosts: Sequence[Boost],
    *,
    query: str,
    language: str,
    detail: Detail,
    weights: Mapping[str, float],
    today: date,
) -> list[Candidate]:
    """Change the scores by the boosts that are on, and by the detail that is wanted.

    Args:
        candidates: in any order.
        boosts: those that are on.
        query: as it was asked.
        language: the query's.
        detail: what the query wants.
        weights: of `boost_by_path`.
        today: for `boost_by_recency`.

    Returns:
        The candidates, best first.
    """
    factors: dict[Boost, Callable[[Candidate], float]] = {
        "cosine": boost_by_cosine,
        "paths": lambda one: boost_by_path(one, weights),
        "links": boost_by_links,
        "recency": lambda one: boost_by_recency(one, today),
        "title_phrase": lambda one: boost_by_title_phrase(one, query, language),
        "superseded": demote_superseded,
    }
    changed = [one.multiply_score(boost_timeline(one, detail), "timeline") for one in candidates]
    for boost in boosts:
        changed = [
            one.multiply_score(factors[boost](one), boost.replace("_", " ")) for one in changed
        ]
    return sort_best_first(changed)


def _parse_date(published: str) -> date | None:
    """The day of an ISO date that may be a bare year or month: its first."""
    padded = published[:10] + "-01-01"[len(published[:10]) - 4 :] if len(published) >= 4 else ""
    try:
        return datetime.strptime(padded[:10], "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None
