"""Tables on a terminal."""

from collections.abc import Sequence
from typing import Any


def show(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> None:
    """Print some columns of rows, each as wide as it has to be."""
    cells = [list(columns), *([_cell(row[name]) for name in columns] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    numeric = [all(isinstance(row[name], int | float | None) for row in rows) for name in columns]
    for line in cells:
        words = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        print("  ".join(words).rstrip())


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.1f}" if isinstance(value, float) else str(value)
