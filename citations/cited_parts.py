"""What of a sentence each of its citations stands behind: a clause, or a cell of a table."""

import re
from collections import defaultdict
from collections.abc import Mapping

from citations.markers import find_markers, locate_markers, strip_markers
from text.tokens import content_weight, tokenise

MIN_TERMS = 3
"""Words of content of a part that can be judged by itself."""

_CELL_BORDER = re.compile(r"(?<!\\)\|")


def join_cells(row: str) -> str:
    """A row of a table as clauses, so that no cell's first capital is taken for a name."""
    return "; ".join(filter(None, split_cells(row)))


def split_cells(row: str) -> list[str]:
    """The cells of a row of a table, without what stands around them."""
    return [cell.strip() for cell in _CELL_BORDER.split(row)]


def find_cited_parts(text: str, kind: str, language: str) -> Mapping[int, str]:
    """The part of a sentence that each number stands behind, where that is not all of it.

    In a row it is the cell, with the first one, which names what the row is about. In prose it goes
    from the markers before to its own; what follows the last marker is part of the last.

    Args:
        text: the sentence, its markers normalised.
        kind: of its text.
        language: of the sentence.

    Returns:
        Parts without markers, by number; none with too few words to be judged.
    """
    parts = _list_cells(text) if kind == "table" else _list_clauses(text)
    joined = {number: "; ".join(found) for number, found in parts.items()} if len(parts) > 1 else {}
    return {n: part for n, part in joined.items() if _count_content(part, language) >= MIN_TERMS}


def _list_cells(row: str) -> Mapping[int, list[str]]:
    head, *cells = [cell for cell in map(str.strip, _CELL_BORDER.split(row)) if cell] or [""]
    found: defaultdict[int, list[str]] = defaultdict(list)
    for number in dict.fromkeys(find_markers(row)):
        found[number].append(strip_markers(head))
        found[number] += [strip_markers(cell) for cell in cells if number in find_markers(cell)]
    return found


def _list_clauses(text: str) -> Mapping[int, list[str]]:
    found: defaultdict[int, list[str]] = defaultdict(list)
    runs: list[tuple[int, int, list[int]]] = []
    for marker in locate_markers(text):
        if runs and not text[runs[-1][1] : marker.start].strip():
            first, _, numbers = runs.pop()
            runs.append((first, marker.end, [*numbers, marker.number]))
        else:
            runs.append((marker.start, marker.end, [marker.number]))
    start = 0
    for place, (first, end, numbers) in enumerate(runs):
        tail = text[end:] if place == len(runs) - 1 else ""
        for number in numbers:
            found[number].append(f"{text[start:first].rstrip()}{tail}".strip(" ,;"))
        start = end
    return found if len(runs) > 1 else {}


def _count_content(part: str, language: str) -> int:
    return sum(content_weight(term, language) == 1 for term in set(tokenise(part, language)))
