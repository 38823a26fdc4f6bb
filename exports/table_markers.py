"""Markers of a table on paper: one for a column or a row that rests on the same sources."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

_BORDER = re.compile(r"(?<!\\)\|")
_OUTER = re.compile(r"^\||(?<!\\)\|$")
_DELIMITER = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_ENDS_CITED = re.compile(r"^(.*?)\s*((?:\[\d{1,4}\])+)$", re.DOTALL)
_MARKER = re.compile(r"\[\d{1,4}\]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_NOTHING = frozenset({"", "-", "–", "—", "n/a"})


def gather_markers(text: str) -> str:
    """A text whose tables say once what they rest on, where it is the same for many cells.

    A column whose cells all cite the same is cited in its heading; of a row that does, the last
    cell cites. Nothing that cited nothing gets a marker so: where one cell does not, all stay, and
    so do those of a column that holds nothing else.
    """
    lines, kept = text.split("\n"), list[str]()
    fenced = False
    for is_row, block in groupby(lines, lambda line: bool(_BORDER.search(line))):
        found = list(block)
        if is_row and not fenced and len(found) > 2 and _DELIMITER.fullmatch(found[1]):
            kept += _gather(found)
        else:
            kept += found
        fenced ^= sum(bool(_FENCE.match(line)) for line in found) % 2 == 1
    return "\n".join(kept)


def _gather(lines: Sequence[str]) -> Iterator[str]:
    rows = [_split_row(line) for line in lines]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        yield from lines
        return
    head, delimiter, *body = rows
    for column in range(1, width):
        cells = [row[column] for row in body]
        marks = "" if any(cell and not _cut_marks(cell) for cell in cells) else _find_common(cells)
        if marks and not _MARKER.search(head[column]):
            head[column] = f"{head[column]} {marks}".strip()
            for row in body:
                row[column] = _cut_marks(row[column])
    for row in body:
        if _find_common(row[1:]):
            row[1:-1] = [_cut_marks(cell) for cell in row[1:-1]]
    yield from (f"| {' | '.join(row)} |" for row in (head, delimiter, *body))


def _split_row(line: str) -> list[str]:
    return [cell.strip() for cell in _BORDER.split(_OUTER.sub("", line.strip()))]


def _find_common(cells: Sequence[str]) -> str:
    """The markers that two or more cells end with, and all that say something; else nothing."""
    said = [cell for cell in cells if cell not in _NOTHING]
    ends = [found for cell in said if (found := _ENDS_CITED.match(cell))]
    marks = {found[2] for found in ends}
    inside = any(_MARKER.search(found[1]) for found in ends)
    return marks.pop() if len(marks) == 1 < len(said) == len(ends) and not inside else ""


def _cut_marks(cell: str) -> str:
    found = _ENDS_CITED.match(cell)
    return found[1] if found else cell
