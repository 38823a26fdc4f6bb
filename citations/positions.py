"""Sources that may speak against a sentence: with another number or day, or by denying it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

from citations.checked_sentence import CheckedSentence
from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages, SourceSentence
from citations.negation import weigh_agreement
from citations.origins.credits import find_attributions
from citations.rounding import is_rough, rounds_to
from citations.source_facts import SourceFacts
from schema.report import ConflictKind
from text.numbers import ORDINAL, Quantity
from text.tokens import tokenise

MIN_CLAIM_SHARE, MIN_SENTENCE_SHARE = 0.6, 0.5
"""Where numbers or days differ: the share of the sentence, but for these, that the other holds, and
of the other that the sentence holds. What only one of them says may tell two things apart."""

NEAR_TERMS = 3
"""Terms to either side of a number that say what it counts."""

MIN_NEAR_SHARE = 0.5
"""Share of the terms near a number that stand near the other."""

MAX_BALANCE = -0.5
"""Balance (`citations.negation.Balance`) at which a clause denies a claim."""

_CLAUSES = re.compile(r"[,;:]\s+|\s[–—]\s|\n+")
_DIGIT = re.compile(r"\d")
_QUESTION = re.compile(r"[?？؟][\s*_\"”»’)]*$")
_LACKING = (
    "lack lacks lacked lacking fail fails failed failing absent absence unable hardly barely "
    "without fehlt fehlen ohne kaum sin sans senza sem zonder"
)
_SHORT = 4  # words of a day: on 24 March 2020
_MOST_ROUGH = 2  # zeros at the end of a number that may be rounded
_AT_LEAST = re.compile(
    r"(?i)(?:more than|over|above|at least|mehr als|über|mindestens|plus de|au moins|más de|al "
    r"menos|oltre|più di|almeno|mais de|pelo menos)\s?[$€£]?$"
)
_EXAMPLE = re.compile(
    r"(?i)\b(?:such as|for example|e\.g\.|zum beispiel|z\. ?b\.|par exemple|por ejemplo|"
    r"ad esempio|por exemplo|bijvoorbeeld)[^;.]{0,20}$"
)
FEWEST_TERMS = 3
"""Words of content that a claim has in common with a sentence that may deny it: "after `BUSY` the
job was not taken" is said of one answer, and "jobs are still taken" of another."""

_PRONOUN = re.compile(
    r"(?i)\b(?:it|they|he|she|er|sie|es|il|elle|ils|elles|lui|lei|loro|ele|ela|eles|elas|hij|zij|ze)\b"
)
_FROM = re.compile(
    r"(?i)\b(?:from|since|after|as of|ab|seit|nach|dès|depuis|après|desde|a partir de|da|dal|dopo|"
    r"vanaf|sinds|na)(?: \w+)?\s$"
)
_BEFORE = re.compile(
    r"(?i)\b(?:before|until|till|prior to|older than|below|vor|bis|unter|avant|jusqu['’]à|antes de|"
    r"hasta|prima di|fino a|até|vóór|voor|tot)(?: \w+)?\s$"
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

    What a number of a table counts stands in the head of its column, so rows are not compared.
    Questions and lines of code say nothing.

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
        if not (backing and one.is_supported) or one.sentence.kind == "table":
            continue
        for number, source in others.items():
            read = [others[n] for n, _ in backing if n in others]
            said = _find_opposed(one, source, read, [quote for _, quote in backing])
            if said and (number, said[1]) not in seen:  # a summary says a thing once more
                seen.add((number, said[1]))
                against.append(OpposedPosition(place, number, said[1], said[0], *backing[0]))
    return against


def _find_opposed(
    one: CheckedSentence,
    source: SourcePassages,
    backing: Sequence[SourcePassages],
    quotes: Sequence[str],
) -> tuple[ConflictKind, str] | None:
    """What a source may say against a sentence, and in what it differs."""
    if source in backing:
        return None
    claim = _drop_attribution(SentenceFacts(one.claim, source.language))
    numbers = _list_number_terms(claim)
    plain = {term: w for term, w in claim.weights.items() if term not in numbers}
    whole = sum(plain.values())
    held = sum(w for term, w in plain.items() if term in source.terms)
    if not whole or held < MIN_CLAIM_SHARE * whole:
        return None  # a hundredth of the time that its sentences take
    for unit in (one for one in source.sentences if one.sentence.kind not in ("table", "code")):
        if kind := _find_other_claim(claim, plain, unit, source, backing, quotes):
            said = unit.passage.text[unit.sentence.start : unit.sentence.end]
            if not _QUESTION.search(said):
                return kind, said
    return None


def _find_other_claim(
    claim: SentenceFacts,
    plain: Mapping[str, float],
    unit: SourceSentence,
    source: SourcePassages,
    backing: Sequence[SourcePassages],
    quotes: Sequence[str],
) -> ConflictKind | None:
    """Whether a sentence says the same as a claim, but for a number or a day, or denies it."""
    common = unit.facts.unique_terms & plain.keys()
    if sum(plain[term] for term in common) < MIN_CLAIM_SHARE * sum(plain.values()):
        return None
    whole, clause = _drop_asides(_drop_attribution(unit.facts), plain)
    theirs = {t: w for t, w in clause.weights.items() if t not in _list_number_terms(clause)}
    if sum(theirs.get(term, 0) for term in common) < MIN_SENTENCE_SHARE * sum(theirs.values()):
        return None
    if source.facts.find_missing_names(claim) or _names_another(whole, claim, quotes, backing):
        return None
    if _stands_for_another(clause, plain):
        return None
    figure, day = _differ_in_figure(claim, clause), _differ_in_day(claim, clause)
    if figure and day is None:
        return "number"
    if day and figure is None and not _holds_day(claim, source):
        return "date"
    if figure is None and day is None and not source.facts.find_missing_numbers(claim):
        says_little = sum(plain[term] == 1 for term in common) < FEWEST_TERMS
        if says_little or _lies_beyond(claim, clause):
            return None
        balance = weigh_agreement(claim.polarity, [(clause.polarity, 1.0)])
        if balance.score <= MAX_BALANCE and not (_lacks(claim) or _lacks(clause)):
            denied = claim.polarity.negation_positions or clause.polarity.negation_positions
            return "negation" if denied else "opposite"
    return None


def _stands_for_another(clause: SentenceFacts, plain: Mapping[str, float]) -> bool:
    """Whether a pronoun of a sentence may stand for something else than a claim opens with."""
    opening = next((term for term, weight in plain.items() if weight == 1), "")
    return opening not in clause.weights and bool(_PRONOUN.search(clause.text))


def _lies_beyond(claim: SentenceFacts, clause: SentenceFacts) -> bool:
    """Whether two sentences speak of the two sides of one figure: from 1.9 on, and before 1.9."""
    mine, theirs = (
        {
            (one.value, is_after)
            for one in facts.quantities
            for is_after, bound in ((True, _FROM), (False, _BEFORE))
            if bound.search(facts.text[: one.start])
        }
        for facts in (claim, clause)
    )
    return any((value, not is_after) in theirs for value, is_after in mine)


def _lacks(facts: SentenceFacts) -> bool:
    """Whether a sentence negates by a verb, as in "lacks", that others say in other words."""
    known = _load_lacking(facts.language)
    return any(facts.terms[place] in known for place in facts.polarity.negation_positions)


@cache
def _load_lacking(language: str) -> frozenset[str]:
    return frozenset(tokenise(_LACKING, language))


def _drop_asides(
    said: SentenceFacts, plain: Mapping[str, float]
) -> tuple[SentenceFacts, SentenceFacts]:
    """A sentence without the parts that say nothing of a claim: with how it begins, and without."""
    clauses = [one for one in _CLAUSES.split(said.text) if one.strip()]
    kept = [any(plain.get(term) == 1 for term in tokenise(one, said.language)) for one in clauses]
    # a day or a number by itself belongs to what stands beside it: on 24 March, production began
    kept = [
        held or (_DIGIT.search(one) is not None and len(one.split()) <= _SHORT)
        for one, held in zip(clauses, kept, strict=True)
    ]
    inner = [one for one, held in zip(clauses, kept, strict=True) if held]
    opened = inner if not clauses or kept[0] else [clauses[0], *inner]
    return (
        SentenceFacts(", ".join(opened), said.language),
        SentenceFacts(", ".join(inner), said.language),
    )


def _names_another(
    said: SentenceFacts,
    claim: SentenceFacts,
    quotes: Sequence[str],
    backing: Sequence[SourcePassages],
) -> bool:
    """Whether a sentence names a thing or a year that neither the claim nor what backs it names."""
    backed = SourceFacts(
        [claim, *(SentenceFacts(one, claim.language) for one in quotes)], claim.language
    )
    if any(code == "name" for code, _ in backed.find_missing_names(said)):
        return True
    years = _list_years(said)
    if not years or _list_years(claim):
        return False
    known = {year for one in backing for unit in one.sentences for year in _list_years(unit.facts)}
    return years.isdisjoint(known)


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

    False where they cannot be compared: of several numbers one at least is the same in both.
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
    if len(different) == len(mine) > 1:
        return False
    values = {a.value for a in mine} & {b.value for b in theirs}
    return all(a.value not in values and _count_same(a, claim, b, said) for a, b in different)


def _list_figures(facts: SentenceFacts) -> list[Quantity]:
    """The numbers of a sentence that count or measure and are no examples, in order."""
    return [
        one
        for one in facts.quantities
        if not (one.is_loose or one.is_year or one.unit == ORDINAL)
        and not _EXAMPLE.search(facts.text[: one.start])
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
