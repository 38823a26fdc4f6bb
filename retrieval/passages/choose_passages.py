"""What of a pool one section is shown, best first."""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest

from retrieval.passages.better_places import Place
from retrieval.passages.definitions import rank_definitions
from retrieval.passages.page_coverage import (
    MANY_PAGES,
    find_main_page,
    measure_coverage,
    select_heard_pages,
)

MIN_SHARE = 0.6
"""Of the words' score of the best passage of a question, from which a passage answers it."""

MIN_SCORE_SHARE = 0.8
"""Of the pool's best score, from which a passage answers: it may have been found by meaning."""

NEAR_BEST_SHARE = 0.9
"""Of the pool's best score, from which a passage's page is heard whatever words it has."""

DEFINED_SHARE = 0.6
"""Of the budget for the passages that define what is asked for by name."""

PASSAGE_TOKENS = 300
"""Of a usual passage: of each question no more are chosen than its share of the budget holds."""


@dataclass(frozen=True)
class Candidates:
    """The passages of a pool: what is known of each, all in the pool's order.

    Attributes:
        texts: each below its heading.
        sizes: in tokens.
        documents: whose passages they are.
        worded: how well each holds the words of a question, by question of the section.
        reranked: the scores of the reranker.
        found: the scores of the searches, 0 of what none found.
        planned: whether the plan names it for the section.
        looked_up: whether it was looked up for the section.
        places: where each is shown.
    """

    texts: Sequence[str]
    sizes: Sequence[int]
    documents: Sequence[int]
    worded: Sequence[Sequence[float]]
    reranked: Sequence[float]
    found: Sequence[float]
    planned: Sequence[bool]
    looked_up: Sequence[bool]
    places: Sequence[Place]


@dataclass(frozen=True)
class Chosen:
    """Places in the pool: what `answers` first, what is `defined` among it, and the `rest`.

    `worded` are those that answer each question by its words; `main` is the document that covers
    most, of `pages`.
    """

    answers: list[int]
    defined: list[int]
    rest: list[int]
    worded: list[list[int]]
    main: int | None
    pages: int


def choose_passages(
    pool: Candidates,
    questions: Sequence[str],
    searched: Sequence[str],
    budget: int,
    *,
    revised: bool = False,
) -> Chosen:
    """What answers a section's questions, in turns, and what may follow it.

    Args:
        pool: what it may be written from.
        questions: that it answers.
        searched: what was searched for it.
        budget: tokens of its sources.
        revised: whether it is written anew, from all that its text may rest on.
    """
    coverage = measure_coverage(pool.worded, pool.documents)
    main = find_main_page([*pool.worded, pool.found], pool.documents)
    heard = _list_heard(pool, select_heard_pages(coverage, main))
    own = [i for i in heard if pool.planned[i]]
    worded = [_rank(scores, heard, MIN_SHARE) for scores in pool.worded]
    best = _rank(pool.reranked, heard)
    rankings = [
        *worded,
        [i for i in best if pool.found[i] > 0],  # what no search found waits
        _rank(pool.found, own or heard, MIN_SCORE_SHARE),  # first what its own searches found
    ]
    rankings = [[*one[:1], *(i for i in one[1:] if not pool.places[i])] for one in rankings]
    each = math.ceil(budget / (PASSAGE_TOKENS * len(rankings)))
    defined = _list_defining(pool, questions, searched, budget)
    answers = [*defined, *take_turns([one[:each] for one in rankings])]
    rest = sorted(best, key=lambda i: (not pool.looked_up[i], pool.places[i]))
    if own and not revised:
        wanted = {pool.documents[i] for i in [*own, *answers]}
        kept = [i for i in rest if pool.documents[i] in wanted]
        fills = sum(pool.sizes[i] for i in kept) >= budget
        rest = kept if fills or len(coverage) > MANY_PAGES else rest
    return Chosen(answers, defined, rest, worded, main, len(coverage))


def take_turns(rankings: Sequence[Sequence[int]]) -> list[int]:
    """The first of each ranking, then the second of each, ...; a place may come again."""
    turns = zip_longest(*rankings)
    return [place for turn in turns for place in turn if place is not None]


def _list_heard(pool: Candidates, covering: Container[int]) -> list[int]:
    """The places of the passages of pages that are heard.

    These are the pages that cover the questions, those that hold what the searches found best,
    which may say it in other words, and those of what was looked up for the section.
    """
    least = NEAR_BEST_SHARE * max(pool.found, default=0.0)
    others = {
        document
        for document, score, wanted in zip(pool.documents, pool.found, pool.looked_up, strict=True)
        if score >= least or wanted
    }
    return [i for i, one in enumerate(pool.documents) if one in covering or one in others]


def _list_defining(
    pool: Candidates, questions: Sequence[str], searched: Sequence[str], budget: int
) -> list[int]:
    """The places of texts that define what is asked for by name, on whatever page they stand.

    First those of the questions, one of each in turn, then those of what was searched. They take
    `DEFINED_SHARE` of the budget at most.
    """
    best = _rank(pool.reranked, range(len(pool.texts)))
    found = rank_definitions([*questions, *searched], [pool.texts[i] for i in best])
    turns = [*take_turns(found[: len(questions)]), *take_turns(found[len(questions) :])]
    places = [best[i] for i in dict.fromkeys(turns)]
    used = accumulate(pool.sizes[i] for i in places)
    return places[: sum(tokens <= DEFINED_SHARE * budget for tokens in used)]


def _rank(scores: Sequence[float], heard: Iterable[int], least: float | None = None) -> list[int]:
    """The places that are heard, best first; with `least`, from that share of the best score up."""
    order = sorted(heard, key=lambda i: (-scores[i], i))
    floor = max(scores, default=0.0) * (least or 0.0)
    return order if least is None else [i for i in order if scores[i] >= floor > 0]
