"""What a sentence says that can be checked: its numbers, dates, names, and what it negates."""

import string
from collections.abc import Callable, Sequence
from functools import cached_property

from retrieval.analysis import content_weight, terms
from retrieval.dates import Day, days
from retrieval.names import Name, names
from retrieval.numbers import Quantity, blanked, quantities
from retrieval.polarity import Polarity

_WIDE = {
    ord(sign) + 0xFEE0: sign for sign in string.ascii_letters + string.digits + "%.-"
}  # １２％ to 12%, but no comma: between numbers it parts them


class Facts:
    """The facts of a sentence, each kind read when it is first asked for.

    A date's figures are no numbers beside it, and what is a number is no part of a name.
    """

    def __init__(self, text: str, language: str, written: Callable[[], str] | None = None) -> None:
        """Args: text: a sentence. language: of its terms. written: tells its own if it differs."""
        self.text = text if text.isascii() else text.translate(_WIDE)
        self.language = language
        self._told = written

    @property
    def _written(self) -> str:
        return self._told() if self._told else self.language

    @cached_property
    def terms(self) -> Sequence[str]:
        """See `retrieval.analysis.terms`."""
        return terms(self.text, self.language)

    @cached_property
    def held(self) -> frozenset[str]:
        """The terms, each once."""
        return frozenset(self.terms)

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much of the subject each term carries; see `content_weight`."""
        return {term: content_weight(term, self.language) for term in dict.fromkeys(self.terms)}

    @cached_property
    def days(self) -> list[Day]:
        """See `retrieval.dates.days`."""
        return days(self.text, self._written)

    @cached_property
    def quantities(self) -> list[Quantity]:
        """See `retrieval.numbers.quantities`."""
        return quantities(blanked(self.text, self.days), self._written)

    @cached_property
    def figures(self) -> dict[str, frozenset[str]]:
        """The terms of each number and date, by its words."""
        found: list[Quantity | Day] = [*self.quantities, *self.days]
        written = {self.text[one.start : one.end] for one in found}
        return {words: frozenset(terms(words, self.language)) for words in written}

    @cached_property
    def names(self) -> list[Name]:
        """See `retrieval.names.names`."""
        return names(blanked(self.text, [*self.days, *self.quantities]), self._written)

    @cached_property
    def polarity(self) -> Polarity:
        """See `retrieval.polarity.Polarity`."""
        return Polarity(self.terms, self.language)
