"""What each sentence of a section does: fact, synthesis, gap or structure. No model.

A sentence that cites is a fact. One that does not is a fact all the same where it says something
that the cited sentences near it do not bear out: a figure, a date or a name that neither they nor
their sources have, or words of a subject that they do not speak of. What is left says what the
sources do not say, leads over, or follows from what is cited.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from citations.claim_facts import SentenceFacts
from citations.conclusion_forms import find_code, gives_view, infers
from citations.evidence_span import SourcePassages
from citations.gap_phrases import find_other_clauses, speaks_of_absence
from citations.general_words import (
    compile_general_words,
    draws_conclusion,
    has_general_words,
    load_general_terms,
    points_elsewhere,
    weighs_decision,
)
from citations.markers import strip_markers
from citations.negation import weigh_agreement
from citations.source_facts import SourceFacts
from citations.verdict import MAX_OPPOSED_BALANCE
from schema.report import SentenceKind
from text.numbers import Quantity
from text.sentences import Sentence
from text.tokens import content_weight, tokenise

MAX_NEW_SHARE, MAX_NEW_SHARE_CONCLUDING, MAX_NEW_SHARE_DECIDING = 0.2, 0.45, 0.67
"""Share of a sentence's words of content that may be new where it follows from others: where it
does not say so, where it says that it concludes, and where it says what a decision depends on; the
last also in languages whose general words are not listed."""

MAX_NEW_DECIDING = 2
"""New words of a sentence that says what a decision depends on, and has no known one."""

MAX_NEW_ADVISING, MAX_NEW_BIGRAMS = 4, 12
"""New words of a sentence right behind cited ones that says what to do, or what is good enough: it
names its reader's situation. The second, pairs of characters of Chinese and Japanese."""

MAX_NEW_SHARE_POINTING = 0.8
"""The same of a sentence that leads to a table or another section: it names what stands there."""

MIN_PREFIX, MIN_PREFIX_SHARE = 5, 0.7
"""Letters, and share of the shorter word, in which words of one family agree: punctual and
punctuality, Heizkörper and Heizung."""

MAX_COUNT = 10
"""Largest number in words that may count what the text itself names: "three reasons"."""

MIN_DENIED_SHARE = 0.6
"""Share of a sentence's words that a cited one has that says the opposite of it."""

MAX_NEIGHBOURS = 6
"""Numbers of neighbours that a sentence is shown to follow from."""

_QUESTION = re.compile(r"[?？؟][\s\"'”’»」*_)]*$")
_LEAD_IN = re.compile(r"[:：][\s*_]*$")
_TITLE = re.compile(r"^\s*(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*$")
_PLACE = re.compile(
    r"\b(?:table|tab\.|figure|fig\.|section|step|chart|Tabelle|Abbildung|Abschnitt|Schritt|tableau|"
    r"étape|tabla|figura|paso|tabella|passo|tabela|tabel|stap) (\d{1,2})\b",
    re.IGNORECASE,
)
_TITLE_WORDS = 10


@dataclass(frozen=True)
class Classified:
    """What a sentence does, and the numbers of cited sentences near it."""

    kind: SentenceKind
    numbers: tuple[int, ...]


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


class SectionContext:
    """What the sentences of a section that cite say, for those that do not."""

    def __init__(
        self,
        cited: Iterable[CitingSentence],
        sources: Mapping[int, SourcePassages],
        language: str,
        title: str = "",
    ) -> None:
        """Args: cited: in order. sources: what was read of each number. title: of the section."""
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
        self._texts = [title, *(one.text for one in cited)]
        self._title = find_content_terms(title, language)
        self._title_facts = SentenceFacts(title, language)

    @cached_property
    def _terms(self) -> frozenset[str]:
        return self._title.union(*(one.terms for one in self._cited))

    @cached_property
    def _facts(self) -> SourceFacts:
        return SourceFacts([self._title_facts, *(one.facts for one in self._cited)], self.language)

    @cached_property
    def _whole_text(self) -> str:
        read = (unit.facts.text for one in self._sources for unit in one.sentences)
        return "\n".join([*self._texts, *read]).casefold()

    def has_new_facts(self, said: SentenceFacts) -> bool:
        """Whether a sentence has a figure, a date, a name or code that is nowhere here."""
        if any(one.casefold() not in self._whole_text for one in find_code(said.text)):
            return True
        counts = {said.text[q.start : q.end] for q in said.quantities if _is_count(q, said.text)}
        counts |= {number for found in _PLACE.finditer(said.text) for number in found.groups()}
        known = [self._facts, *(one.facts for one in self._sources)]
        numbers = set.intersection(*(set(one.find_missing_numbers(said)) for one in known))
        if any(words not in counts for _, words in numbers):
            return True
        names = set.intersection(*(set(one.find_missing_names(said)) for one in known))
        return any(find_content_terms(words, self.language) for _, words in names)

    def find_new_terms(self, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """The words of content of a text that are known here, and those that are new."""
        terms = find_content_terms(text, self.language)
        known = frozenset(term for term in terms if has_kin(term, self._terms))
        return known, terms - known

    def is_denied(self, said: SentenceFacts) -> bool:
        """Whether cited sentences say the opposite of a sentence in much the same words."""
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


def classify_sentence(
    context: SectionContext,
    place: int,
    text: str,
    shape: Sentence,
    *,
    is_header: bool = False,
    is_close: bool = False,
) -> Classified:
    """Say what a sentence without a citation does.

    Args:
        context: of its section.
        place: its position among the sentences.
        text: the sentence.
        shape: what kind of text it is: prose, an item or a row of a table.
        is_header: whether it is the first row of a table.
        is_close: whether it stands behind a cited sentence in one block.
    """
    near = context.find_neighbours(place, text)
    kind = _choose_kind(context, text, shape, is_header=is_header, is_close=is_close)
    return Classified(kind, near)


def _choose_kind(
    context: SectionContext, text: str, shape: Sentence, *, is_header: bool, is_close: bool
) -> SentenceKind:
    language = context.language
    if is_header:
        return "structure"
    if speaks_of_absence(text, language):
        others = find_other_clauses(text, language)
        return "gap" if all(_follows(context, one) for one in others) else "fact"
    said = SentenceFacts(text, language)
    if shape.kind == "prose" and _TITLE.match(text) and len(text.split()) <= _TITLE_WORDS:
        return "fact" if context.has_new_facts(said) else "structure"
    if _QUESTION.search(text) or _LEAD_IN.search(text) or points_elsewhere(text, language):
        return "structure" if _leads_over(context, text, said) else "fact"
    if shape.kind != "table" and _follows(context, text, is_close=is_close):
        known, new = context.find_new_terms(text)
        forms = (draws_conclusion, weighs_decision, gives_view, infers)
        views = any(has_form(text, language) for has_form in forms)
        return "synthesis" if known or new or views else "structure"
    return "fact"


def _leads_over(context: SectionContext, text: str, said: SentenceFacts) -> bool:
    if context.has_new_facts(said):
        return False
    if not points_elsewhere(text, context.language):
        return True
    known, new = context.find_new_terms(text)
    return len(new) <= MAX_NEW_SHARE_POINTING * (len(known) + len(new)) or len(new) <= 5


def _follows(context: SectionContext, text: str, *, is_close: bool = False) -> bool:
    """Whether a sentence says nothing that the cited sentences do not bear out.

    Right behind them it may say what they mean for a reader of whom they do not speak.
    """
    said = SentenceFacts(text, context.language)
    if context.has_new_facts(said) or context.is_denied(said):
        return False
    known, new = context.find_new_terms(text)
    if any(_is_count(one, said.text) and not one.is_loose for one in said.quantities) and new:
        return False
    if not new:
        return True
    words = len(known) + len(new)
    if is_close and _advises(context.language, text, known, new):
        return True
    if weighs_decision(text, context.language):
        return len(new) <= (MAX_NEW_SHARE_DECIDING * words if known else MAX_NEW_DECIDING)
    if not has_general_words(context.language):
        return bool(known) and len(new) <= MAX_NEW_SHARE_DECIDING * words
    if draws_conclusion(text, context.language):
        return bool(known) and (len(new) == 1 or len(new) <= MAX_NEW_SHARE_CONCLUDING * words)
    return len(new) <= MAX_NEW_SHARE * words


def _advises(language: str, text: str, known: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a sentence gives a view that says that it follows, or has a word of the cited."""
    if not gives_view(text, language) or not (known or infers(text, language)):
        return False
    return len(new) <= (MAX_NEW_BIGRAMS if language in ("zh", "ja") else MAX_NEW_ADVISING)


def is_header_row(text: str, sentence: Sentence) -> bool:
    """Whether a row of a table is its first: the line of dashes follows."""
    end = text.find("\n", sentence.start)
    if sentence.kind != "table" or end < 0:
        return False
    below = text[end + 1 :].partition("\n")[0]
    return "-" in below and not below.strip(" \t|:-")


def _is_count(quantity: Quantity, text: str) -> bool:
    """Whether a number may count what the text names: a small one in words, without a unit."""
    written = text[quantity.start : quantity.end]
    return (
        not quantity.unit
        and quantity.value <= MAX_COUNT
        and not any(character.isascii() and character.isdigit() for character in written)
    )


def find_content_terms(text: str, language: str) -> frozenset[str]:
    """The terms of a text that name its subject: no function words, no general ones, no figures."""
    if general := compile_general_words(language):
        text = general.sub(" ", text)
    known = load_general_terms(language)
    return frozenset(
        term
        for term in tokenise(text, language)
        if content_weight(term, language) == 1
        and term not in known
        and not any(character.isdigit() for character in term)
    )


def count_common_terms(one: str, other: str, language: str) -> int:
    """How many words of content of a text have one of their family in another."""
    known = find_content_terms(other, language)
    return sum(has_kin(term, known) for term in find_content_terms(one, language))


def has_kin(term: str, known: frozenset[str]) -> bool:
    """Whether a term, or one of its family, is among others."""
    return term in known or any(_is_kin(term, other) for other in known)


def _is_kin(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    if shorter < MIN_PREFIX:
        return False
    length = max(MIN_PREFIX, round(MIN_PREFIX_SHARE * shorter))
    return one[:length] == other[:length]
