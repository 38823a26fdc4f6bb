"""Numbers and dates of a claim that sentences about the same thing give otherwise."""

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from retrieval.analysis import content_weight, terms
from retrieval.facts import Facts
from retrieval.numbers import Quantity
from retrieval.stated import Reason

_CLAUSE_END = re.compile(r"[.;:,()!?。，；、！？\d\n]")
_COUNTED_CHARACTERS = 60
_COUNTED_WORDS = 3  # "16 new steam turbines"


def conflicts(
    claim: Facts, sentences: Sequence[Facts], missing: Collection[Reason]
) -> list[Reason]:
    """Find the figures that a source has not and that sentences of it give otherwise.

    A number does not stand with another one that counts the same in the same unit, unless one is
    the other rounded. A year or a date does not where claim and sentences each have just one.

    Args:
        claim: one sentence.
        sentences: of the source, those that hold most of the claim.
        missing: what the source has nowhere; see `Stated.missing_figures`.

    Returns:
        Those of `missing` that conflict, in order.
    """
    if not missing:
        return []
    asked = {one.value for one in claim.quantities}
    given = [(one, s) for s in sentences for one in s.quantities if one.value not in asked]
    other = {
        ("number", claim.text[mine.start : mine.end])
        for mine in claim.quantities
        if any(_opposes(mine, claim, one, sentence) for one, sentence in given)
        and not any(_rounded(mine, one) for one, _ in given)
    }
    other.update(_other_times(claim, sentences))
    return [reason for reason in missing if reason in other or reason[0] == "unit"]


def _opposes(mine: Quantity, claim: Facts, other: Quantity, sentence: Facts) -> bool:
    if mine.year or other.year or other.loose or mine.unit != other.unit:
        return False
    of_mine = _counted(claim.text, mine, claim.language)
    of_other = _counted(sentence.text, other, sentence.language)
    return bool(of_mine & of_other) or bool(mine.unit and not (of_mine and of_other))


def _rounded(one: Quantity, other: Quantity) -> bool:
    same = one.unit == other.unit
    return same and (_rounds(one.value, other.value) or _rounds(other.value, one.value))


def _other_times(claim: Facts, sentences: Sequence[Facts]) -> Iterator[Reason]:
    mine = _years(claim)
    others = {year for sentence in sentences for year, _ in _years(sentence)}
    if len(mine) == len(others) == 1 and mine[0][0] not in others:
        yield "date", mine[0][1]
        return
    days = [day for sentence in sentences for day in sentence.days]
    if len(claim.days) == len(days) == 1 and not claim.days[0].agrees(days[0]):
        yield "date", claim.text[claim.days[0].start : claim.days[0].end]


def _years(facts: Facts) -> list[tuple[int, str]]:
    years = [(int(one.value), one.start, one.end) for one in facts.quantities if one.year]
    years += [(day.year, day.start, day.end) for day in facts.days if day.year]
    return [(year, facts.text[start:end]) for year, start, end in years]


def _counted(text: str, quantity: Quantity, language: str) -> frozenset[str]:
    """The terms behind a number that say what it counts: three of content in the same clause."""
    behind = text[quantity.end : quantity.end + _COUNTED_CHARACTERS]
    if stop := _CLAUSE_END.search(behind):
        behind = behind[: stop.start()]
    content = [t for t in terms(behind, language) if content_weight(t, language) == 1]
    return frozenset(content[:_COUNTED_WORDS])


def _rounds(rough: Decimal, exact: Decimal) -> bool:
    """Whether a number is another one rounded, by at most a twentieth: 3.5 million of 3,512,445."""
    exponent = rough.normalize().as_tuple().exponent
    off = abs(rough - exact)
    return isinstance(exponent, int) and off <= min(
        Decimal(5).scaleb(exponent - 1), abs(exact) / 20
    )
