"""The header of a table in Markdown for a passage that begins among its rows."""

import re

LONGEST_TABLE = 50_000
"""Characters before a passage in which the header of its table is looked for."""

LONGEST_CAPTION = 300

_ROW = re.compile(r"\s*\|")
_SEPARATOR = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|?)+\s*$")


def begins_with_row(text: str) -> bool:
    """Whether a text begins with a row of a table."""
    return bool(_ROW.match(text))


def find_table_header(before: str, text: str) -> str:
    """The caption and header row of the table in whose rows a text begins.

    Args:
        before: what stands before the text in its document.
        text: begins with a row.

    Returns:
        Lines as they stand in `before`; "" where the text begins a table, or the header is not
        found.
    """
    own = text.lstrip().splitlines()[:2]
    if any(_SEPARATOR.match(line) for line in own[1:]):
        return ""
    lines = before.rstrip().splitlines()
    first = len(lines)
    while first and _ROW.match(lines[first - 1]):
        first -= 1
    rows = lines[first:]
    head = [*rows, *own[:1]][:2]
    if not rows or len(head) < 2 or not _SEPARATOR.match(head[1]):
        return ""
    above = [line for line in lines[:first] if line.strip()][-1:]
    caption = [line for line in above if _is_caption(line)]
    return "\n".join([*(f"{line}\n" for line in caption), *rows[:2]])


def _is_caption(line: str) -> bool:
    return len(line) <= LONGEST_CAPTION and bool(
        re.match(r"\s*(?:\*\*|__|Tab(?:le|elle|leau|la|\.))", line)
    )
