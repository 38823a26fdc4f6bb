"""A summary made of the sections' own sentences: the one that answers best, then one of each."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citations.markers import find_cited_sentences, strip_markers
from models.extractive.candidates import find_content_terms
from models.extractive.focus import (
    find_newest_year,
    has_verb,
    is_single_case,
    measure_focus,
    measure_telling,
    weigh_focus,
)
from models.extractive.readable import is_readable, refers_back
from models.extractive.section import is_duplicate
from models.extractive.sides import Side, find_sides, select_naming
from prompts.summarise import SummarisePrompt
from schema.summary import ReportSummary
from text.tokens import KANA_OR_HAN

MIN_FINDINGS, MAX_FINDINGS = 3, 7

OPENING_FACTOR = 1.1
"""Factor of the first sentence of a section."""

WEAK_FACTOR = 0.3
"""Factor of a sentence on a single case, or without a verb, which is no finding of its own."""

LENGTH_PIVOT = 20
"""Terms from which on a sentence's length counts against it, where a report is to open with it."""

FRAME = (
    "difference different differ compare comparison choose choice better best prefer versus vs "
    "work Unterschied unterscheiden vergleichen Vergleich wählen besser funktionieren différence "
    "comparer comparaison choisir mieux fonctionner diferencia comparar comparación elegir mejor "
    "funcionar 区别 差异 差别 不同 比较 对比 选择"
)
"""Words that ask for a comparison or a choice, which an answer does not repeat."""

CONTRAST_FACTOR = 1.5
"""Factor of a sentence that sets things against each other, where things are compared."""

_CONTRAST = re.compile(
    r"\b(?:while|whereas|than|unlike|in contrast|but|instead|both|während|hingegen|dagegen|als|"
    r"sondern|beide|tandis que|alors que|contrairement|que|mientras que?|a diferencia|ambos)\b|"
    r"[而比但却]|相比|より|一方",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Stated:
    """A cited sentence of a section that can stand alone; `score` says how well it answers."""

    section: int
    text: str
    terms: frozenset[str]
    score: float


def summarise(asked: SummarisePrompt) -> str:
    """The head of a report, as JSON of `ReportSummary`.

    The position is the whole, general sentence nearest to what is asked first, or, where the
    question compares things and no sentence names all of them, one of each. The findings are the
    best sentence of each section, in order, and more of the best while there are few or it is
    shorter than asked.

    Returns:
        JSON; with an empty position where no section has a sentence that can stand alone.
    """
    language = asked.language
    sides = find_sides(asked.question, language)
    stated = _rank(list(_collect(asked)), asked.question, language)
    position = _choose_position(stated, asked, sides)
    chosen = list(position)
    for section in dict.fromkeys(one.section for one in sorted(stated, key=lambda s: s.section)):
        if len(chosen) - len(position) < MAX_FINDINGS:
            _take_best([one for one in stated if one.section == section], chosen)
    while _is_short(chosen, len(position), asked.words) and _take_best(stated, chosen):
        pass
    findings = sorted(chosen[len(position) :], key=lambda one: one.section)
    return ReportSummary.model_construct(
        position=" ".join(one.text for one in position), findings=[one.text for one in findings]
    ).model_dump_json()


def _collect(asked: SummarisePrompt) -> Iterator[_Stated]:
    """The sentences that may stand in a summary: cited prose that points at nothing before it."""
    for section, one in enumerate(asked.sections):
        opens = True
        for sentence, numbers in find_cited_sentences(one.text, asked.language):
            text = one.text[sentence.start : sentence.end]
            claim = strip_markers(text)
            if sentence.kind != "prose" or not numbers or not is_readable(claim):
                continue
            if not refers_back(claim):
                terms = frozenset(find_content_terms(claim, asked.language))
                yield _Stated(section, text, terms, OPENING_FACTOR if opens else 1.0)
            opens = False


def _rank(stated: Sequence[_Stated], question: str, language: str) -> list[_Stated]:
    """The sentences, best first: by the weight of the question's words that they hold."""
    spread = Counter(term for one in stated for term in one.terms)
    asked = set(find_content_terms(question, language))
    wanted = {
        term: math.log(1 + len(stated) / (0.5 + spread[term]))
        for term in asked - set(find_content_terms(FRAME, language)) or asked
        if spread[term]
    }

    def score(one: _Stated) -> float:
        held = sum(weight for term, weight in wanted.items() if term in one.terms)
        claim = strip_markers(one.text)
        is_weak = is_single_case(claim, question) or not has_verb(claim, language)
        return one.score * held * (WEAK_FACTOR if is_weak else 1.0) / math.sqrt(8 + len(one.terms))

    scored = [_Stated(one.section, one.text, one.terms, score(one)) for one in stated]
    return sorted((one for one in scored if one.score), key=lambda one: -one.score)


def _rank_answers(stated: Sequence[_Stated], asked: SummarisePrompt) -> list[_Stated]:
    """The sentences that can open a report, best first: whole, general, in the focus.

    A word counts the same however many sentences hold it: those that all hold are the subject.
    """
    question, language = asked.question, asked.language
    claims = [strip_markers(one.text) for one in stated]
    newest = find_newest_year(claims, asked.date)
    weights = weigh_focus(question, language)
    framing = set(find_content_terms(FRAME, language))
    wanted = {term: weight for term, weight in weights.items() if term not in framing} or weights
    answers = [
        replace(
            one,
            score=measure_focus(one.terms, wanted)
            * measure_telling(claim, question, newest)
            / math.sqrt(LENGTH_PIVOT + len(one.terms)),
        )
        for one, claim in zip(stated, claims, strict=True)
        if has_verb(claim, language) and not is_single_case(claim, question)
    ]
    return sorted(answers, key=lambda one: -one.score) or list(stated)


def _choose_position(
    stated: Sequence[_Stated], asked: SummarisePrompt, sides: Sequence[Side]
) -> list[_Stated]:
    """The sentence that answers best, or one for each thing that is compared."""
    language = asked.language
    stated = _rank_answers(stated, asked)
    named = [select_naming(stated, side, language) for side in sides]
    whole = [one for one in stated if all(one in group for group in named)]
    if sides and whole:
        whole = sorted(whole, key=lambda one: -one.score * _weigh_contrast(one))
    best = whole or stated
    if sides and not whole and all(named):
        chosen: list[_Stated] = []
        for group in named:
            _take_best(group, chosen)
        return chosen
    return list(best[:1])


def _is_short(chosen: Sequence[_Stated], position: int, words: int) -> bool:
    """Whether a further finding has its place; two characters without spaces count as a word."""
    length = sum(
        max(len(one.text.split()), len(KANA_OR_HAN.findall(one.text)) // 2) for one in chosen
    )
    findings = len(chosen) - position
    return findings < MIN_FINDINGS or (findings < MAX_FINDINGS and length < words)


def _weigh_contrast(one: _Stated) -> float:
    return CONTRAST_FACTOR if _CONTRAST.search(one.text) else 1.0


def _take_best(stated: Sequence[_Stated], chosen: list[_Stated]) -> bool:
    """Add the best sentence that says something new, if there is one."""
    for one in stated:
        if not any(is_duplicate(one.terms, other.terms) for other in chosen):
            chosen.append(one)
            return True
    return False
