"""A section changed by the words of an instruction: sentences go, sentences of the sources come."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from citations.edits import find_editable_sentences, replace_sentences, split_editable_sentences
from citations.markers import strip_markers
from models.extractive.candidates import find_content_terms
from models.extractive.section import (
    ParagraphPlan,
    collect_whole_sentences,
    is_duplicate,
    write_paragraphs,
)
from prompts.revise_text import NOT_DONE, ReviseTextPrompt
from text.sentences import Sentence

SHORTER_SHARE = 0.5
"""Share of a paragraph's sentences that stays where the section is to be shorter."""

ADDED_SENTENCES = 3
"""Sentences added on what an instruction names, or on a question where it is to be longer."""

_CLAUSE = re.compile(
    r"[,;.:!?，。；：！？、\n]+|\b(?:and|but|then|und|aber|dann|et|mais|puis|y|pero|e|ma)\b|和|并|但|然后",
    re.IGNORECASE,
)
_SHORTER = re.compile(
    r"\b(?:short\w*|brief\w*|concise\w*|tight\w*|cut down|condense\w*|kürz\w*|kurz\w*|knapp\w*|"
    r"court\w*|raccourci\w*|bref|brève|breve\w*|cort[oa]s?|acorta\w*|conciso)\b|短|精简|简短|缩",
    re.IGNORECASE,
)
_LONGER = re.compile(
    r"\b(?:long\w*|detail\w*|expand\w*|elaborate\w*|länger|ausführlich\w*|plus long\w*|"
    r"développe\w*|détail\w*|larg[oa]s?|amplía\w*|detalle\w*)\b|长|详细|展开",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:without|remove|drop|omit|delete|leave out|leave away|no|not|don't|ohne|entfern\w*|"
    r"streich\w*|weglassen|lass\w*|kein\w*|sans|supprime\w*|enlève\w*|sin|quita\w*|elimina\w*)\b|"
    r"不要|删|去掉|省略",
    re.IGNORECASE,
)
_ABOUT_FORM = re.compile(
    r"\b(?:make|add|include|mention|write|say|tell|more|less|please|section|text|paragraphs?|"
    r"sentences?|also|out|away|keep|give|use|focus|mach\w*|füge?|hinzu|ergänz\w*|nenn\w*|"
    r"schreib\w*|mehr|weniger|bitte|abschnitts?|auch|ajoute\w*|écri\w*|rends|section|moins|aussi|"
    r"añad\w*|agreg\w*|escrib\w*|más|menos|sección|también)\b|请|添加|加上|增加|写|更|段落|这一?节|部分",
    re.IGNORECASE,
)

_PLACE = re.compile(
    r"\b(?:sections?|abschnitt\w*|kapitel\w*|parties?|sección|secciones)\s+\d{1,2}\b|"
    r"第\s*\d{1,2}\s*(?:节|部分)",
    re.IGNORECASE,
)
"""Which section is meant: no subject, though sentences hold the figure."""


@dataclass
class _Instruction:
    """What an instruction comes to, for who can only choose sentences; words by their terms."""

    shorter: bool = False
    longer: bool = False
    about: list[dict[str, str]] = field(default_factory=list)
    without: list[frozenset[str]] = field(default_factory=list)


def revise_text(asked: ReviseTextPrompt) -> str:
    """Do what of an instruction needs no language model, and say what was not done.

    Understood are shorter and longer, what is to be left out, and what is to be spoken of. A draft
    that nothing of it changes comes back as it is.
    """
    instruction, draft = _parse_instruction(asked), asked.draft
    remaining = _cut_draft(draft, instruction, asked)
    known_terms = [
        frozenset(find_content_terms(strip_markers(one), asked.language))
        for one in split_editable_sentences(remaining, asked.language)
    ]
    pool = collect_whole_sentences(asked.sources)
    known = frozenset[str]().union(*(one.terms for one in pool))
    new = [one for one in pool if not any(is_duplicate(one.terms, other) for other in known_terms)]
    new = [one for one in new if not any(out <= one.terms for out in instruction.without)]
    around = find_content_terms(asked.title, asked.language)
    wanted = [
        ParagraphPlan([*around, *words], ADDED_SENTENCES, frozenset(words))
        for words in instruction.about
        if known & words.keys()
    ]
    if instruction.longer:
        wanted += [
            ParagraphPlan([*around, *find_content_terms(one, asked.language)], ADDED_SENTENCES)
            for one in asked.questions
        ]
    text = "\n\n".join(filter(None, [remaining, *write_paragraphs(asked, new, wanted)]))
    missing = [
        word for words in instruction.about for term, word in words.items() if term not in known
    ]
    return f"{text}\n\n{NOT_DONE} {_describe_not_done(missing)}"


def _parse_instruction(asked: ReviseTextPrompt) -> _Instruction:
    instruction = _Instruction()
    for clause in _CLAUSE.split(asked.instruction):
        instruction.shorter |= bool(_SHORTER.search(clause))
        instruction.longer |= bool(_LONGER.search(clause))
        bare = clause
        for form in (_PLACE, _SHORTER, _LONGER, _WITHOUT, _ABOUT_FORM):
            bare = form.sub(" ", bare)
        words = {
            term: word
            for word in re.findall(r"\w+", bare)
            for term in find_content_terms(word, asked.language)
        }
        if words and _WITHOUT.search(clause):
            instruction.without.append(frozenset(words))
        elif words:
            instruction.about.append(words)
    return instruction


def _cut_draft(draft: str, instruction: _Instruction, asked: ReviseTextPrompt) -> str:
    """The draft without what is to be left out and, where it is to be shorter, cut by paragraph.

    The first sentences of a paragraph stay: what follows most often leans on them.
    """
    paragraphs: list[list[Sentence]] = []
    end = 0
    for one in find_editable_sentences(draft, asked.language):
        if not paragraphs or "\n\n" in draft[end : one.start]:
            paragraphs.append([])
        if not _is_about(draft[one.start : one.end], instruction.without, asked.language):
            paragraphs[-1].append(one)
        end = one.end
    if instruction.shorter:
        paragraphs = [held[: math.ceil(SHORTER_SHARE * len(held))] for held in paragraphs]
    stays = {one.start for held in paragraphs for one in held}
    gone = [
        (one, "")
        for one in find_editable_sentences(draft, asked.language)
        if one.start not in stays
    ]
    return replace_sentences(draft, gone)


def _is_about(text: str, subjects: Sequence[frozenset[str]], language: str) -> bool:
    terms = frozenset(find_content_terms(strip_markers(text), language))
    return any(subject <= terms for subject in subjects)


def _describe_not_done(missing: list[str]) -> str:
    reason = "without a language model nothing was rephrased"
    if not missing:
        return f"{reason}, sentences were chosen by the words of the instruction."
    named = ", ".join(f"“{word}”" for word in dict.fromkeys(missing))
    return f"{reason}; no source at hand speaks of {named}."
