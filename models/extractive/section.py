"""A section made of the sources' own sentences."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from models.extractive.candidates import (
    CandidateSentence,
    add_marker,
    collect_sentences,
    find_content_terms,
    is_readable,
)
from prompts.revise_text import ReviseTextPrompt
from prompts.template import SectionOutline
from prompts.write_section import WriteSectionPrompt
from retrieval.search.bm25 import BM25

WORDS_PER_SENTENCE = 25
MIN_SHARE = 0.35  # of the best sentence's score: below, a sentence is beside the question
OPENING_FACTOR = 1.2  # the first sentence of a passage is most often its definition
BACK_REFERENCE_FACTOR = 0.6  # a sentence that points back loses its meaning out of place
CONTEXT_WEIGHT = 0.5  # what title and heading of a passage count, against the sentence itself
DUPLICATE_OVERLAP = 0.5  # word overlap (Jaccard) from which two sentences say the same


def write_section(asked: WriteSectionPrompt) -> str:
    """Answer each question of a section with the best sentences of the sources, each cited.

    One paragraph a question; inside it the sentences stand in the order of their sources. A
    sentence that fits another section of the outline better is left to that section, so that
    sections written at the same time do not repeat each other.

    Returns:
        Markdown paragraphs, or "" where no sentence answers.
    """
    questions = asked.questions or [asked.question]
    count = max(2, round(asked.words / WORDS_PER_SENTENCE / len(questions)))
    wanted = [
        ParagraphPlan(find_content_terms(f"{asked.title} {question}", asked.language), count)
        for question in questions
    ]
    return "\n\n".join(
        filter(None, write_paragraphs(asked, collect_sentences(asked.sources, is_readable), wanted))
    )


@dataclass(frozen=True)
class ParagraphPlan:
    """What a paragraph is to speak of: terms, and how many sentences at most.

    A sentence that holds none of the terms in `required`, where there are any, is left out.
    """

    terms: Sequence[str]
    count: int
    required: frozenset[str] = frozenset()


def write_paragraphs(
    asked: WriteSectionPrompt | ReviseTextPrompt,
    pool: list[CandidateSentence],
    wanted: Sequence[ParagraphPlan],
) -> list[str]:
    """A paragraph for each that is wanted, "" where no sentence answers; none says it again."""
    if not pool:
        return [""] * len(wanted)
    pool = _select_own(pool, asked.title, asked.outline, asked.language)
    index = BM25([sorted(candidate.terms) for candidate in pool])
    around = BM25([sorted(candidate.context) for candidate in pool])
    taken: list[CandidateSentence] = []
    made: list[str] = []
    for one in wanted:
        scores = _score_candidates(Counter(one.terms), pool, index, around)
        if one.required:
            scores = [
                s if c.terms & one.required else 0.0 for s, c in zip(scores, pool, strict=True)
            ]
        chosen = _choose(pool, scores, one.count, taken)
        taken += chosen
        ordered = sorted(chosen, key=lambda candidate: candidate.order)
        made.append(_join_sentences([add_marker(c.text, c.source) for c in ordered]))
    return made


def _score_candidates(
    wanted: Counter[str], pool: Sequence[CandidateSentence], index: BM25, around: BM25
) -> list[float]:
    own = _scale_to_best(index.scores(wanted))
    context = _scale_to_best(around.scores(wanted))
    return [
        (mine + CONTEXT_WEIGHT * near) * _weigh_position(candidate) if mine else 0.0
        for candidate, mine, near in zip(pool, own, context, strict=True)
    ]


def _weigh_position(candidate: CandidateSentence) -> float:
    return (OPENING_FACTOR if candidate.opens_passage else 1.0) * (
        BACK_REFERENCE_FACTOR if candidate.refers_back else 1.0
    )


def _scale_to_best(scores: list[float]) -> list[float]:
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best else scores


def _choose(
    pool: Sequence[CandidateSentence],
    scores: list[float],
    count: int,
    taken: Sequence[CandidateSentence],
) -> list[CandidateSentence]:
    """The best sentences that are good enough and add something new."""
    floor = MIN_SHARE * max(scores)
    chosen: list[CandidateSentence] = []
    for position in sorted(range(len(pool)), key=lambda p: (-scores[p], p)):
        if len(chosen) == count or scores[position] <= 0 or scores[position] < floor:
            break
        candidate = pool[position]
        if not any(is_duplicate(candidate.terms, other.terms) for other in [*taken, *chosen]):
            chosen.append(candidate)
    return chosen


def is_duplicate(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two sentences, given by their terms, say the same."""
    union = len(first | second)
    return not union or len(first & second) / union >= DUPLICATE_OVERLAP


def _select_own(
    pool: list[CandidateSentence], title: str, outline: Sequence[SectionOutline], language: str
) -> list[CandidateSentence]:
    """The sentences that belong to this section rather than to another of the outline.

    Each section claims a sentence by the words that set it apart from the others; the claim does
    not depend on the pool, so every section decides alike.
    """
    sections = [
        Counter(find_content_terms(" ".join([one.title, *one.questions]), language))
        for one in outline
    ]
    mine = next((i for i, one in enumerate(outline) if one.title == title), None)
    if mine is None or len(sections) < 2:
        return pool
    spread = Counter(term for section in sections for term in section)
    rarity = {term: math.log(len(sections) / count) for term, count in spread.items()}
    lengths = [1 + math.sqrt(sum(rarity[t] for t in section)) for section in sections]

    def belongs(candidate: CandidateSentence) -> bool:
        words = candidate.terms | candidate.context
        claims = [
            sum(rarity[term] for term in section.keys() & words) / length
            for section, length in zip(sections, lengths, strict=True)
        ]
        return claims.index(max(claims)) == mine  # a tie goes to the earlier section

    return [candidate for candidate in pool if belongs(candidate)] or pool


def _join_sentences(sentences: Sequence[str]) -> str:
    """Sentences as a paragraph; scripts without spaces take none between sentences."""
    text = ""
    for sentence in sentences:
        text += ("" if not text or text[-1] in "。！｡」" else " ") + sentence
    return text
