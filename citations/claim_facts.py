"""What a sentence says that can be checked: its numbers, dates, names, and what it negates."""

import re
import string
from collections.abc import Callable, Sequence
from functools import cached_property

from citations.negation import Polarity
from text.code_names import CODE
from text.dates import DateMention, find_dates
from text.names import NameMention, find_names
from text.numbers import Quantity, blank_out, find_quantities
from text.tokens import content_weight, tokenise

_FULL_WIDTH = {
    ord(character) + 0xFEE0: character for character in string.ascii_letters + string.digits + "%.-"
}  # １２％ to 12%, but no comma: between numbers it parts them

_LINE_END = re.compile(r"[ \t]*\n\s*")
"""A line of a page may end within a number: half\\n a gigabyte."""

_CLAUSE_END = re.compile(r"[;:] |, (?=while\b|whereas\b)")
"""Where a negation ends: what is behind it is another clause."""


_NAMING = re.compile(rf"^\|[^|]*\||{CODE.pattern}")

_HOMONYMS = frozenset({"hard", "bare"})

_VERSION = re.compile(r"(\b[A-Z]\w+) (\d+(?:\.\d+)*)(?![\w.,]*\d|\s*%)")
"""A name and its number: PostgreSQL 15, Windows 11."""


def drop_versions(text: str, subject: str) -> str:
    """A sentence without the numbers of names that its subject names with them.

    Where a report is about PostgreSQL 15, no source has to say 15.
    """
    known = {found.group() for found in _VERSION.finditer(subject)}
    return _VERSION.sub(lambda found: found[1] if found.group() in known else found.group(), text)


class SentenceFacts:
    """The facts of a sentence, each kind read when it is first asked for.

    A date's digits are no numbers beside it, and what is a number is no part of a name.
    """

    def __init__(self, text: str, language: str, written: Callable[[], str] | None = None) -> None:
        """Args: text: a sentence. language: of its terms. written: tells its own if it differs."""
        text = _LINE_END.sub(" ", text)
        self.text = text if text.isascii() else text.translate(_FULL_WIDTH)
        self.language = language
        self._detect_language = written

    @property
    def _own_language(self) -> str:
        return self._detect_language() if self._detect_language else self.language

    @cached_property
    def terms(self) -> Sequence[str]:
        """See `text.tokens.tokenise`."""
        return tokenise(self.text, self.language)

    @cached_property
    def unique_terms(self) -> frozenset[str]:
        """The terms, each once."""
        return frozenset(self.terms)

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much of the subject each term carries; see `content_weight`."""
        return {term: content_weight(term, self.language) for term in dict.fromkeys(self.terms)}

    @cached_property
    def dates(self) -> list[DateMention]:
        """See `text.dates.find_dates`."""
        return find_dates(self.text, self._own_language)

    @cached_property
    def quantities(self) -> list[Quantity]:
        """See `text.numbers.find_quantities`."""
        return find_quantities(blank_out(self.text, self.dates), self._own_language)

    @cached_property
    def number_terms(self) -> dict[str, frozenset[str]]:
        """The terms of each number and date, by its words."""
        found: list[Quantity | DateMention] = [*self.quantities, *self.dates]
        written = {self.text[one.start : one.end] for one in found}
        return {words: frozenset(tokenise(words, self.language)) for words in written}

    @cached_property
    def names(self) -> list[NameMention]:
        """See `text.names.find_names`."""
        return find_names(blank_out(self.text, [*self.dates, *self.quantities]), self._own_language)

    @cached_property
    def polarity(self) -> Polarity:
        """See `citations.negation.Polarity`."""
        clauses = [len(tokenise(one, self.language)) for one in _CLAUSE_END.split(self.text)]
        return Polarity(
            self.terms,
            self.language,
            clauses if sum(clauses) == len(self.terms) else (),
            self._find_name_positions() | self._find_homonyms(),
        )

    def _find_homonyms(self) -> frozenset[int]:
        """The positions of words whose term is that of one that negates: "hard", "hardly"."""
        if _HOMONYMS.isdisjoint(self.terms):
            return frozenset()
        words = tokenise(self.text)
        return frozenset(n for n, word in enumerate(words) if word in _HOMONYMS)

    def _find_name_positions(self) -> frozenset[int]:
        """The positions of terms that name: code and the head of a row ("| none | 7.9 |")."""
        positions: set[int] = set()
        at = count = 0
        for name in _NAMING.finditer(self.text):
            count += len(tokenise(self.text[at : name.start()], self.language))
            inside = len(tokenise(name[0], self.language))
            positions.update(range(count, count + inside))
            at, count = name.end(), count + inside
        rest = len(tokenise(self.text[at:], self.language)) if positions else 0
        return frozenset(positions) if count + rest == len(self.terms) else frozenset()
