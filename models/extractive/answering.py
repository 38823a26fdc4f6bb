"""An answer made of the sources' own sentences: those that hold most of a question together."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from models.extractive.reading import Asked
from models.extractive.sentences import Candidate, candidates, cited, content
from prompts.answer_question import NOT_FOUND

MOST = 4
"""Sentences of an answer."""

FOUND = 0.6
"""Share of a question's weight that its sentences hold, from which on it counts as answered."""

LEAST_GAIN = 0.2
"""Share of a question's weight that a further sentence must add."""

CONTEXT = 0.5
"""What a word counts that stands over a sentence, in title or heading, and not in it."""

BRIDGE = 0.5
"""What a word counts that a further sentence shares with those that were taken."""

AMOUNT = 1.3
"""Factor of a sentence with a number, where the question asks for one."""

_ASKS_AMOUNT = re.compile(
    r"\b(how (many|much|long|old|far|tall|high|large|big|heavy|fast|often)|when|what (year|date)|"
    r"which year|in what year|wie ?viele?|wie (lange|hoch|alt|weit|groß)|wann|combien|quand|"
    r"cuánt[oa]s?|cuándo|quant[oiae]|quando|сколько|когда)\b|多少|几[个年月日次]|何时|哪[一]?年|"
    r"什么时候|いつ|いくつ|何[年人個回]",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Cover:
    """Sentences that answer a question, in the order they were taken, and how much they hold."""

    sentences: list[Candidate]
    share: float


def answer_question(asked: Asked) -> str:
    """The sentences with their numbers; after the line NOT FOUND where they do not answer."""
    cover = covering(asked)
    if not cover.sentences:
        return NOT_FOUND
    text = " ".join(cited(one.text, one.source) for one in cover.sentences)
    return text if cover.share >= FOUND else f"{NOT_FOUND}\n{text}"


def covering(asked: Asked) -> Cover:
    """Take sentences, each the one that adds most of what the question asks and is not held yet.

    A word counts by its idf among the sentences, less where it only stands over the sentence. A
    sentence after the first gains by words that it shares with those before: the answer's second
    half seldom repeats the question, but it does repeat the name that the first half found.
    """
    pool: list[Candidate] = []
    for source in asked.sources:
        pool.extend(candidates(source, first=len(pool)))
    question = asked.one("question")
    wanted = set(content(question, asked.language))
    if not pool or not wanted:
        return Cover([], 0.0)
    spread = Counter(term for one in pool for term in one.terms)
    weight = {t: math.log(1 + len(pool) / (0.5 + spread[t])) for t in wanted | spread.keys()}
    whole = sum(weight[term] for term in wanted)
    asks_amount = asks_for_amount(question)
    taken: list[Candidate] = []
    held: dict[str, float] = {}
    while len(taken) < MOST:
        least = LEAST_GAIN * whole
        gains = [_gain(one, wanted, weight, held, taken, asks_amount, least) for one in pool]
        best = max(range(len(pool)), key=lambda place: (gains[place], -place))
        if not gains[best]:
            break
        taken.append(pool.pop(best))
        for term, value in _held(taken[-1], wanted).items():
            held[term] = max(value, held.get(term, 0.0))
        if not pool:
            break
    share = sum(weight[term] * value for term, value in held.items()) / whole
    if asks_amount and not any(_DIGIT.search(one.text) for one in taken):
        share = min(share, FOUND / 2)
    return Cover(taken, share)


def asks_for_amount(question: str) -> bool:
    """Whether an answer must hold a number: an amount, a date, a year."""
    return bool(_ASKS_AMOUNT.search(question))


def _gain(
    one: Candidate,
    wanted: set[str],
    weight: dict[str, float],
    held: dict[str, float],
    taken: Sequence[Candidate],
    asks_amount: bool,
    least: float,
) -> float:
    """The weight of what a sentence adds, with its bridge to those before; 0 where it is little."""
    added = sum(
        weight[term] * max(0.0, value - held.get(term, 0.0))
        for term, value in _held(one, wanted).items()
    )
    if added < least or any(one.terms == other.terms for other in taken):
        return 0.0
    before = frozenset[str]().union(*(other.terms for other in taken))
    bridge = max((weight[term] for term in (one.terms & before) - wanted), default=0.0)
    numbered = AMOUNT if asks_amount and _DIGIT.search(one.text) else 1.0
    return (added + BRIDGE * bridge) * numbered


def _held(one: Candidate, wanted: set[str]) -> dict[str, float]:
    """How much of each wanted word a sentence holds."""
    around = dict.fromkeys(wanted & one.context, CONTEXT)
    return around | dict.fromkeys(wanted & one.terms, 1.0)
