"""Tables of the sources that a section takes over as they stand, each row cited."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.extractive.candidates import find_content_terms, strip_markup
from models.extractive.question_type import find_asked_kinds
from prompts.template import SourceText
from text.language import detect_language
from text.tokens import tokenise

MIN_ROWS, MAX_ROWS = 2, 12
"""Rows of a table below its header."""

MIN_COLUMNS, MAX_COLUMNS = 2, 7

MAX_CHARACTERS = 1_500

_TABLE = re.compile(r"^\|.+\|[ \t]*\n\|[ \t:|-]+\|[ \t]*\n(?:\|.*\|[ \t]*(?:\n|$))+", re.MULTILINE)
_CELL_END = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class SourceTable:
    """A table in Markdown; `terms` are those of its cells, `context` those that stand above it."""

    source: int
    text: str
    words: int
    terms: frozenset[str]
    context: frozenset[str]


def collect_tables(sources: Sequence[SourceText]) -> list[SourceTable]:
    """The tables of all sources that are small enough for a report."""
    return [one for source in sources for one in _find_tables(source)]


def _find_tables(source: SourceText) -> Iterator[SourceTable]:
    language = detect_language("\n".join(source.passages))
    for heading, passage in zip(source.headings, source.passages, strict=True):
        context = frozenset(tokenise(f"{source.title} {heading}", language))
        for found in _TABLE.finditer(passage):
            lines = found[0].strip().split("\n")
            header, *rows = (_split_row(line) for at, line in enumerate(lines) if at != 1)
            if not _is_fit([header, *rows]):
                continue
            plain = " ".join(cell for row in [header, *rows] for cell in row)
            yield SourceTable(
                source.number,
                _join_rows(header, rows, source.number),
                len(plain.split()),
                frozenset(find_content_terms(plain, language)) | find_asked_kinds(" ".join(header)),
                context,
            )


def _split_row(line: str) -> list[str]:
    return [strip_markup(cell) for cell in _CELL_END.split(line.strip().strip("|"))]


def _is_fit(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the rows are of one length, few enough, and none but the first cell is empty."""
    width, size = len(rows[0]), sum(len(cell) for row in rows for cell in row)
    return (
        MIN_ROWS < len(rows) <= MAX_ROWS + 1
        and MIN_COLUMNS <= width <= MAX_COLUMNS
        and size <= MAX_CHARACTERS
        and all(len(row) == width and all(row[1:]) for row in rows)
    )


def _join_rows(header: Sequence[str], rows: Sequence[Sequence[str]], number: int) -> str:
    """A table in Markdown whose last cells hold the number of its source."""
    cited = [[*row[:-1], f"{row[-1]} [{number}]"] for row in rows]
    lines = [header, ["---"] * len(header), *cited]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
