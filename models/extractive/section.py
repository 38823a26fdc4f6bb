"""A section made of the sources' own sentences."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.extractive.candidates import (
    CandidateSentence,
    add_marker,
    collect_sentences,
    find_content_terms,
)
from models.extractive.readable import is_fragment, is_readable
from models.extractive.sides import find_sides, select_naming
from prompts.revise_text import ReviseTextPrompt
from prompts.template import SectionOutline, SourceText
from prompts.write_section import WriteSectionPrompt
from retrieval.search.bm25 import BM25

WORDS_PER_SENTENCE = 25
MIN_SHARE = 0.35  # of the best sentence's score: below, a sentence is beside the question
OPENING_FACTOR = 1.2  # the first sentence of a passage is most often its definition
QUESTION_WEIGHT = 4  # what title and question of a section count, against the report's question
CONTEXT_WEIGHT = 0.5  # what title and heading of a passage count, against the sentence itself
DUPLICATE_OVERLAP = 0.5  # word overlap (Jaccard) from which two sentences say the same


def write_section(asked: WriteSectionPrompt) -> str:
    """Answer each question of a section with the best sentences of the sources, each cited.

    One paragraph a question; inside it the sentences stand in the order of their sources. A
    sentence that fits another section of the outline better is left to that section, so that
    sections written at the same time do not repeat each other. Where the report compares things, a
    last paragraph speaks of those that the others leave out.

    Returns:
        Markdown paragraphs, or "" where no sentence answers.
    """
    questions = asked.questions or [asked.question]
    count = max(2, round(asked.words / WORDS_PER_SENTENCE / len(questions)))
    subject = find_content_terms(asked.question, asked.language)
    wanted = [
        ParagraphPlan(
            [
                *QUESTION_WEIGHT * find_content_terms(f"{asked.title} {one}", asked.language),
                *subject,
            ],
            count,
        )
        for one in questions
    ]
    pool = collect_whole_sentences(asked.sources)
    chosen = _choose_paragraphs(asked, pool, wanted)
    if not any(chosen):  # what leans on others is better than nothing
        chosen = _choose_paragraphs(asked, [replace(c, refers_back=False) for c in pool], wanted)
    chosen.append(_choose_missing_sides(asked, pool, [one for some in chosen for one in some]))
    return "\n\n".join(_join_candidates(some) for some in chosen if some)


def collect_whole_sentences(sources: Sequence[SourceText]) -> list[CandidateSentence]:
    """The sentences that read well in a report; entries of lists without a verb are none."""
    pool = collect_sentences(sources, is_readable)
    return [one for one in pool if not is_fragment(one.text, is_item=one.is_item)]


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
    return [_join_candidates(some) for some in _choose_paragraphs(asked, pool, wanted)]


def _choose_paragraphs(
    asked: WriteSectionPrompt | ReviseTextPrompt,
    pool: list[CandidateSentence],
    wanted: Sequence[ParagraphPlan],
) -> list[list[CandidateSentence]]:
    if not pool:
        return [[] for _ in wanted]
    pool = _select_own(pool, asked.title, asked.outline, asked.language)
    index = BM25([sorted(candidate.terms) for candidate in pool])
    around = BM25([sorted(candidate.context) for candidate in pool])
    taken: list[CandidateSentence] = []
    made: list[list[CandidateSentence]] = []
    for one in wanted:
        scores = _score_candidates(Counter(one.terms), pool, index, around)
        if one.required:
            scores = [
                s if c.terms & one.required else 0.0 for s, c in zip(scores, pool, strict=True)
            ]
        chosen = _choose(pool, scores, one.count, taken)
        taken += chosen
        made.append(chosen)
    return made


def _choose_missing_sides(
    asked: WriteSectionPrompt, pool: list[CandidateSentence], taken: Sequence[CandidateSentence]
) -> list[CandidateSentence]:
    """The best sentence on each thing that the report compares and no sentence speaks of yet."""
    wanted = Counter(find_content_terms(f"{asked.title} {asked.question}", asked.language))
    chosen: list[CandidateSentence] = []
    for side in find_sides(asked.question, asked.language) if taken else []:
        named = select_naming(pool, side, asked.language)
        if named and not any(one in named for one in [*taken, *chosen]):
            index = BM25([sorted(one.terms) for one in named])
            around = BM25([sorted(one.context) for one in named])
            scores = _score_candidates(wanted, named, index, around)
            chosen += _choose(named, scores, 1, [*taken, *chosen])
    return chosen


def _score_candidates(
    wanted: Counter[str], pool: Sequence[CandidateSentence], index: BM25, around: BM25
) -> list[float]:
    own = _scale_to_best(index.scores(wanted))
    context = _scale_to_best(around.scores(wanted))
    return [
        (mine + CONTEXT_WEIGHT * near) * (OPENING_FACTOR if candidate.opens_passage else 1.0)
        if mine
        else 0.0
        for candidate, mine, near in zip(pool, own, context, strict=True)
    ]


def _scale_to_best(scores: list[float]) -> list[float]:
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best else scores


def _choose(
    pool: Sequence[CandidateSentence],
    scores: list[float],
    count: int,
    taken: Sequence[CandidateSentence],
) -> list[CandidateSentence]:
    """The best sentences that are good enough and add something new.

    One that points to the sentence before it is chosen along with that one only.
    """
    floor = MIN_SHARE * max(scores)
    ranked = [
        pool[position]
        for position in sorted(range(len(pool)), key=lambda p: (-scores[p], p))
        if scores[position] > 0 and scores[position] >= floor
    ]
    chosen: list[CandidateSentence] = []
    for leans in (False, True):
        for one in ranked:
            held = not one.refers_back or any(one.previous == other.order for other in chosen)
            is_new = not any(is_duplicate(one.terms, other.terms) for other in [*taken, *chosen])
            if len(chosen) < count and one.refers_back == leans and held and is_new:
                chosen.append(one)
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


def _join_candidates(chosen: Sequence[CandidateSentence]) -> str:
    """Cited sentences in the order of their sources, as a paragraph.

    Scripts without spaces take none between sentences.
    """
    text = ""
    for one in sorted(chosen, key=lambda candidate: candidate.order):
        sentence = add_marker(one.text, one.source)
        text += ("" if not text or text[-1] in "。！｡」" else " ") + sentence
    return text
