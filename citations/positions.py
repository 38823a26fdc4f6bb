"""Sources that may speak against a sentence: with another number or day, or by denying it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from citations.check import NUMBER_REASONS, CheckedSentence
from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages, SourceSentence
from citations.origins.credits import find_attributions
from citations.rounding import is_rough, rounds_to
from citations.verdict import OTHERWISE, judge_claim
from schema.report import ConflictKind
from text.numbers import ORDINAL, Quantity
from text.tokens import tokenise

MIN_SUBJECT_SHARE = 0.75
"""Share of a sentence that what another source says must hold to be shown as speaking against it:
less, and it most often speaks of something else."""

MIN_CLAIM_SHARE, MIN_SENTENCE_SHARE = 0.7, 0.6
"""Where numbers or days differ: the share of the sentence, but for these, that the other holds, and
of the other that the sentence holds. What only one of them says may tell two things apart."""

NEAR_TERMS = 3
"""Terms to either side of a number that say what it counts."""

MIN_NEAR_SHARE = 0.5
"""Share of the terms near a number that stand near the other."""

_MOST_ROUGH = 2  # zeros at the end of a number that may be rounded
_AT_LEAST = re.compile(
    r"(?i)(?:more than|over|above|at least|mehr als|über|mindestens|plus de|au moins|más de|al "
    r"menos|oltre|più di|almeno|mais de|pelo menos)\s?[$€£]?$"
)
_AT_MOST = re.compile(
    r"(?i)(?:less than|fewer than|under|below|up to|at most|weniger als|unter|bis zu|höchstens|"
    r"moins de|jusqu['’]à|menos de|hasta|meno di|fino a|até)\s?[$€£]?$"
)


@dataclass(frozen=True)
class OpposedPosition:
    """A source that speaks against a sentence.

    `place` is the sentence's among those checked; `number` the source's and `quote` what it says;
    `held` is the number of a source that the sentence cites, `held_quote` what that says.
    """

    place: int
    number: int
    quote: str
    kind: ConflictKind
    held: int
    held_quote: str


def find_positions(
    found: Sequence[CheckedSentence], others: Mapping[int, SourcePassages]
) -> list[OpposedPosition]:
    """Sources that may speak against a sentence that another source supports.

    Args:
        found: the sentences of a text.
        others: all sources by number.
    """
    against: list[OpposedPosition] = []
    seen: set[tuple[int, str]] = set()
    for place, one in enumerate(found):
        backing = [
            (number, verdict.span.quote)
            for number, verdict in one.verdicts.items()
            if verdict.kind in ("supported", "partial") and verdict.span
        ]
        if not (backing and one.is_supported):
            continue
        for number, source in others.items():
            said = _find_opposed(one, source, [others[n] for n, _ in backing if n in others])
            if said and (number, said[1]) not in seen:  # a summary says a thing once more
                seen.add((number, said[1]))
                against.append(OpposedPosition(place, number, said[1], said[0], *backing[0]))
    return against


def _find_opposed(
    one: CheckedSentence, source: SourcePassages, backing: Sequence[SourcePassages]
) -> tuple[ConflictKind, str] | None:
    """What a source may say against a sentence, and in what it differs."""
    claim = SentenceFacts(one.claim, source.language)
    numbers = _list_number_terms(claim)
    plain = {term: w for term, w in claim.weights.items() if term not in numbers}
    whole = sum(plain.values())
    held = sum(w for term, w in plain.items() if term in source.terms)
    if not whole or held < min(MIN_CLAIM_SHARE, MIN_SUBJECT_SHARE) * whole:
        return None  # a hundredth of a verdict's time
    if source not in backing:
        for unit in source.sentences:
            if kind := _find_other_figure(claim, plain, unit, source, backing):
                return kind, unit.passage.text[unit.sentence.start : unit.sentence.end]
    return _find_other_words(one.claim, claim, source)


def _find_other_words(
    text: str, claim: SentenceFacts, source: SourcePassages
) -> tuple[ConflictKind, str] | None:
    """What a source may deny or say the opposite of.

    A source that lacks a number of a claim speaks of another part of it.
    """
    whole = sum(claim.weights.values()) or 1.0
    known = sum(w for term, w in claim.weights.items() if term in source.terms)
    if known < MIN_SUBJECT_SHARE * whole:
        return None
    verdict = judge_claim(text, source)
    codes = {code for code, _ in verdict.reasons}
    if codes.isdisjoint(OTHERWISE) or not codes.isdisjoint(NUMBER_REASONS):
        return None
    if not verdict.span or verdict.span.share < MIN_SUBJECT_SHARE:
        return None
    return "negation" if "negation" in codes else "opposite", verdict.span.quote


def _find_other_figure(
    claim: SentenceFacts,
    plain: Mapping[str, float],
    unit: SourceSentence,
    source: SourcePassages,
    backing: Sequence[SourcePassages],
) -> ConflictKind | None:
    """Whether a sentence says the same as a claim, but for a number or a day."""
    said = unit.facts
    common = said.unique_terms & plain.keys()
    if sum(plain[term] for term in common) < MIN_CLAIM_SHARE * sum(plain.values()):
        return None
    if not (said.quantities or said.dates) or not (claim.quantities or claim.dates):
        return None
    other = _drop_attribution(said)
    theirs = {t: w for t, w in other.weights.items() if t not in _list_number_terms(other)}
    if sum(theirs.get(term, 0) for term in common) < MIN_SENTENCE_SHARE * sum(theirs.values()):
        return None
    if source.facts.find_missing_names(claim) or any(
        one.facts.find_missing_names(other) for one in backing[:1]
    ):
        return None
    figure, day = _differ_in_figure(claim, said), _differ_in_day(claim, said)
    if figure and day is None:
        return "number"
    if day and figure is None and not _holds_day(claim, source):
        return "date"
    return None


def _drop_attribution(said: SentenceFacts) -> SentenceFacts:
    """A sentence without the names of whom it has it from."""
    text = said.text
    for name in find_attributions(text):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return said if text == said.text else SentenceFacts(text, said.language)


def _list_number_terms(facts: SentenceFacts) -> set[str]:
    return set().union(*facts.number_terms.values())


def _differ_in_figure(claim: SentenceFacts, said: SentenceFacts) -> bool | None:
    """Whether two sentences give another number for one thing; None where they give the same.

    False where they cannot be compared.
    """
    mine, theirs = _list_figures(claim), _list_figures(said)
    if not mine and not theirs:
        return None
    if len(mine) != len(theirs) or any(a.unit != b.unit for a, b in zip(mine, theirs, strict=True)):
        return False
    different = [
        (a, b) for a, b in zip(mine, theirs, strict=True) if not _agree(a, claim.text, b, said.text)
    ]
    if not different:
        return None
    values = {a.value for a in mine} & {b.value for b in theirs}
    return all(a.value not in values and _count_same(a, claim, b, said) for a, b in different)


def _list_figures(facts: SentenceFacts) -> list[Quantity]:
    """The numbers of a sentence that count or measure, in order."""
    return [
        one for one in facts.quantities if not (one.is_loose or one.is_year or one.unit == ORDINAL)
    ]


def _agree(one: Quantity, text: str, other: Quantity, other_text: str) -> bool:
    """Whether two numbers may be one: as they are rounded, or as bounds of each other."""
    for a, a_text, b, b_text in ((one, text, other, other_text), (other, other_text, one, text)):
        rough = is_rough(a_text, a) or a.power > 0 or _count_zeros(a) >= _MOST_ROUGH
        before = a_text[max(0, a.start - 24) : a.start]
        if rounds_to(b.value, a.value, rough=rough):
            return True
        if _AT_LEAST.search(before) and (b.value >= a.value or _AT_LEAST.search(b_text)):
            return True
        if _AT_MOST.search(before) and b.value <= a.value:
            return True
    return False


def _count_zeros(one: Quantity) -> int:
    return max(0, int(one.value.normalize().as_tuple().exponent))


def _count_same(one: Quantity, claim: SentenceFacts, other: Quantity, said: SentenceFacts) -> bool:
    """Whether two numbers stand beside the same words."""
    mine, theirs = (set(_list_near(q, f)) for q, f in ((one, claim), (other, said)))
    return bool(mine and theirs) and len(mine & theirs) >= MIN_NEAR_SHARE * min(
        len(mine), len(theirs)
    )


def _list_near(one: Quantity, facts: SentenceFacts) -> Iterator[str]:
    """The terms of content near a number."""
    before = list(tokenise(facts.text[: one.start], facts.language))[::-1]
    behind = tokenise(facts.text[one.end :], facts.language)
    numbers = _list_number_terms(facts)
    for side in (before, behind):
        content = [t for t in side if facts.weights.get(t, 0) == 1 and t not in numbers]
        yield from content[:NEAR_TERMS]


def _differ_in_day(claim: SentenceFacts, said: SentenceFacts) -> bool | None:
    """Whether two sentences name another day or year; None where they agree or one names none."""
    mine, theirs = _list_years(claim), _list_years(said)
    if mine and theirs and mine.isdisjoint(theirs):
        return True
    pairs = list(zip_longest(claim.dates, said.dates))
    if not claim.dates or not said.dates:
        return None
    agreed = any(a.agrees_with(b) or b.agrees_with(a) for a in claim.dates for b in said.dates)
    return None if agreed else len(pairs) == len(claim.dates) == len(said.dates)


def _list_years(facts: SentenceFacts) -> set[int]:
    years = {int(one.value) for one in facts.quantities if one.is_year}
    return years | {one.year for one in facts.dates if one.year}


def _holds_day(claim: SentenceFacts, source: SourcePassages) -> bool:
    """Whether a source names a day or a year of a claim at another place."""
    years = {year for unit in source.sentences for year in _list_years(unit.facts)}
    if claim.dates:
        return any(source.facts.holds_date(one) for one in claim.dates)
    return not years.isdisjoint(_list_years(claim))
