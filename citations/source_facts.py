"""What a source states in numbers, dates and names, and what of a claim is not among it."""

import re
from collections import defaultdict
from collections.abc import Collection, Container, Sequence
from decimal import Decimal
from functools import cached_property

from citations.arithmetic import MILLION, Group, find_results
from citations.claim_facts import SentenceFacts
from citations.formulas import CONVERSIONS, find_formulas
from citations.given_numbers import find_next_days
from citations.rounding import is_rough, rounds_to
from text.dates import DateMention, load_month_names
from text.names import find_missing_words, is_acronym
from text.numbers import ORDINAL, Quantity
from text.units import TIME

_NO_TWO = re.compile(r"\b(?:no|keine|never) (?:two|zwei)$", re.IGNORECASE)
"""Says something of each pair, and counts nothing."""

_CODE = re.compile(r"`[^`]+`")
_LISTED = re.compile(r"(?<=[:(（：])[^:();（）：；]+")
_LIST_COMMA = re.compile(r",? (?:and|or|und|oder|et|ou|y|o|e|en|of) |, |、|和|と")

_MONTH = re.compile(r"[^\W\d_]{3,}")

_MINUTES = re.compile(r"\dm$")
"""Metres, or the minutes of a setting, as in "15m"."""

_STANDS_ALONE = re.compile(r"\s*(?:[.,;:)]|(?:and|or|are|is|were|was|und|oder|ist|sind|waren?)\b)")
"""Behind an ordinal that points to something named in the text: "the second and third are"."""

Reason = tuple[str, str]
"""A code and the words concerned: ("number", "37 %"), ("name", "Marie Curie")."""


class SourceFacts:
    """The facts of all sentences of a source, read when a claim first needs them."""

    def __init__(self, sentences: Sequence[SentenceFacts], language: str) -> None:
        """Args: sentences: of the source. language: of their terms."""
        self._sentences = sentences
        self._language = language

    def find_missing_numbers(self, claim: SentenceFacts) -> list[Reason]:
        """The numbers and dates of a claim that the source has nowhere, or in another unit only.

        "One" and its like are not asked for, half of a thing may be 50 % of it in the source, and
        what two other numbers of the claim come to needs no source, nor a count in words of what
        the claim lists. A date is found where the
        source names all of it; its year may stand apart.

        Returns:
            Reasons with the code "number", "unit" or "date", in order, each once.
        """
        return find_lacking_numbers([self], claim)

    def holds_date(self, date: DateMention) -> bool:
        """Whether a date of a claim stands in the source."""
        return any(self._is_same_date(date, other) for other in self._dates)

    def holds_bare_month(self, date: DateMention, words: str) -> bool:
        """Whether the source speaks of a claim's month without its year, which it has elsewhere.

        "In January" of an article of February 2025 is January 2025. The name stands within a
        sentence and without a number, for "May" may begin one.

        Args:
            date: of a month.
            words: of the claim for it, as in "January 2025".
        """
        name = _MONTH.search(words)
        if date.day is not None or date.year not in self._years or name is None:
            return False
        return bool(re.search(rf"(?<=\w ){name.group()}\b(?! \d)", self._text))

    @cached_property
    def values(self) -> Collection[Decimal]:
        """The numbers that stand in the source, also in other units, and the years of its dates."""
        return {*self._units_by_value, *map(Decimal, self._years)}

    def list_units(self, value: Decimal) -> set[str]:
        """The units that a number stands with, but for ordinals and lengths of time."""
        return self._units_by_value.get(value, set()) - {ORDINAL, TIME}

    def holds_number(self, quantity: Quantity, text: str) -> bool:
        """Whether a number of a claim stands in the source, or needs none.

        "About 40 %" stands there as 37.5 %.
        """
        if _NO_TWO.search(text, max(0, quantity.end - len("keine zwei")), quantity.end):
            return True
        if quantity.unit == ORDINAL and _STANDS_ALONE.match(text, quantity.end):
            return True
        if quantity.is_loose or (not quantity.unit and quantity.value in self._years):
            return True
        if (
            not quantity.unit
            and 0 < quantity.value < 1
            and self._has_number(quantity.value * 100, "%")
        ):
            return True
        if quantity.unit == "%" and self._has_share(quantity.value / 100):
            return True
        if any(self._has_number(value, unit) for value, unit in quantity.equivalents()):
            return True
        return is_rough(text, quantity) and any(
            rounds_to(value, quantity.value, rough=True) and quantity.unit in units
            for value, units in self._units_by_value.items()
        )

    def holds_scaled(self, value: Decimal) -> bool:
        """Whether a number of millions or more stands in the source that is this many of them."""
        return any(
            value.scaleb(power) >= MILLION and value.scaleb(power) in self._units_by_value
            for power in (3, 6)
        )

    def _has_number(self, value: Decimal, unit: str) -> bool:
        """Whether a number stands in the source, in this unit or in none; the third is no three."""
        units = self._units_by_value.get(value, set())
        return bool(units & {unit, ""} if unit else units - {ORDINAL, TIME})

    def _has_share(self, value: Decimal) -> bool:
        """Whether a part of one stands in the source without a unit, as in a ratio of 0.75."""
        return 0 < value < 1 and "" in self._units_by_value.get(value, ())

    def _is_same_date(self, date: DateMention, other: DateMention) -> bool:
        known = date.year is None or other.year is not None or date.year in self._years
        return known and date.agrees_with(other)

    def find_missing_names(self, claim: SentenceFacts) -> list[Reason]:
        """The words of a claim's names that the source has nowhere; months may stand in its dates.

        Returns:
            Reasons with the code "name", or "acronym" where the source may write it in full.
        """
        months = {date.month for date in self._dates}
        return [
            ("acronym" if is_acronym(word) else "name", word)
            for name in claim.names
            for word in find_missing_words(name, self._terms, self._text, self._language)
            if load_month_names(self._language).get(word) not in months
        ]

    @cached_property
    def _terms(self) -> set[str]:
        return {term for sentence in self._sentences for term in sentence.unique_terms}

    @cached_property
    def _text(self) -> str:
        return "\n".join(sentence.text for sentence in self._sentences)

    @cached_property
    def _units_by_value(self) -> dict[Decimal, set[str]]:
        """The units that each value stands with; "one" may be a pronoun and is no 1."""
        found: defaultdict[Decimal, set[str]] = defaultdict(set)
        for sentence in self._sentences:
            for quantity in sentence.quantities:
                for value, unit in () if quantity.is_loose else quantity.equivalents():
                    found[value].add(unit)
                if quantity.unit == "m" and _MINUTES.search(
                    sentence.text, quantity.start, quantity.end
                ):
                    found[quantity.value].add("min")
                    found[quantity.value * 60_000].add(TIME)
        return found

    @cached_property
    def _dates(self) -> list[DateMention]:
        return [date for sentence in self._sentences for date in sentence.dates]

    @cached_property
    def _years(self) -> set[int]:
        years = {date.year for date in self._dates if date.year}
        numbers = (q for sentence in self._sentences for q in sentence.quantities if q.is_year)
        return years | {int(number.value) for number in numbers}


def find_lacking_numbers(
    sources: Sequence[SourceFacts],
    claim: SentenceFacts,
    given: Sequence[Group] = (),
    *,
    totals: Container[Decimal] = (),
    assumed: Group = (),
) -> list[Reason]:
    """The numbers and dates of a claim that none of several sources has.

    What its other numbers come to may take one of them from each source.

    Args:
        sources: those that it cites, one at least.
        claim: a sentence.
        given: the numbers of each of the cited sentences before it; see `find_results`.
        totals: what the columns of a table or list before it add up to.
        assumed: its numbers that nobody has to bear out, nor what they are in other units.

    Returns:
        See `SourceFacts.find_missing_numbers`.
    """
    text = claim.text
    found: list[tuple[int, Reason]] = []
    converted = {one.value * factor for one in assumed for factor in CONVERSIONS if one.value}
    operands = {x for one in find_formulas(text, claim.quantities) for x in one.operands}
    held = {
        q: q in assumed
        or (q.value in totals and not q.is_year)
        or q.value in converted
        or (q.value in operands and any(one.holds_scaled(q.value) for one in sources))
        or any(one.holds_number(q, text) for one in sources)
        for q in claim.quantities
    }
    missing = [quantity for quantity, stands in held.items() if not stands]
    known = [quantity for quantity, stands in held.items() if stands]
    worked_out = find_results(text, missing, known, given) if missing else []
    for quantity in missing:
        written = text[quantity.start : quantity.end]
        counts = written.isalpha() and quantity.value == count_listed(text)
        if quantity in worked_out or counts:
            continue
        elsewhere = any(one.list_units(quantity.value) for one in sources)
        code = "unit" if elsewhere else "date" if quantity.is_year else "number"
        found.append((quantity.start, (code, written)))
    found += [
        (date.start, ("date", text[date.start : date.end]))
        for date in claim.dates
        if not any(
            one.holds_date(day)
            for one in sources
            for day in (date, *find_next_days(text, date, claim.language))
        )
        and not any(one.holds_bare_month(date, text[date.start : date.end]) for one in sources)
    ]
    return list(dict.fromkeys(reason for _, reason in sorted(found)))


def count_listed(text: str) -> int:
    """How many things a sentence names as code, or lists behind a colon or in brackets; else 0."""
    if codes := set(_CODE.findall(text)):
        return len(codes)
    listed = _LISTED.search(text)
    return 1 + len(_LIST_COMMA.findall(listed[0])) if listed else 0
