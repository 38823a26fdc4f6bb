"""What a source states in numbers, dates and names, and what of a claim is not among it."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property

from retrieval.dates import Day, months
from retrieval.facts import Facts
from retrieval.names import acronym, missing_words
from retrieval.numbers import NTH

Reason = tuple[str, str]
"""A code and the words concerned: ("number", "37 %"), ("name", "Marie Curie")."""


class Stated:
    """The facts of all sentences of a source, read when a claim first needs them."""

    def __init__(self, sentences: Sequence[Facts], language: str) -> None:
        """Args: sentences: of the source. language: of their terms."""
        self._sentences = sentences
        self._language = language

    def missing_figures(self, claim: Facts) -> list[Reason]:
        """The numbers and dates of a claim that the source has nowhere, or in another unit only.

        "One" and its like are not asked for, and half of a thing may be 50 % of it in the source. A
        date is found where the source names all of it; its year may stand apart.

        Returns:
            Reasons with the code "number", "unit" or "date", in order, each once.
        """
        found: list[tuple[int, Reason]] = []
        for quantity in claim.quantities:
            written = claim.text[quantity.start : quantity.end]
            if quantity.loose or (not quantity.unit and quantity.value in self._years):
                continue
            if any(self._has(value, unit) for value, unit in quantity.forms()):
                continue
            elsewhere = self._figures.get(quantity.value, set()) - {NTH}
            code = "unit" if elsewhere else "date" if quantity.year else "number"
            found.append((quantity.start, (code, written)))
        found += [
            (day.start, ("date", claim.text[day.start : day.end]))
            for day in claim.days
            if not any(self._tells(day, other) for other in self._days)
        ]
        return list(dict.fromkeys(reason for _, reason in sorted(found)))

    def _has(self, value: Decimal, unit: str) -> bool:
        """Whether a number stands in the source, in this unit or in none; the third is no three."""
        units = self._figures.get(value, set())
        return bool(units & {unit, ""} if unit else units - {NTH})

    def _tells(self, day: Day, other: Day) -> bool:
        known = day.year is None or other.year is not None or day.year in self._years
        return known and day.agrees(other)

    def missing_names(self, claim: Facts) -> list[Reason]:
        """The words of a claim's names that the source has nowhere; months may stand in its dates.

        Returns:
            Reasons with the code "name", or "acronym" where the source may write it in full.
        """
        told = {day.month for day in self._days}
        return [
            ("acronym" if acronym(word) else "name", word)
            for name in claim.names
            for word in missing_words(name, self._terms, self._text, self._language)
            if months(self._language).get(word) not in told
        ]

    @cached_property
    def _terms(self) -> set[str]:
        return {term for sentence in self._sentences for term in sentence.held}

    @cached_property
    def _text(self) -> str:
        return "\n".join(sentence.text for sentence in self._sentences)

    @cached_property
    def _figures(self) -> dict[Decimal, set[str]]:
        """The units that each value stands with; "one" may be a pronoun and is no 1."""
        found: defaultdict[Decimal, set[str]] = defaultdict(set)
        for sentence in self._sentences:
            for quantity in sentence.quantities:
                for value, unit in () if quantity.loose else quantity.forms():
                    found[value].add(unit)
        return found

    @cached_property
    def _days(self) -> list[Day]:
        return [day for sentence in self._sentences for day in sentence.days]

    @cached_property
    def _years(self) -> set[int]:
        years = {day.year for day in self._days if day.year}
        numbers = (q for sentence in self._sentences for q in sentence.quantities if q.year)
        return years | {int(number.value) for number in numbers}
