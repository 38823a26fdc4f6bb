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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.extractive.reading import Asked
from models.extractive.sentences import Candidate, cited, content, tidy
from prompts.answer_question import NOT_FOUND
from prompts.template import SourceText
from retrieval.analysis import detect_language, terms
from retrieval.names import names
from retrieval.sentences import sentences

MOST = 4
"""Sentences of an answer."""

FOUND = 0.75
"""Share of a question's weight that its sentences hold, from which on it counts as answered."""

LEAST_GAIN = 0.1
"""Share of a question's weight that a further sentence must add."""

STARTS = 12
"""Sentences that an answer is tried to begin with."""

NEWS = 1.1
"""Factor of a sentence with a name or a number that neither the question nor its title has."""

CONTEXT, DERIVED, CLASS = 0.9, 0.8, 0.15
"""What a word counts that stands over a sentence; one derived from it; a word that says of which
kind the answer is ("which town"), and that answers seldom repeat."""

NAMED = 0.8
"""Share of a title's weight from which on a sentence names what its page is about."""

_ASKS_AMOUNT = re.compile(
    r"\b(how (many|much|long|old|far|tall|high|large|big|heavy|fast|often)|what (year|date)|"
    r"which year|in what year|wie ?viele?|wie (lange|hoch|alt|weit|groß)|wann|combien|"
    r"cuánt[oa]s?|cuándo|quant[oiae]|сколько)\b|多少|几[个年月日次]|何时|哪[一]?年|"
    r"什么时候|いつ|いくつ|何[年人個回]|"
    r"(?:^\W*|\b(?:and|since|until|by|et|depuis|de|e|da|desde|и|с)\s+)(?:when|quand|quando|когда)\b",
    re.IGNORECASE,
)
"""Of "when", only what asks: not what begins a clause, as in "what happens when"."""
_ASKS_NEW = re.compile(
    r"\b(latest|newest|current(ly)?|today|right now|recent(ly)?|aktuell\w*|neueste\w*|heute|"
    r"actuel\w*|récent\w*|último|actual|reciente)\b|最新|目前|现在|最近|今年|最新の|現在",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\b(the names? of|called|named|the (person|people|one|man|woman) (?=who|that)|heißt|heißen|"
    r"namens)\b|名字|名称|叫什么|哪[一]?[座条家个位届种]\w\w",
    re.IGNORECASE,
)
_CLASS = re.compile(r"\b(?:which|what|welche[mnrs]?|quel(?:le)?s?|qué|cuál)\s+(\w+)", re.IGNORECASE)
_MEASURED = (
    (re.compile(r"\bhow (long|far)\b|\bwie (lang|weit)\w*|多([长远])", re.IGNORECASE),
     re.compile(r"\d\s?(?:k?m|kilomet\w+|met(?:er|re)s?|miles?|feet|ft|公里|千米|米|"
                r"minutes?|hours?|days?|years?|Minuten|Stunden|Tage|Jahre)(?![a-z])")),
    (re.compile(r"\b(weigh|heavy)\b|\b(wiegt|schwer)\b|多(重)", re.IGNORECASE),
     re.compile(r"\d\s?(?:k?g|grams?|kilo(?:gram\w*)?s?|tons?|tonnes?|pounds?|lbs?|Gramm|公斤|克)"
                r"(?![a-z])")),
)  # fmt: skip
"""Words that ask for a measure, and the units by which a sentence gives it without the word."""
_MEASURES = r"long|tall|high|deep|wide|far|old|heavy|large|big|lang|hoch|tief|breit|alt|schwer|groß"
_OF_WHAT = re.compile(
    rf"\b(?i:how\s+many|wie\s?viele?)\s+(\w+)|\b(?i:how|wie)\s+(?:{_MEASURES})\s+\w+\s+"
    r"(?:the|der|die|das)\s+(\w+)(?=,|\s+[a-z])",
)
"""What is counted or measured; not in "the river Elbe", where it is the name's."""
_NUMBER = re.compile(r"\d+")
_CLOSED = re.compile(r"[.!。！…।۔]['\"”’»）)\]]*$")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_TITLE_ENDS = re.compile(r"\s+[-–—|·•:]+\s+")
"""What stands between the name of a page and that of its site."""
LONGEST = 420
"""Characters of a sentence that still can be followed."""


@dataclass(frozen=True)
class Cover:
    """Sentences that answer a question, in the order they were taken, and how much they hold.

    `named` says whether they hold all names of the question. `missing` are the words that they do
    not hold, as the index writes them; `about` are all sentences of pages whose titles hold the
    names of the question.
    """

    sentences: list[Candidate]
    share: float
    named: bool = False
    missing: frozenset[str] = frozenset()
    about: Sequence[Candidate] = ()


def answer_question(asked: Asked) -> str:
    """The sentences with their numbers; after the line NOT FOUND where they do not answer."""
    cover = covering(asked)
    if not cover.sentences:
        return NOT_FOUND
    text = " ".join(cited(one.text, one.source) for one in cover.sentences)
    return text if cover.share >= FOUND else f"{NOT_FOUND}\n{text}"


def covering(asked: Asked) -> Cover:
    """The connected sentences that hold most of the question; of equals the fewest."""
    pool: list[Candidate] = []
    for source in asked.sources:
        pool.extend(_statements(source, len(pool)))
    question = asked.one("question")
    wanted = _wanted(question, asked.language)
    if not pool or not wanted:
        return Cover([], 0.0)
    titles = {source.number: _TITLE_ENDS.split(source.title)[0] for source in asked.sources}
    web = _Web(pool, wanted, titles, question, asked.language)
    chains = [web.chain(start) for start in web.starts()]
    if not chains:
        return Cover([], 0.0, missing=frozenset(wanted))
    return max(chains, key=lambda one: (one.named, one.share, -len(one.sentences)))


def names_in(text: str, language: str) -> list[str]:
    """The names in a text, as they are written; none in scripts without capitals."""
    return [one.text for one in names(text, language) if not one.code]


def asks_for_amount(question: str) -> bool:
    """Whether an answer must hold a number: an amount, a date, a year."""
    return bool(_ASKS_AMOUNT.search(question))


def asks_for_new(question: str) -> bool:
    """Whether an answer must be new: the latest version, the current mayor."""
    return bool(_ASKS_NEW.search(question))


class _Web:
    """The sentences of all sources, what each holds of the question, and which are connected."""

    def __init__(
        self,
        pool: Sequence[Candidate],
        wanted: Mapping[str, float],
        titles: Mapping[int, str],
        question: str,
        language: str,
    ) -> None:
        self._pool = pool
        self._titles = titles
        self._language = language
        named = [one.text for one in names(question, language)]
        named += [
            title
            for title in titles.values()
            if _UNSPACED.search(title) and title in question and len(title) < len(question) * 0.8
        ]
        self._named = [words for one in named if (words := self._words(one) & wanted.keys())]
        self._spread = Counter(term for one in pool for term in one.terms)
        self._weight = {term: self._idf(term) * share for term, share in wanted.items()}
        for words in self._named:  # a name counts as one word, however many it has
            self._weight |= {term: self._weight[term] / len(words) for term in words}
        self._whole = sum(self._weight.values())
        self._question = question
        self._holds = [self._held(one) for one in pool]

    def starts(self) -> list[int]:
        """Places of the sentences that hold most, best first."""
        values = [
            self._sum(held) * (NEWS if held and self._brings_news(one) else 1.0)
            for one, held in zip(self._pool, self._holds, strict=True)
        ]
        best = sorted(range(len(values)), key=lambda place: (-values[place], place))
        return [place for place in best[:STARTS] if values[place] > 0]

    def chain(self, start: int) -> Cover:
        """The sentences that are reached from one, each adding what the others do not hold."""
        taken, held = [start], dict(self._holds[start])
        ways: dict[int, int] = {}
        while len(taken) < MOST:
            gains = [(self._gain(held, more), -place) for place, more in enumerate(self._holds)]
            near = sorted((one for one in gains if one[0] >= LEAST_GAIN * self._whole), reverse=True)
            reached = ((-at, self._way(self._pool[-at], taken, ways)) for _, at in near)
            place, way = next(((at, way) for at, way in reached if way is not None), (-1, None))
            if way is None:
                break
            taken.append(place)
            ways |= way
            more = self._holds[place]
            held = {term: max(held.get(term, 0.0), more.get(term, 0.0)) for term in held | more}
        found = [self._pool[place] for place in taken]
        share = self._sum(held) / self._whole
        lacks_number = asks_for_amount(self._question) and not self._has_new_number(found)
        named = self._holds_names(found)
        if lacks_number or not named:
            share = min(share, FOUND / 2)
        about = [one for one in self._pool if any(words <= one.context for words in self._named)]
        return Cover(found, share, named, frozenset(self._weight) - held.keys(), about)

    def _way(
        self, one: Candidate, taken: Sequence[int], ways: Mapping[int, int]
    ) -> dict[int, int] | None:
        """How a sentence is connected with others, as {page: page that it names}; None if it is not.

        A page leads to one other only: a museum's architect and its town are two ways, and what
        stands at the end of one does not answer for the other.
        """
        others = [self._pool[place] for place in taken]
        if any(one.source == other.source for other in others):
            return {}
        steps = [(other, one) for other in others] + [(one, other) for other in others]
        for above, below in steps:
            leads_there = ways.get(above.source, below.source) == below.source
            if leads_there and self._names(above, below):
                return {above.source: below.source}
        return None

    def _holds_names(self, found: Sequence[Candidate]) -> bool:
        """Whether each name of the question stands in a sentence, or in a title, as a whole."""
        return all(
            any(words <= one.terms or words <= one.context for one in found)
            for words in self._named
        )

    def _held(self, one: Candidate) -> dict[str, float]:
        """How much of each wanted word a sentence holds; nothing where only its title does."""
        held = dict.fromkeys(self._weight.keys() & one.terms, 1.0)
        for term in self._weight.keys() - held.keys():
            if any(_is_derived(term, other) for other in one.terms):
                held[term] = DERIVED
        for asks, unit in _MEASURED:
            if (found := asks.search(self._question)) and unit.search(one.text):
                said = next(filter(None, found.groups()))
                held |= {
                    t: DERIVED for t in self._weight if t.startswith(said[:4]) and t not in held
                }
        above = dict.fromkeys(self._weight.keys() & one.context, CONTEXT)
        return above | held if held else {}

    def _gain(self, held: Mapping[str, float], more: Mapping[str, float]) -> float:
        """The weight of what is added to what is held."""
        return sum(
            self._weight[term] * max(0.0, value - held.get(term, 0.0))
            for term, value in more.items()
        )

    def _brings_news(self, one: Candidate) -> bool:
        known = one.context | self._words(self._question)
        found = names_in(one.text, self._language)
        if asks_for_amount(self._question):
            found += _NUMBER.findall(one.text)
        return bool(self._words(" ".join(found)) - known)

    def _words(self, text: str) -> frozenset[str]:
        return frozenset(content(text, self._language))

    def _names(self, one: Candidate, other: Candidate) -> bool:
        """Whether a sentence names what the page of another is about."""
        title = self._titles[other.source]
        if _UNSPACED.search(title):
            return title in one.text
        words = [term for term in self._words(title) if self._spread[term]]
        named = sum(self._idf(term) for term in words if term in one.terms)
        return named > 0 and named >= NAMED * sum(map(self._idf, words))

    def _has_new_number(self, found: Sequence[Candidate]) -> bool:
        """Whether they have a number, beside what it is of, that the question has not."""
        known = set(_NUMBER.findall(self._question))
        of_what = self._words(" ".join(map("".join, _OF_WHAT.findall(self._question))))
        return any(
            set(_NUMBER.findall(one.text)) - known and of_what <= one.terms | one.context
            for one in found
        )

    def _sum(self, held: Mapping[str, float]) -> float:
        return sum(self._weight[term] * value for term, value in held.items())

    def _idf(self, term: str) -> float:
        return math.log(1 + len(self._pool) / (0.5 + self._spread[term]))


def _wanted(question: str, language: str) -> dict[str, float]:
    """The words of a question that an answer holds, and what each counts."""
    asked = _ASKS_NEW.sub(" ", _FRAME.sub(" ", question))
    kinds = {term for found in _CLASS.findall(asked) for term in terms("".join(found), language)}
    return {term: CLASS if term in kinds else 1.0 for term in content(asked, language)}


def _is_derived(term: str, other: str) -> bool:
    """Whether two stems differ by no more than a syllable before or after."""
    short, long = sorted((term, other), key=len)
    least = 4 if long.startswith(short) else 5
    return len(short) >= least and 0 < len(long) - len(short) <= 3 and short in long


def _statements(source: SourceText, first: int) -> list[Candidate]:
    """The sentences of a source that say something; also short ones, and those that lean on others:
    they are read beside their title.
    """
    language = detect_language("\n".join(source.passages))
    found: list[Candidate] = []
    for heading, passage in zip(source.headings, source.passages, strict=True):
        context = frozenset(content(f"{source.title} {heading}", language))
        for piece in sentences(passage, language):
            text = tidy(passage[piece.start : piece.end])
            low = 6 if _UNSPACED.search(text) else 12
            is_said = low <= len(text) <= LONGEST and bool(_CLOSED.search(text))
            if piece.kind in ("prose", "item") and is_said:
                words = frozenset(content(text, language))
                order = first + len(found)
                found.append(Candidate(source.number, order, text, words, context, False, False))
    return found
