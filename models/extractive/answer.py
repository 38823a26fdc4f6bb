"""An answer made of the sources' own sentences: those that hold a question together.

A sentence holds a word of the question where it has the word, one derived from it ("founder",
"founded"), or stands below a title that has it. Few sentences hold all of a question, so that more
are taken, each of which adds words and is connected with one before: it stands on the same page, or
one of them names what the other one's page is about. So a question is followed from name to name
over several pages, and is not answered from pages on different things. What the question names has
to be held: the mayor of another town is no answer.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.extractive.candidates import (
    CandidateSentence,
    add_marker,
    collect_sentences,
    find_content_terms,
)
from models.extractive.question_type import (
    asks_for_amount,
    find_counted_terms,
    find_measure_terms,
    find_question_names,
    weigh_terms,
)
from models.extractive.statements import is_derived, is_statement
from prompts.answer_question import NOT_FOUND, AnswerQuestionPrompt
from prompts.choose_action import ChooseActionPrompt
from text.names import find_names
from text.tokens import KANA_OR_HAN

MAX_SENTENCES = 4
"""Sentences of an answer."""

ANSWERED_SHARE = 0.75
"""Share of a question's weight that its sentences hold, from which on it counts as answered."""

MIN_GAIN = 0.1
"""Share of a question's weight that a further sentence must add."""

MAX_STARTS = 12
"""Sentences that an answer is tried to begin with."""

NEW_NAME_FACTOR = 1.1
"""Factor of a sentence with a name or a number that neither the question nor its title has."""

CONTEXT_WEIGHT, DERIVED_WEIGHT = 0.9, 0.8
"""What a word counts that stands over a sentence; one derived from it. The word itself counts 1."""

NAMED_SHARE = 0.8
"""Share of a title's weight from which on a sentence names what its page is about."""

_NUMBER = re.compile(r"\d+")
_TITLE_ENDS = re.compile(r"\s+[-–—|·•:]+\s+")
"""What stands between the name of a page and that of its site."""


@dataclass(frozen=True)
class Cover:
    """Sentences that answer a question, in the order they were taken, and how much they hold.

    `holds_names` says whether they hold all names of the question. `missing_terms` are the words
    that they do not hold, as the index writes them; `page_sentences` are all sentences of pages
    whose titles hold the names of the question.
    """

    sentences: list[CandidateSentence]
    share: float
    holds_names: bool = False
    missing_terms: frozenset[str] = frozenset()
    page_sentences: Sequence[CandidateSentence] = ()


def answer_question(asked: AnswerQuestionPrompt) -> str:
    """The sentences with their numbers; after the line NOT FOUND where they do not answer."""
    cover = find_cover(asked)
    if not cover.sentences:
        return NOT_FOUND
    text = " ".join(add_marker(one.text, one.source) for one in cover.sentences)
    return text if cover.share >= ANSWERED_SHARE else f"{NOT_FOUND}\n{text}"


def find_cover(asked: AnswerQuestionPrompt | ChooseActionPrompt) -> Cover:
    """The connected sentences that hold most of the question; of equals the fewest."""
    pool = collect_sentences(asked.sources, is_statement)
    words = weigh_terms(asked.question, asked.language)
    if not pool or not words:
        return Cover([], 0.0)
    titles = {source.number: _TITLE_ENDS.split(source.title)[0] for source in asked.sources}
    web = _SentenceGraph(pool, words, titles, asked.question, asked.language)
    chains = [web.grow_chain(start) for start in web.rank_starts()]
    if not chains:
        return Cover([], 0.0, missing_terms=frozenset(words))
    return max(chains, key=lambda one: (one.holds_names, one.share, -len(one.sentences)))


def list_names(text: str, language: str) -> list[str]:
    """The names in a text, as they are written; none in scripts without capitals."""
    return [one.text for one in find_names(text, language) if not one.is_code]


class _SentenceGraph:
    """The sentences of all sources, what each holds of the question, and which are connected."""

    def __init__(
        self,
        pool: Sequence[CandidateSentence],
        words: Mapping[str, float],
        titles: Mapping[int, str],
        question: str,
        language: str,
    ) -> None:
        self._pool = pool
        self._titles = titles
        self._language = language
        named = find_question_names(question, language)
        named += [
            title
            for title in titles.values()
            if KANA_OR_HAN.search(title) and title in question and len(title) < len(question) * 0.8
        ]
        self._named = [held for one in named if (held := self._find_terms(one) & words.keys())]
        self._spread = Counter(term for one in pool for term in one.terms)
        self._weight = {term: self._compute_idf(term) * share for term, share in words.items()}
        for name in self._named:  # counts as one word, however many it has
            self._weight |= {term: self._weight[term] / len(name) for term in name}
        self._whole = sum(self._weight.values())
        self._question = question
        self._holds = [self._measure_terms(one) for one in pool]

    def rank_starts(self) -> list[int]:
        """Places of the sentences that hold most, best first."""
        values = [
            self._sum_weights(held) * (NEW_NAME_FACTOR if held and self._has_new_name(one) else 1.0)
            for one, held in zip(self._pool, self._holds, strict=True)
        ]
        best = sorted(range(len(values)), key=lambda place: (-values[place], place))
        return [place for place in best[:MAX_STARTS] if values[place] > 0]

    def grow_chain(self, start: int) -> Cover:
        """The sentences that are reached from one, each adding what the others do not hold."""
        taken, held = [start], dict(self._holds[start])
        ways: dict[int, int] = {}
        while len(taken) < MAX_SENTENCES and (step := self._find_step(taken, held, ways)):
            place, way = step
            taken.append(place)
            ways |= way
            more = self._holds[place]
            held = {term: max(held.get(term, 0.0), more.get(term, 0.0)) for term in held | more}
        found = [self._pool[place] for place in taken]
        share = self._sum_weights(held) / self._whole
        lacks_number = asks_for_amount(self._question) and not self._has_new_number(found)
        named = self._holds_names(found)
        if lacks_number or not named:
            share = min(share, ANSWERED_SHARE / 2)
        about = [one for one in self._pool if any(words <= one.context for words in self._named)]
        return Cover(found, share, named, frozenset(self._weight) - held.keys(), about)

    def _find_step(
        self, taken: Sequence[int], held: Mapping[str, float], ways: Mapping[int, int]
    ) -> tuple[int, dict[int, int]] | None:
        """The sentence within reach that adds most, and the way there; None if none adds enough."""
        gains = [self._compute_gain(held, more) for more in self._holds]
        worth = [at for at, gain in enumerate(gains) if gain >= MIN_GAIN * self._whole]
        for place in sorted(worth, key=lambda at: (-gains[at], at)):
            way = self._find_connection(self._pool[place], taken, ways)
            if way is not None:
                return place, way
        return None

    def _find_connection(
        self, one: CandidateSentence, taken: Sequence[int], ways: Mapping[int, int]
    ) -> dict[int, int] | None:
        """How a sentence is connected, as {page: page that it names}; None where it is not.

        A page leads to one other only: a museum's architect and its town are two ways, and what
        stands at the end of one does not answer for the other.
        """
        others = [self._pool[place] for place in taken]
        if any(one.source == other.source for other in others):
            return {}
        steps = [(other, one) for other in others] + [(one, other) for other in others]
        for above, below in steps:
            leads_there = ways.get(above.source, below.source) == below.source
            if leads_there and self._names_page_of(above, below):
                return {above.source: below.source}
        return None

    def _holds_names(self, found: Sequence[CandidateSentence]) -> bool:
        """Whether each name of the question stands in a sentence, or in a title, as a whole."""
        return all(
            any(words <= one.terms or words <= one.context for one in found)
            for words in self._named
        )

    def _measure_terms(self, one: CandidateSentence) -> dict[str, float]:
        """How much of each wanted word a sentence holds; nothing where only its title does."""
        held = dict.fromkeys(self._weight.keys() & one.terms, 1.0)
        for term in self._weight.keys() - held.keys():
            if any(is_derived(term, other) for other in one.terms):
                held[term] = DERIVED_WEIGHT
        for term in (
            find_measure_terms(self._question, one.text, self._language) & self._weight.keys()
        ):
            held.setdefault(term, DERIVED_WEIGHT)
        above = dict.fromkeys(self._weight.keys() & one.context, CONTEXT_WEIGHT)
        return above | held if held else {}

    def _compute_gain(self, held: Mapping[str, float], more: Mapping[str, float]) -> float:
        """The weight of what is added to what is held."""
        return sum(
            self._weight[term] * max(0.0, value - held.get(term, 0.0))
            for term, value in more.items()
        )

    def _has_new_name(self, one: CandidateSentence) -> bool:
        known = one.context | self._find_terms(self._question)
        found = list_names(one.text, self._language)
        if asks_for_amount(self._question):
            found += _NUMBER.findall(one.text)
        return bool(self._find_terms(" ".join(found)) - known)

    def _find_terms(self, text: str) -> frozenset[str]:
        return frozenset(find_content_terms(text, self._language))

    def _names_page_of(self, one: CandidateSentence, other: CandidateSentence) -> bool:
        """Whether a sentence names what the page of another is about."""
        title = self._titles[other.source]
        if KANA_OR_HAN.search(title):
            return title in one.text
        words = self._find_terms(title)
        named = words & one.terms
        known = [term for term in words if self._spread[term]]
        is_most = sum(map(self._compute_idf, named)) >= NAMED_SHARE * sum(
            map(self._compute_idf, known)
        )
        return is_most and 2 * len(named) > len(words)  # "Museum" alone names no museum

    def _has_new_number(self, found: Sequence[CandidateSentence]) -> bool:
        """Whether they have a number, beside what it is of, that the question has not."""
        known = set(_NUMBER.findall(self._question))
        of_what = find_counted_terms(self._question, self._language)
        return any(
            set(_NUMBER.findall(one.text)) - known and of_what <= one.terms | one.context
            for one in found
        )

    def _sum_weights(self, held: Mapping[str, float]) -> float:
        return sum(self._weight[term] * value for term, value in held.items())

    def _compute_idf(self, term: str) -> float:
        return math.log(1 + len(self._pool) / (0.5 + self._spread[term]))
