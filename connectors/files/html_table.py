"""The rows of a table of a web page."""

from typing import Any

MAX_SPAN = 20
"""Columns or rows of one cell that count."""
MAX_COLUMNS = 200

_ROWS = "tr|thead/tr|tbody/tr|tfoot/tr"
_INNER = "boolean(.//table|.//h1|.//h2|.//h3|.//h4|.//h5|.//h6)"


def read_rows(table: Any) -> list[list[Any]] | None:
    """The cells of each row, all rows of one length: None is a place that another cell covers.

    Returns:
        None for a table that is there for the page's layout: one that holds another or headings,
        says so, or has a single row without a header.
    """
    if table.get("role") in ("presentation", "none") or table.xpath(_INNER):
        return None
    rows = table.xpath(_ROWS)
    is_single = len(rows) < 2 and table.find(".//th") is None and table.find("caption") is None
    if not rows or is_single:
        return None
    covered = dict[int, int]()
    grid = [_place_cells(row, covered) for row in rows]
    width = max(map(len, grid))
    return [row + [None] * (width - len(row)) for row in grid]


def _place_cells(row: Any, covered: dict[int, int]) -> list[Any]:
    """One row; `covered` says for how many more rows a cell from above takes a column."""
    places = list[Any]()
    for cell in row:
        if cell.tag not in ("td", "th"):
            continue
        _skip_covered(places, covered)
        if len(places) >= MAX_COLUMNS:
            break
        columns, rows = _read_span(cell, "colspan"), _read_span(cell, "rowspan")
        for column in range(len(places), len(places) + columns):
            if rows > 1:
                covered[column] = rows - 1
        places += [cell] + [None] * (columns - 1)
    _skip_covered(places, covered)
    return places


def _skip_covered(places: list[Any], covered: dict[int, int]) -> None:
    while left := covered.get(len(places)):
        covered[len(places)] = left - 1
        places.append(None)


def _read_span(cell: Any, name: str) -> int:
    value = cell.get(name, "1")
    return (
        min(max(int(value), 1), MAX_SPAN)
        if value.isascii() and value.isdecimal() and len(value) < 6
        else 1
    )
