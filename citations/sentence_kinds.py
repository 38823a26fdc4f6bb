"""What each sentence of a section does: fact, synthesis, gap or structure. No model.

A sentence that cites is a fact. One that does not is a fact all the same where it says something
that the cited sentences near it do not bear out: a figure, a date or a name that neither they nor
their sources have, or words of a subject that they do not speak of. What is left says what the
sources do not say, leads over, or follows from what is cited.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from citations.claim_facts import SentenceFacts
from citations.conclusion_forms import gives_view, infers, refers_back
from citations.content_terms import find_content_terms
from citations.formulas import find_formulas
from citations.gap_phrases import find_other_clauses, speaks_of_absence
from citations.general_words import (
    draws_conclusion,
    has_general_words,
    points_elsewhere,
    weighs_decision,
)
from citations.grounds import list_results, list_worked_out
from citations.section_context import SectionContext, is_count, recalls
from citations.source_facts import count_listed
from schema.report import SentenceKind
from text.sentences import Sentence

MAX_NEW_SHARE, MAX_NEW_SHARE_CONCLUDING, MAX_NEW_SHARE_DECIDING = 0.2, 0.45, 0.67
"""Share of a sentence's words of content that may be new where it follows from others: where it
does not say so, where it says that it concludes, and where it says what a decision depends on; the
last also in languages whose general words are not listed."""

MAX_NEW_SHARE_INFERRING = 0.5
"""The same of a sentence that says that it follows from the cited ones right before it."""

MAX_NEW_SHARE_BESIDE = 0.4
"""The same of a sentence in one block with cited ones, of words that their sources lack as well: it
says what they come to. Of 162 labelled facts, put there, it lets 1 more stand; 0.5 lets 5 to 7."""

MAX_NEW_DECIDING = 2
"""New words of a sentence that says what a decision depends on, and has no known one."""

MAX_NEW_ADVISING, MAX_NEW_BIGRAMS = 4, 12
"""New words of a sentence right behind cited ones that says what to do, or what is good enough: it
names its reader's situation. It may have more where it has as many known ones. The second, pairs of
characters of Chinese and Japanese."""

MAX_NEW_ADVISING_SHORT = 3
"""New words of a short view right behind cited sentences that has no word of theirs."""

MAX_NEW_SHARE_POINTING = 0.8
"""The same of a sentence that leads to a table or another section: it names what stands there."""

Position = Literal["behind", "ahead"]
"""Where a sentence stands: behind a cited one in its block, or first, and ahead of one."""

_QUESTION = re.compile(r"[?？؟][\s\"'”’»」*_)]*$")
_LEAD_IN = re.compile(r"[:：][\s*_]*$")
_TITLE = re.compile(r"^\s*(?:\*\*[^*\n]+\*\*|__[^_\n]+__)\s*$")
_TITLE_WORDS = 10
_VERDICT = re.compile(
    r"^\s*(?:\*\*[^*\n]+[:：]\*\*|\*\*[^*\n]+\*\*[:：])\s*(?=.{1,50}$)"
    r"[^\s:：]+(?:\s+[^\s:：]+){0,5}$"
)
"""An item's label and the few words that are its verdict: "**Lowest cost:** brine."."""


@dataclass(frozen=True)
class Classified:
    """What a sentence does, and the numbers of cited sentences near it."""

    kind: SentenceKind
    numbers: tuple[int, ...]


def classify_sentence(
    context: SectionContext,
    place: int,
    text: str,
    shape: Sentence,
    *,
    positions: Collection[Position] = (),
    is_header: bool = False,
    counted: int = 0,
) -> Classified:
    """Say what a sentence without a citation does.

    Args:
        context: of its section.
        place: its position among the sentences.
        text: the sentence.
        shape: what kind of text it is: prose, an item or a row of a table.
        positions: beside cited sentences; below a table it may have both.
        is_header: whether it is the first row of a table.
        counted: rows or items of the table or list right behind it, which it may count.
    """
    near = context.find_neighbours(place, text)
    if counted and _counts_what_follows(context, text, counted):
        return Classified("structure", near)
    kind = "structure" if is_header else _choose_kind(context, text, shape, positions)
    return Classified(kind, near)


def _choose_kind(
    context: SectionContext, text: str, shape: Sentence, positions: Collection[Position]
) -> SentenceKind:
    language = context.language
    if speaks_of_absence(text, language):
        others = find_other_clauses(text, language)
        return "gap" if all(_follows(context, one) for one in others) else "fact"
    said = SentenceFacts(text, language)
    if shape.kind != "table" and _TITLE.match(text) and len(text.split()) <= _TITLE_WORDS:
        return "fact" if context.has_new_facts(said) else "structure"
    if shape.kind == "item" and _VERDICT.match(text):
        return "fact" if context.has_new_facts(said) else "synthesis"
    if _QUESTION.search(text) or _LEAD_IN.search(text) or points_elsewhere(text, language):
        return "structure" if _leads_over(context, text, said) else "fact"
    if shape.kind != "table" and _follows(context, text, positions):
        known, new = context.find_new_terms(text)
        forms = (draws_conclusion, weighs_decision, gives_view, infers)
        views = any(has_form(text, language) for has_form in forms)
        return "synthesis" if known or new or views else "structure"
    return "fact"


def _counts_what_follows(context: SectionContext, text: str, counted: int) -> bool:
    """Whether a sentence leads to a table or list by the number of its rows, and says little more.

    Half of its words of content may be new: they say what the rows have in common.
    """
    said = SentenceFacts(text, context.language)
    counts = {int(one.value) for one in said.quantities if is_count(one, said.text)}
    if counted not in counts or context.has_new_facts(said):
        return False
    known, new = context.find_new_terms(text)
    return len(new) <= len(known)


def _leads_over(context: SectionContext, text: str, said: SentenceFacts) -> bool:
    if context.has_new_facts(said):
        return False
    if not points_elsewhere(text, context.language):
        return True
    known, new = context.find_new_terms(text)
    return len(new) <= MAX_NEW_SHARE_POINTING * (len(known) + len(new)) or len(new) <= 5


def _follows(context: SectionContext, text: str, positions: Collection[Position] = ()) -> bool:
    """Whether a sentence says nothing that the cited sentences do not bear out.

    Right behind them it may say what they mean for a reader of whom they do not speak, and ahead of
    them what they come to.
    """
    said = SentenceFacts(text, context.language)
    if context.has_new_facts(said) or context.is_denied(said):
        return False
    is_close = "behind" in positions
    formulas = find_formulas(text, said.quantities)
    inferring = is_close and (
        infers(text, context.language) or refers_back(text, context.language) or bool(formulas)
    )
    known, new = context.find_new_terms(text, in_sources=inferring)
    counts = [
        one
        for one in said.quantities
        if is_count(one, said.text)
        and not one.is_loose
        # "thus more than half" counts nothing: it compares figures that are known
        and (one.value % 1 == 0 or not infers(text, context.language))
        and one.value != count_listed(text)
        and not any(one.value in formula.operands for formula in formulas)
    ]
    if new and not all(recalls(one, said.text) for one in counts):
        return False
    if not new or _sums_up(context, text, positions):
        return True
    words = len(known) + len(new)
    if positions and _advises(context.language, text, known, new):
        return True
    if weighs_decision(text, context.language):
        return len(new) <= (MAX_NEW_SHARE_DECIDING * words if known else MAX_NEW_DECIDING)
    if not has_general_words(context.language):
        return bool(known) and len(new) <= MAX_NEW_SHARE_DECIDING * words
    if inferring or draws_conclusion(text, context.language):
        share = MAX_NEW_SHARE_INFERRING if inferring else MAX_NEW_SHARE_CONCLUDING
        return bool(known) and (len(new) == 1 or len(new) <= share * words)
    return len(new) <= MAX_NEW_SHARE * words


def _sums_up(context: SectionContext, text: str, positions: Collection[Position]) -> bool:
    """Whether a sentence beside cited ones says in words of their sources what they come to."""
    known, new = context.find_new_terms(text, in_sources=True)
    most = MAX_NEW_SHARE_BESIDE * (len(known) + len(new))
    return bool(positions and known) and len(new) <= most


def may_stand(context: SectionContext, text: str, sums: Sequence[str] = ()) -> bool:
    """Whether a sentence may stand on the grounds that its writer gives for it.

    It brings no date or name of its own, no figure but what two others or its writer's `sums` come
    to, and hardly a word of which neither the cited sentences near it nor their sources speak, or
    says that it follows. What it advises ("raise it where ...") need not be what the cited do.
    """
    said = SentenceFacts(text, context.language)
    if context.has_new_facts(said, trusts_sums=True, sums=sums):
        return False
    reckons = list_worked_out(said, list_results(tuple(sums), context.language))
    if context.is_denied(said) and not (reckons or gives_view(text, context.language)):
        return False
    known, new = context.find_new_terms(text, in_sources=True)
    figures = " ".join(text[one.start : one.end] for one in said.quantities)
    new -= find_content_terms(figures, context.language)  # "six" was asked about above
    most = MAX_NEW_SHARE_DECIDING * (len(known) + len(new))
    concludes = infers(text, context.language) or gives_view(text, context.language)
    follows = concludes or len(new) <= most
    return len(new) <= MAX_NEW_DECIDING or (bool(known) and follows)


def _advises(language: str, text: str, known: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a sentence gives a view that says that it follows, or has a word of the cited."""
    if not gives_view(text, language):
        return False
    if not known and not infers(text, language):
        return len(new) <= MAX_NEW_ADVISING_SHORT
    most = MAX_NEW_BIGRAMS if language in ("zh", "ja") else MAX_NEW_ADVISING
    return len(new) <= max(most, len(known))


def is_header_row(text: str, sentence: Sentence) -> bool:
    """Whether a row of a table is its first: the line of dashes follows."""
    end = text.find("\n", sentence.start)
    if sentence.kind != "table" or end < 0:
        return False
    below = text[end + 1 :].partition("\n")[0]
    return "-" in below and not below.strip(" \t|:-")
