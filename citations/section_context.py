"""What the cited sentences of a section say, for those that do not cite."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from citations.arithmetic import comes_of
from citations.claim_facts import SentenceFacts
from citations.content_terms import find_content_terms, has_kin
from citations.evidence_span import SourcePassages
from citations.given_numbers import find_assumed, list_columns
from citations.grounds import list_worked_out, reckon_sums, reckon_written
from citations.markers import strip_markers
from citations.negation import weigh_agreement
from citations.source_facts import SourceFacts, find_lacking_numbers
from citations.verdict import MAX_OPPOSED_BALANCE
from text.code_names import find_code
from text.numbers import Quantity

MAX_COUNT = 10
"""Largest number in words that may count what the text itself names: "three reasons"."""

MIN_DENIED_SHARE = 0.6
"""Share of a sentence's words that a cited one has that says the opposite of it."""

MAX_NEIGHBOURS = 6
"""Numbers of neighbours that a sentence is shown to follow from."""

_NO_REASON = re.compile(r"\bno (?=(?:good )?(?:reason|need|cause|point)\b)", re.IGNORECASE)
"""Says what need not be done, and denies nothing."""

_CONDITION = re.compile(r"\b(?:when|once|until|unless|if)\b[^,;:]*", re.IGNORECASE)
"""Says under what condition something holds or is done, not that it is so."""

_THESE = re.compile(
    r"\b(?:these|those|all|diese[nr]?|jene[nr]?|alle[nr]?|ces|(?:tou(?:te)?s )?les|est[ao]s|"
    r"of the|von den|es[ao]s|tod[ao]s l[ao]s|quest[ie]|tutt[ie] (?:e|gli|le)|estes|deze|alle)\s+$",
    re.IGNORECASE,
)

_PLACE = re.compile(
    r"\b(?:table|tab\.|figure|fig\.|section|step|chart|Tabelle|Abbildung|Abschnitt|Schritt|tableau|"
    r"étape|tabla|figura|paso|tabella|passo|tabela|tabel|stap) (\d{1,2})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class CitingSentence:
    """A sentence that cites `numbers`, its place in the section, and what say of it."""

    place: int
    text: str
    numbers: tuple[int, ...]
    quotes: str = ""


@dataclass(frozen=True)
class _Ground:
    """What a sentence that cites gives to those that follow from it."""

    place: int
    numbers: tuple[int, ...]
    facts: SentenceFacts
    terms: frozenset[str]


_UNIT = re.compile(r"(?<=\d)\s+(?=[a-zµ%])")
_NAMED = re.compile(r"[\w.]*(?:_|\d)[\w.]*")


class SectionContext:
    """What the sentences of a section that cite say, for those that do not."""

    def __init__(
        self,
        cited: Iterable[CitingSentence],
        sources: Mapping[int, SourcePassages],
        language: str,
        subject: str = "",
    ) -> None:
        """Args: cited: in order. sources: what was read of each number. subject: of all."""
        cited = list(cited)
        self.language = language
        self._cited = [
            _Ground(
                one.place,
                one.numbers,
                facts,
                find_content_terms(f"{facts.text} {one.quotes}", language),
            )
            for one in cited
            for facts in [SentenceFacts(strip_markers(one.text), language)]
        ]
        self._sources = [
            sources[n] for n in {n for one in self._cited for n in one.numbers} if n in sources
        ]
        self._texts = [subject, *(one.text for one in cited)]
        self._subject = find_content_terms(subject, language)
        self._subject_facts = SentenceFacts(subject, language)

    @cached_property
    def _columns(self) -> list[list[Quantity]]:
        rows = tuple(one.facts.text for one in self._cited if one.facts.text.startswith("|"))
        return list_columns(rows, self.language)

    @cached_property
    def _terms(self) -> frozenset[str]:
        return self._subject.union(*(one.terms for one in self._cited))

    @cached_property
    def _source_terms(self) -> frozenset[str]:
        return find_content_terms(self._whole_text, self.language)

    @cached_property
    def _facts(self) -> SourceFacts:
        return SourceFacts(
            [self._subject_facts, *(one.facts for one in self._cited)], self.language
        )

    @cached_property
    def _whole_text(self) -> str:
        read = (unit.facts.text for one in self._sources for unit in one.sentences)
        return "\n".join([*self._texts, *read]).casefold()

    @cached_property
    def _closed_text(self) -> str:
        """The whole text with its units right behind the figures, as code has them."""
        return _UNIT.sub("", self._whole_text)

    def has_new_facts(
        self, said: SentenceFacts, *, trusts_sums: bool = False, sums: Sequence[str] = ()
    ) -> bool:
        """Whether a sentence has a figure, a date, a name or code that is nowhere here.

        Args:
            said: the sentence.
            trusts_sums: take for known what any two of the numbers come to.
            sums: how its writer says that figures are worked out.
        """
        if not all(self._holds_code(one, apart=trusts_sums) for one in find_code(said.text)):
            return True
        counts = {said.text[q.start : q.end] for q in said.quantities if is_count(q, said.text)}
        counts |= find_place_numbers(said.text)
        known = [self._facts, *(one.facts for one in self._sources)]
        groups = [*(one.facts.quantities for one in self._cited), *self._columns]
        cited = {q.value for group in groups for q in group if not q.is_year}
        counts |= list_worked_out(said, reckon_written(said, cited))
        if trusts_sums:
            values = {*cited, *(q.value for q in self._subject_facts.quantities)}
            counts |= {
                said.text[q.start : q.end]
                for q in said.quantities
                if comes_of(q.value, values - {q.value})
            }
            values.update(q.value for q in find_assumed(said, self._subject_facts))
            values.update(value for one in self._sources for value in one.facts.values if sums)
            counts |= list_worked_out(said, reckon_sums(sums, values, self.language))
        numbers = set.intersection(*(set(one.find_missing_numbers(said)) for one in known))
        if numbers:
            assumed = find_assumed(said, self._subject_facts)
            numbers &= set(find_lacking_numbers(known, said, groups, assumed=assumed))
        if any(words not in counts for _, words in numbers):
            return True
        names = set.intersection(*(set(one.find_missing_names(said)) for one in known))
        code = " ".join(find_code(said.text)) if trusts_sums else ""  # its names are known by now
        return any(
            find_content_terms(words, self.language) for _, words in names if words not in code
        )

    def _holds_code(self, code: str, *, apart: bool) -> bool:
        """Whether code stands here, or, `apart`, each of its names with a _ and of its numbers."""
        whole = code.casefold()
        named = [one.strip(".") for one in _NAMED.findall(whole)]
        parts = named if apart and named else [whole]
        return all(one in self._whole_text or one in self._closed_text for one in parts)

    def find_new_terms(
        self, text: str, *, in_sources: bool = False
    ) -> tuple[frozenset[str], frozenset[str]]:
        """The words of content of a text that are known here, and those that are new.

        Args:
            text: a sentence.
            in_sources: whether all that was read of the cited sources counts as known.
        """
        terms = find_content_terms(text, self.language)
        held = self._terms | self._source_terms if in_sources else self._terms
        known = frozenset(term for term in terms if has_kin(term, held))
        return known, terms - known

    def is_denied(self, said: SentenceFacts) -> bool:
        """Whether cited sentences say the opposite of a sentence in much the same words."""
        claim = _CONDITION.sub("", _NO_REASON.sub("", said.text))
        said = SentenceFacts(claim, self.language)
        weights = {term: w for term, w in said.weights.items() if w == 1}
        shares = [
            (one.facts.polarity, sum(t in one.facts.unique_terms for t in weights) / len(weights))
            for one in self._cited
            if weights
        ]
        near = [(polarity, share) for polarity, share in shares if share >= MIN_DENIED_SHARE]
        return bool(near) and weigh_agreement(said.polarity, near).score <= MAX_OPPOSED_BALANCE

    def find_neighbours(self, place: int, text: str) -> tuple[int, ...]:
        """The numbers that cited sentences share words with, else of those around a place."""
        terms = find_content_terms(text, self.language)
        near = [one for one in self._cited if any(has_kin(t, one.terms) for t in terms)]
        if not near:
            before = [one for one in self._cited if one.place < place][-1:]
            near = before + [one for one in self._cited if one.place > place][:1]
        return tuple(dict.fromkeys(n for one in near for n in one.numbers))[:MAX_NEIGHBOURS]


def find_place_numbers(text: str) -> set[str]:
    """The numbers of places of a text that a sentence points to: table 2, step 5."""
    return {number for found in _PLACE.finditer(text) for number in found.groups()}


def is_count(quantity: Quantity, text: str) -> bool:
    """Whether a number may count what the text names: a small one in words, without a unit."""
    written = text[quantity.start : quantity.end]
    return (
        not quantity.unit
        and quantity.value <= MAX_COUNT
        and not any(character.isascii() and character.isdigit() for character in written)
    )


def recalls(quantity: Quantity, text: str) -> bool:
    """Whether a number counts what was named before it: these two."""
    return bool(_THESE.search(text[: quantity.start]))
