"""What is asked of a library to fill a gap: the words of a sentence that says what is missing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.checked_sentence import extract_claim
from citations.cited_parts import join_cells, split_cells
from citations.content_terms import count_common_terms, find_content_terms
from citations.gap_answers import MIN_WORDS, find_terms
from citations.gap_phrases import (
    find_missing_subject,
    find_other_clauses,
    speaks_of_absence,
)
from text.sentences import Sentence, split_sentences

_PART_END = re.compile(r"[,;，、；]")

_ASKS_WHETHER = re.compile(
    r"(?:whether|if|ob|si|se|of)\b|是否|.*(?:かどうか|か否か)", re.IGNORECASE
)


def find_gaps(text: str, language: str) -> list[Sentence]:
    """The sentences, list items and rows of a section that say that sources lack something."""
    return [
        one
        for one in split_sentences(text, language)
        if one.kind in ("prose", "item", "table")
        and speaks_of_absence(text[one.start : one.end], language)
    ]


@dataclass(frozen=True)
class GapSubject:
    """What a sentence says is missing, its parts, and the queries for it, the nearest first.

    `is_exact`: words may make it sure that a passage tells it. They do not where the subject had to
    be told with other words, which are of something known, or where it asks for yes or no.
    """

    text: str
    parts: tuple[str, ...]
    queries: tuple[str, ...]
    is_exact: bool


def describe_gap(
    text: str, gap: Sentence, questions: Sequence[str], title: str, language: str
) -> GapSubject:
    """What a sentence says is missing, in words that can be searched for.

    "After how many hours" says nothing without the clause before it: a subject of few words is told
    with the rest of its sentence, else with the sentence before or the question of the section.

    Args:
        text: of the section.
        gap: a sentence of it that says that sources lack something.
        questions: that the section was to answer.
        title: of the section.
        language: of the text.

    Returns:
        Its parts are several things that are missing, or itself; its queries these, the subject,
        all that the sentence says with the one before, and the section's question.
    """
    said = _read(text[gap.start : gap.end])
    before = find_before(text, gap, language)
    if gap.kind == "table":
        subject = _name_cell(text[gap.start : gap.end], before, language)
    else:
        subject = find_missing_subject(said, language)
    asked = max(questions, key=lambda one: count_common_terms(one, said, language), default="")
    if not count_common_terms(asked, said, language):
        asked = ""
    exact = not _ASKS_WHETHER.match(subject)
    parts = [one for one in _split_parts(subject) if find_content_terms(one, language)]
    for beside in (*find_other_clauses(said, language), _read(before), asked, title):
        if len(find_terms(subject, language)) >= MIN_WORDS:
            break
        exact = False
        subject = f"{beside}; {subject}" if beside else subject
    # "remains open" would find what speaks of opening
    own = subject if gap.kind == "table" else find_missing_subject(said, language)
    whole = " ".join(filter(None, [_read(before), *find_other_clauses(said, language), own]))
    subject = subject.strip(" ;")
    parts = parts if len(parts) > 1 else [subject]
    queries = dict.fromkeys([*parts, subject, whole, asked])
    return GapSubject(subject, tuple(parts), tuple(filter(None, queries)), exact)


def _read(written: str) -> str:
    return extract_claim(join_cells(written) if written.startswith("|") else written)


def _name_cell(row: str, head: str, language: str) -> str:
    """What a row is about, and the heads of the columns that it leaves open."""
    cells, heads = split_cells(extract_claim(row)), split_cells(head)
    missing = [
        name
        for cell, name in zip(cells, heads, strict=False)
        if speaks_of_absence(f"| {cell} |", language)
    ]
    return " ".join(filter(None, [*cells[:2], *missing]))


def _split_parts(subject: str) -> Iterator[str]:
    for part in _PART_END.split(subject):
        if kept := part.strip():
            yield kept


def find_before(text: str, gap: Sentence, language: str) -> str:
    """What a gap is said of: the sentence before it in its paragraph, or the head of its table."""
    earlier = [one for one in split_sentences(text[: gap.start], language) if one.kind != "heading"]
    if gap.kind == "table":
        earlier = [one for one in earlier if "\n\n" not in text[one.start : gap.start]][:1]
    elif earlier and "\n" in text[earlier[-1].end : gap.start]:
        return ""
    return text[earlier[-1].start : earlier[-1].end] if earlier else ""
