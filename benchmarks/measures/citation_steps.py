"""Each step of the citation check by itself: its scores, fitted on one set, told on the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from benchmarks.measures.claims import RIGHT, Claim, Floats, Truths, auc, balanced
from citations.bands import BOUNDARY, MIN_PRECISION, MIN_USES, NEVER, Band
from models.calls import Role
from models.citation_judge import Opinion, judge_citations

BATCH = 20
"""Claims that a model judges at once."""


@dataclass(frozen=True)
class Scored:
    """What a step makes of the claims that reach it: an entry each.

    Attributes:
        right: whether the source supports the claim.
        refuted: whether it says the opposite; None where no label of the set tells.
        allowed: whether the step may call it supported: no figure of it is missing.
        supported: score of support.
        contradicted: score of contradiction; None of a step that never says so.
    """

    right: Truths
    refuted: Truths | None
    allowed: Truths
    supported: Floats
    contradicted: Floats | None = None


@dataclass(frozen=True)
class Measured:
    """A step whose thresholds were fitted on one set, as it does on another.

    `precision`, `recall` and `balanced` are those of "supported" at the score of best balance. Of
    each side of the band: its bar, how often it was right, and in how many uses.
    """

    step: str
    fitted_on: str
    measured_on: str
    auc: float
    balanced: float
    precision: float
    recall: float
    bars: Mapping[str, tuple[float, int, int]]


def score_words(claims: Sequence[Claim], given: Sequence[Any]) -> Scored:
    """The first step, which every claim reaches.

    Args:
        claims: of a set.
        given: what words say of each.
    """
    scores = np.array([one.support for one in given])
    allowed = np.array([one.kind == "supported" or _fell_short(one) for one in given])
    return Scored(*_read_labels(claims), allowed, scores)


def _fell_short(given: Any) -> bool:
    """Whether its score alone kept a claim from being supported."""
    from citations.checked_sentence import NUMBER_REASONS

    barred = {*NUMBER_REASONS, "name"}
    return given.kind == "partial" and barred.isdisjoint(code for code, _ in given.reasons)


async def ask_step(
    role: Role, claims: Sequence[Claim], given: Sequence[Any]
) -> tuple[dict[int, Opinion], int]:
    """The opinions on the claims that words leave open, by place, and the tokens they took."""
    from citations.checked_sentence import is_undecided

    asked = [place for place, one in enumerate(given) if is_undecided(one)]
    opinions: dict[int, Opinion] = {}
    tokens = 0
    for first in range(0, len(asked), BATCH):
        places = asked[first : first + BATCH]
        spans = [given[place].span for place in places]
        items = [
            (claims[place].text, span.quote if span else "")
            for place, span in zip(places, spans, strict=True)
        ]
        said, calls = await judge_citations(role, items)
        tokens += sum(call["input_tokens"] + call["output_tokens"] for call in calls)
        opinions |= {place: one for place, one in zip(places, said, strict=True) if one}
    return opinions, tokens


def score_opinions(
    claims: Sequence[Claim], given: Sequence[Any], opinions: Mapping[int, Opinion]
) -> Scored:
    """A later step, on the claims that it gave an opinion of."""
    from citations.checked_sentence import NUMBER_REASONS

    places = sorted(opinions)
    scores = np.array([opinions[place].scores for place in places]).reshape(-1, 2)
    allowed = np.array(
        [all(code not in NUMBER_REASONS for code, _ in given[place].reasons) for place in places]
    )
    labels = _read_labels([claims[place] for place in places])
    return Scored(*labels, allowed, scores[:, 0], scores[:, 1])


def _read_labels(claims: Sequence[Claim]) -> tuple[Truths, Truths | None]:
    refuted = np.array([one.label in RIGHT["contradicted"] for one in claims])
    return np.array([one.right for one in claims]), refuted if refuted.any() else None


def fit_band(scored: Scored) -> Band:
    """The widest band outside which a step is right often enough, with uses enough, on a set."""
    support = np.where(scored.allowed, scored.supported, -1)
    against = NEVER
    if scored.contradicted is not None and scored.refuted is not None:
        against = _find_bar(scored.contradicted, scored.refuted)
    under = float(np.nextafter(-_find_bar(-scored.supported, ~scored.right), NEVER))
    return Band(_find_bar(support, scored.right), max(0.0, under), against, "")


def _find_bar(scores: Floats, right: Truths) -> float:
    """The lowest score from which on enough are right; one that never comes where there is none."""
    order = np.argsort(-scores, kind="stable")
    ordered, share = scores[order], np.cumsum(right[order]) / np.arange(1, len(scores) + 1)
    last = np.append(ordered[1:] != ordered[:-1], True)  # of those with one score
    good = last & (share >= MIN_PRECISION) & (np.arange(1, len(scores) + 1) >= MIN_USES)
    return float(ordered[np.flatnonzero(good)[-1]]) if good.any() else NEVER


def find_threshold(scored: Scored) -> float:
    """The score of support with the best balanced accuracy on a set."""
    tried = np.unique(np.quantile(scored.supported, np.linspace(0, 1, 201)))
    return float(max(tried, key=lambda bar: balanced(scored.right, _call(scored, bar))))


def _call(scored: Scored, bar: float) -> Truths:
    return scored.allowed & (scored.supported >= bar)


def measure_pairs(step: str, sets: Mapping[str, Scored], used: Band) -> list[Measured]:
    """A step on each set, with thresholds of each other set, and with those that are in use."""
    usable = {name: one for name, one in sets.items() if one.right.any() and not one.right.all()}
    fits = {name: (find_threshold(one), fit_band(one)) for name, one in usable.items()}
    fits["(in use)"] = BOUNDARY, used
    return [
        _measure((step, first, second), usable[second], *fits[first])
        for first, second in product(fits, usable)
        if first != second
    ]


def _measure(names: tuple[str, str, str], told: Scored, threshold: float, band: Band) -> Measured:
    called = _call(told, threshold)
    sure = _call(told, band.supported)
    bars = {"supported from": (band.supported, *_count(told.right, sure))}
    under = told.supported < band.unsupported
    bars["not under"] = (band.unsupported, *_count(~told.right, under))
    if told.contradicted is not None and told.refuted is not None:
        against = told.contradicted >= band.contradicted
        bars["contradicted from"] = (band.contradicted, *_count(told.refuted, against))
    return Measured(
        *names,
        auc(told.right, told.supported),
        balanced(told.right, called),
        float(told.right[called].mean()) if called.any() else 0.0,
        float(called[told.right].mean()),
        bars,
    )


def _count(right: Truths, called: Truths) -> tuple[int, int]:
    return int(right[called].sum()), int(called.sum())


def show_steps(measured: Sequence[Measured]) -> None:
    """Print the table of the steps, and that of their bands."""
    begin = f"{'step':<13}{'fitted on':<16}{'measured on':<16}"
    print(f"\n{begin}{'AUC':>7}{'balanced':>10}{'precision':>11}{'recall':>8}")
    for one in measured:
        print(
            f"{one.step:<13}{one.fitted_on:<16}{one.measured_on:<16}{one.auc:>7.3f}"
            f"{one.balanced:>10.3f}{one.precision:>11.3f}{one.recall:>8.3f}"
        )
    names = ("supported from", "not under", "contradicted from")
    print(f"\n{begin}" + "".join(f"{name:>19}{'right':>21}" for name in names))
    for one in measured:
        cells = (_tell_bar(*one.bars[name]) if name in one.bars else "" for name in names)
        print(f"{one.step:<13}{one.fitted_on:<16}{one.measured_on:<16}" + "".join(cells))


def _tell_bar(bar: float, right: int, uses: int) -> str:
    if bar in (0, NEVER):
        return f"{'never':>19}{'':>21}"
    share = f" ({right / uses:.2f})" if uses else ""
    return f"{bar:>19.3f}{f'{right} of {uses}{share}':>21}"
