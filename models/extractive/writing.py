"""A section made of the sources' own sentences."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from models.extractive.reading import Asked
from models.extractive.sentences import Candidate, candidates, cited, content
from retrieval.bm25 import BM25

WORDS_PER_SENTENCE = 25
LEAST_SHARE = 0.35  # of the best sentence's score: below, a sentence is beside the question
LEADING = 1.2  # the first sentence of a passage is most often its definition
LEANING = 0.6  # a sentence that points back loses its meaning out of place
CONTEXT = 0.5  # what title and heading of a passage count, against the sentence itself
SAME = 0.5  # word overlap (Jaccard) from which two sentences say the same


def write_section(asked: Asked) -> str:
    """Answer each question of a section with the best sentences of the sources, each cited.

    One paragraph a question; inside it the sentences stand in the order of their sources. A
    sentence that fits another section of the outline better is left to that section, so that
    sections written at the same time do not repeat each other.

    Returns:
        Markdown paragraphs, or "" where no sentence answers.
    """
    questions = asked.items("questions") or [asked.one("question")]
    count = max(2, round(asked.words / WORDS_PER_SENTENCE / len(questions)))
    title, language = asked.one("section"), asked.language
    wanted = [Wanted(content(f"{title} {question}", language), count) for question in questions]
    return "\n\n".join(filter(None, paragraphs(asked, pooled(asked), wanted)))


@dataclass(frozen=True)
class Wanted:
    """What a paragraph is to speak of: terms, and how many sentences at most.

    A sentence that holds none of the terms in `must`, where there are any, is left out.
    """

    terms: Sequence[str]
    count: int
    must: frozenset[str] = frozenset()


def pooled(asked: Asked) -> list[Candidate]:
    """The sentences of all sources."""
    pool: list[Candidate] = []
    for source in asked.sources:
        pool.extend(candidates(source, first=len(pool)))
    return pool


def paragraphs(asked: Asked, pool: list[Candidate], wanted: Sequence[Wanted]) -> list[str]:
    """A paragraph for each that is wanted, "" where no sentence answers; none says it again."""
    if not pool:
        return [""] * len(wanted)
    pool = _own(pool, asked.one("section"), asked.plan, asked.language)
    index = BM25([sorted(candidate.terms) for candidate in pool])
    around = BM25([sorted(candidate.context) for candidate in pool])
    taken: list[Candidate] = []
    made: list[str] = []
    for one in wanted:
        scores = _scores(Counter(one.terms), pool, index, around)
        if one.must:
            scores = [s if c.terms & one.must else 0.0 for s, c in zip(scores, pool, strict=True)]
        chosen = _choose(pool, scores, one.count, taken)
        taken += chosen
        ordered = sorted(chosen, key=lambda candidate: candidate.order)
        made.append(_joined([cited(c.text, c.source) for c in ordered]))
    return made


def _scores(
    wanted: Counter[str], pool: Sequence[Candidate], index: BM25, around: BM25
) -> list[float]:
    own = _relative(index.scores(wanted))
    context = _relative(around.scores(wanted))
    return [
        (mine + CONTEXT * near) * _standing(candidate) if mine else 0.0
        for candidate, mine, near in zip(pool, own, context, strict=True)
    ]


def _standing(candidate: Candidate) -> float:
    return (LEADING if candidate.leads else 1.0) * (LEANING if candidate.leans else 1.0)


def _relative(scores: list[float]) -> list[float]:
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best else scores


def _choose(
    pool: Sequence[Candidate], scores: list[float], count: int, taken: Sequence[Candidate]
) -> list[Candidate]:
    """The best sentences that are good enough and say something not said yet."""
    floor = LEAST_SHARE * max(scores)
    chosen: list[Candidate] = []
    for position in sorted(range(len(pool)), key=lambda p: (-scores[p], p)):
        if len(chosen) == count or scores[position] <= 0 or scores[position] < floor:
            break
        candidate = pool[position]
        if not any(alike(candidate.terms, other.terms) for other in [*taken, *chosen]):
            chosen.append(candidate)
    return chosen


def alike(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two sentences, given by their terms, say the same."""
    union = len(first | second)
    return not union or len(first & second) / union >= SAME


def _own(
    pool: list[Candidate], title: str, plan: list[tuple[str, list[str]]], language: str
) -> list[Candidate]:
    """The sentences that belong to this section rather than to another of the outline.

    Each section claims a sentence by the words that set it apart from the others; the claim does
    not depend on the pool, so every section decides alike.
    """
    sections = [
        Counter(content(" ".join([name, *questions]), language)) for name, questions in plan
    ]
    mine = next((i for i, (name, _) in enumerate(plan) if name == title), None)
    if mine is None or len(sections) < 2:
        return pool
    spread = Counter(term for section in sections for term in section)
    rarity = {term: math.log(len(sections) / count) for term, count in spread.items()}
    lengths = [1 + math.sqrt(sum(rarity[t] for t in section)) for section in sections]

    def belongs(candidate: Candidate) -> bool:
        words = candidate.terms | candidate.context
        claims = [
            sum(rarity[term] for term in section.keys() & words) / length
            for section, length in zip(sections, lengths, strict=True)
        ]
        return claims.index(max(claims)) == mine  # a tie goes to the earlier section

    return [candidate for candidate in pool if belongs(candidate)] or pool


def _joined(sentences: Sequence[str]) -> str:
    """Sentences as a paragraph; scripts without spaces take none between sentences."""
    text = ""
    for sentence in sentences:
        text += ("" if not text or text[-1] in "。！｡」" else " ") + sentence
    return text
