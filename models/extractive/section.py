"""A section made of the sources' own sentences."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.extractive.candidates import (
    CandidateSentence,
    add_marker,
    collect_sentences,
    find_content_terms,
)
from models.extractive.orders import asks_about_writing, boasts, orders_words
from models.extractive.outdated import drop_outdated
from models.extractive.ownership import select_own
from models.extractive.question_type import asks_for_new, find_asked_kinds, find_told_kinds
from models.extractive.readable import is_fragment, is_readable
from models.extractive.sides import find_sides, select_naming
from models.extractive.tables import collect_tables
from prompts.revise_text import ReviseTextPrompt
from prompts.template import SourceText
from prompts.write_section import WriteSectionPrompt
from retrieval.search.bm25 import BM25

WORDS_PER_SENTENCE = 18
MIN_SHARE = 0.35  # of the best sentence's score: below, a sentence is beside the question
MORE_SHARE = 0.2  # the same where a section is shorter than it should be
MIN_MORE = 3  # sentences that are missing, from which on more are looked for
OLD_FACTOR = 0.1  # a source OLD_YEARS older than the newest, where the present is asked for
OLD_YEARS = 2
CLAIMED_FACTOR = 0.7  # a sentence that another section claims: it may not see its source
TABLE_SHARE = 0.3  # of the weight of what a section is to speak of, that a table has to hold
MAX_TABLES = 2
OPENING_FACTOR = 1.2  # the first sentence of a passage is most often its definition
QUESTION_WEIGHT = 4  # what title and question of a section count, against the report's question
FIGURE_FACTOR = 1.25  # a sentence with a figure says more than one that speaks in general
CONTEXT_WEIGHT = 0.5  # what title and heading of a passage count, against the sentence itself
FITTING_HEADING = 0.8  # of the best: what stands below such a one may answer in other words
DUPLICATE_OVERLAP = 0.5  # word overlap (Jaccard) from which two sentences say the same

_YEAR = re.compile(r"\d{4}")
_FIGURE = re.compile(r"(?<![^\W_])\d")


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
    subject += sorted(find_asked_kinds(asked.question))
    wanted = [
        ParagraphPlan(
            [
                *QUESTION_WEIGHT * _list_terms(f"{asked.title} {one}", asked.language),
                *subject,
                *QUESTION_WEIGHT * sorted(find_asked_kinds(f"{asked.title} {one}")),
            ],
            count,
        )
        for one in questions
    ]
    pool = collect_evidence(asked)
    chosen = _choose_paragraphs(asked, pool, wanted)
    if not any(chosen):  # what leans on others is better than nothing
        chosen = _choose_paragraphs(asked, [replace(c, refers_back=False) for c in pool], wanted)
    chosen.append(_choose_missing_sides(asked, pool, _join(chosen)))
    chosen.append(_choose_more(asked, pool, _join(chosen)))
    tables = choose_tables(asked, wanted[0].terms, pool) if any(chosen) else []
    return "\n\n".join([*(_join_candidates(some) for some in chosen if some), *tables])


def _list_terms(text: str, language: str) -> list[str]:
    """The words of a text, each once: a title often stands again in the questions below it."""
    return list(dict.fromkeys(find_content_terms(text, language)))


def choose_tables(
    asked: WriteSectionPrompt, wanted: Sequence[str], pool: Sequence[CandidateSentence]
) -> list[str]:
    """The tables that hold most of what a section is to speak of, in Markdown."""
    tables = collect_tables(asked.sources)
    held = [one.terms | one.context for one in pool]
    held += [one.terms | one.context for one in tables]
    spread = Counter(term for terms in held for term in terms)
    weights = {
        term: times * math.log(1 + (len(pool) + len(tables)) / spread[term])
        for term, times in Counter(wanted).items()
        if spread[term]
    }
    own = set(find_content_terms(asked.title, asked.language))
    ages = _weigh_sources(asked)
    shares = {
        one: ages.get(one.source, 1.0)
        * sum(weights.get(term, 0.0) for term in one.terms | one.context)
        / sum(weights.values())
        for one in select_own(tables, asked.title, asked.outline, asked.language)
        if not own.isdisjoint(one.terms | one.context)
    }
    fitting = [one for one in shares if shares[one] >= TABLE_SHARE]
    return [one.text for one in sorted(fitting, key=lambda one: -shares[one])[:MAX_TABLES]]


def collect_whole_sentences(sources: Sequence[SourceText]) -> list[CandidateSentence]:
    """The sentences that read well in a report: no orders, no entries of lists without a verb."""
    pool = collect_sentences(sources, is_readable)
    return [one for one in pool if not (one.is_order or is_fragment(one.text, is_item=one.is_item))]


def collect_evidence(asked: WriteSectionPrompt) -> list[CandidateSentence]:
    """The whole sentences that a section may use: none boasts, or tells its reader what to say.

    Where the question is about writing, the latter may be the answer.
    """
    pool = drop_outdated(collect_whole_sentences(asked.sources), asked.sources, asked.language)
    pool = [one for one in pool if not boasts(one.text, asked.question)]
    if asks_about_writing(f"{asked.question} {asked.title}"):
        return pool
    return [one for one in pool if not orders_words(one.text)]


@dataclass(frozen=True)
class ParagraphPlan:
    """What a paragraph is to speak of: terms, and how many sentences at most.

    A sentence that holds none of the terms in `required`, where there are any, is left out, as is
    one that has less than `share` of the best one's score.
    """

    terms: Sequence[str]
    count: int
    required: frozenset[str] = frozenset()
    share: float = MIN_SHARE


def write_paragraphs(
    asked: WriteSectionPrompt | ReviseTextPrompt,
    pool: list[CandidateSentence],
    wanted: Sequence[ParagraphPlan],
) -> list[str]:
    """A paragraph for each that is wanted, "" where no sentence answers; none says it again."""
    return [_join_candidates(some) for some in _choose_paragraphs(asked, pool, wanted)]


def _weigh_sources(asked: WriteSectionPrompt | ReviseTextPrompt) -> dict[int, float]:
    """What the sentences of each source count: where it is asked for the present, old ones less.

    Not where it is asked for a history, which may go on "to today".
    """
    is_past = "(date)" in find_asked_kinds(asked.question)
    years = {
        one.number: int(found[0])
        for one in asked.sources
        if (found := _YEAR.match(one.published)) and asks_for_new(asked.question) and not is_past
    }
    newest = max(years.values(), default=0)
    return {one: OLD_FACTOR for one, year in years.items() if year <= newest - OLD_YEARS}


def _choose_paragraphs(
    asked: WriteSectionPrompt | ReviseTextPrompt,
    pool: list[CandidateSentence],
    wanted: Sequence[ParagraphPlan],
    known: Sequence[CandidateSentence] = (),
    *,
    is_short: bool = False,
) -> list[list[CandidateSentence]]:
    """The sentences of each paragraph; none says again what one of `known` does.

    A section that is short takes sentences, too, that another of the outline claims: that one may
    not be shown their source. What both take stands in the first of them.
    """
    if not pool:
        return [[] for _ in wanted]
    own = {one.order for one in select_own(pool, asked.title, asked.outline, asked.language)}
    if own and not is_short:
        pool = [one for one in pool if one.order in own]
    pool = [one for one in pool if one.order in own or not one.refers_back] or pool
    index = BM25([sorted(one.terms | find_told_kinds(one.text)) for one in pool])
    around = BM25([sorted(candidate.context) for candidate in pool])
    weights = _weigh_sources(asked)
    taken = list(known)
    made: list[list[CandidateSentence]] = []
    for one in wanted:
        scores = _score_candidates(Counter(one.terms), pool, index, around)
        scores = [
            s * weights.get(c.source, 1.0) * (1.0 if c.order in own else CLAIMED_FACTOR)
            for s, c in zip(scores, pool, strict=True)
        ]
        if one.required:
            scores = [
                s if c.terms & one.required else 0.0 for s, c in zip(scores, pool, strict=True)
            ]
        chosen = _choose(pool, scores, one.count, taken, one.share)
        taken += chosen
        made.append(chosen)
    return made


def _choose_more(
    asked: WriteSectionPrompt, pool: list[CandidateSentence], taken: Sequence[CandidateSentence]
) -> list[CandidateSentence]:
    """What else the sources say of the section's subject, where it is shorter than it should be.

    What speaks of nothing but the report's question is left to the other sections: those that are
    beside the question would look as if they were not.
    """
    left = asked.words - sum(len(one.text.split()) for one in taken)
    count = round(left / WORDS_PER_SENTENCE)
    if not taken or count < MIN_MORE:
        return []
    own = f"{asked.title} {' '.join(asked.questions)}"
    subject = set(find_content_terms(own, asked.language))
    pool = [one for one in pool if not subject.isdisjoint(one.terms | one.context)]
    own = f"{own} {asked.question}"
    terms = [*_list_terms(own, asked.language), *sorted(find_asked_kinds(own))]
    plan = ParagraphPlan(terms, count, share=MORE_SHARE)
    return _choose_paragraphs(asked, pool, [plan], taken, is_short=True)[0]


def _join(chosen: Sequence[Sequence[CandidateSentence]]) -> list[CandidateSentence]:
    return [one for some in chosen for one in some]


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
    fitting = FITTING_HEADING if len(set(context)) > 1 else math.inf
    return [
        (mine + CONTEXT_WEIGHT * near)
        * (OPENING_FACTOR if candidate.opens_passage else 1.0)
        * (FIGURE_FACTOR if _FIGURE.search(candidate.text) else 1.0)
        if mine or near >= fitting or _FIGURE.search(candidate.text)
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
    share: float = MIN_SHARE,
) -> list[CandidateSentence]:
    """The best sentences that are good enough and add something new.

    One that points to the sentence before it is chosen along with that one only.
    """
    floor = share * max(scores)
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


def _join_candidates(chosen: Sequence[CandidateSentence]) -> str:
    """Cited sentences in the order of their sources, as a paragraph.

    Scripts without spaces take none between sentences.
    """
    text = ""
    for one in sorted(chosen, key=lambda candidate: candidate.order):
        sentence = add_marker(one.text, one.source)
        text += ("" if not text or text[-1] in "。！｡」" else " ") + sentence
    return text
