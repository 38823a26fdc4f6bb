"""Parts of Markdown, for the documents of services that have a format of their own."""

import re
from collections.abc import Iterable, Sequence

from connectors.files.dates import iso_date


def fence_code(text: str, language: str = "") -> str:
    """A block of code, in a fence longer than any run of backquotes inside."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def indent_lines(text: str, first: str, others: str = "") -> str:
    """Lines behind a marker, such as `- `.

    Args:
        text: one line or several.
        first: the marker, before the first line.
        others: what stands before the rest; "" for as many spaces as the marker has characters.
    """
    head, *rest = text.split("\n")
    space = others or " " * len(first)
    return "\n".join(line.rstrip() for line in (first + head, *(space + line for line in rest)))


def format_table(rows: Iterable[Sequence[str]]) -> str:
    """A table of cells; its first row is the header, as Markdown has none without.

    Rows without text are left out, and a cell is one line.
    """
    lines = list[str]()
    for cells in rows:
        if not any(cells):
            continue
        shown = (" ".join(text.split()).replace("|", "\\|") for text in cells)
        lines.append(f"| {' | '.join(shown)} |")
        if len(lines) == 1:
            lines.append(f"|{' --- |' * len(cells)}")
    return "\n".join(lines)


def format_comment(author: str, created: str, text: str) -> str:
    """A comment behind its author and date; "" where it says nothing."""
    return f"{author or 'Somebody'}, {iso_date(created)}: {text}" if text else ""
