"""What a source states in numbers, dates and names, and what of a claim is not among it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from itertools import permutations

from citations.claim_facts import SentenceFacts
from text.dates import DateMention, load_month_names
from text.names import find_missing_words, is_acronym
from text.numbers import ORDINAL, Quantity
from text.units import TIME

_MOST_OPERANDS = 6
"""Numbers of a sentence that are reckoned with: of more, two come to nearly any third."""

_CODE = re.compile(r"`[^`]+`")
_LISTED = re.compile(r"(?<=[:(（：])[^:();（）：；]+")
_LIST_COMMA = re.compile(r",? (?:and|or|und|oder|et|ou|y|o|e|en|of) |, |、|和|と")

_MINUTES = re.compile(r"\dm$")
"""Metres, or the minutes of a setting, as in "15m"."""

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
        found: list[tuple[int, Reason]] = []
        missing = [one for one in claim.quantities if not self._holds(one)]
        results = derive_numbers([one for one in claim.quantities if one not in missing])
        for quantity in missing:
            written = claim.text[quantity.start : quantity.end]
            if quantity.value in results and not quantity.is_year:
                continue
            if written.isalpha() and quantity.value == count_listed(claim.text):
                continue
            elsewhere = self._units_by_value.get(quantity.value, set()) - {ORDINAL, TIME}
            code = "unit" if elsewhere else "date" if quantity.is_year else "number"
            found.append((quantity.start, (code, written)))
        found += [
            (date.start, ("date", claim.text[date.start : date.end]))
            for date in claim.dates
            if not any(self._is_same_date(date, other) for other in self._dates)
        ]
        return list(dict.fromkeys(reason for _, reason in sorted(found)))

    def _holds(self, quantity: Quantity) -> bool:
        """Whether a number of a claim stands in the source, or needs none."""
        if quantity.is_loose or (not quantity.unit and quantity.value in self._years):
            return True
        return any(self._has_number(value, unit) for value, unit in quantity.equivalents())

    def _has_number(self, value: Decimal, unit: str) -> bool:
        """Whether a number stands in the source, in this unit or in none; the third is no three."""
        units = self._units_by_value.get(value, set())
        return bool(units & {unit, ""} if unit else units - {ORDINAL, TIME})

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


def count_listed(text: str) -> int:
    """How many things a sentence names as code, or lists behind a colon or in brackets; else 0."""
    if codes := set(_CODE.findall(text)):
        return len(codes)
    listed = _LISTED.search(text)
    return 1 + len(_LIST_COMMA.findall(listed[0])) if listed else 0


def derive_numbers(known: Sequence[Quantity]) -> set[Decimal]:
    """What two numbers come to: sum, difference, product, quotient, or a percentage of the other.

    "70 % of 20,000, which is 14,000" is reckoned from what the source has. None where there are
    many numbers: chance would hit.
    """
    counted = [one for one in known if not one.is_loose and not one.is_year]
    results: set[Decimal] = set()
    if len(counted) > _MOST_OPERANDS:
        return results
    for one, other in permutations(counted, 2):
        a, b = one.value, other.value
        results |= {a + b, a - b, a * b}
        if b:
            results.add(a / b)
        if one.unit == "%":
            results.add(a * b / 100)
    return results
