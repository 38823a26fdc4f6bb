"""Charts in a section's text: fenced blocks whose every number has to stand in a cited source."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from retrieval.facts import Facts
from retrieval.support import Support
from schema.charts import ChartSpec

_BLOCK = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?:chart|vega-lite|vegalite|vega)[ \t]*\n(?P<body>.*?)"
    r"(?:\n[ \t]*(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_LARGEST = 20_000
SCALES = ("", " thousand", " million", " billion", " trillion")
"""A row says 4.1 and its axis "million euros", where the source says 4.1 million."""

SOURCE = "source"
"""The field of a row that names the number of its source."""


@dataclass(frozen=True)
class Block:
    """A fenced chart: `text[start:end]`, and what stands in it."""

    start: int
    end: int
    body: str


@dataclass(frozen=True)
class Drawn:
    """A chart whose numbers are all in their sources.

    `spec` is None where it can only stand as a table. `rows` begin with the headings; the last
    column of a row holds the mark of its source.
    """

    title: str
    spec: dict[str, Any] | None
    rows: list[list[str]]
    numbers: list[int]


def blocks(text: str) -> list[Block]:
    """The fenced charts of a text, in order."""
    return [Block(found.start(), found.end(), found["body"]) for found in _BLOCK.finditer(text)]


def drawn(body: str, sources: Mapping[int, Support]) -> Drawn | None:
    """Check a chart.

    Args:
        body: JSON of a chart.
        sources: what was read of each source, by number.

    Returns:
        The chart, or its table where only the drawing cannot be done; None where a number is not
        in the source that its row names, or there is nothing to show.
    """
    try:
        given = json.loads(body[:_LARGEST])
        values = given["data"]["values"]
        title = str(given.get("title") or "")[:200]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if not _is_table(values) or not all(_is_borne_out(row, sources) for row in values):
        return None
    numbers = list(dict.fromkeys(int(row[SOURCE]) for row in values))
    return Drawn(title, _spec(given), _rows(values), numbers)


def placed(
    text: str, sources: Mapping[int, Support], first: int
) -> tuple[str, list[tuple[Drawn, str]], int, int]:
    """Put what can be shown of the charts of a text in the place of their blocks.

    Args:
        text: of a section.
        sources: what was read of each source, by number.
        first: number of its first chart in the report.

    Returns:
        The text; each chart with the caption that stands for it; how many became tables; how many
        were dropped.
    """
    shown: list[tuple[Drawn, str]] = []
    tables = dropped = 0
    pieces: list[str] = []
    end = 0
    for block in blocks(text):
        found = drawn(block.body, sources)
        said = ""
        if found is None:
            dropped += 1
        elif found.spec is None:
            tables += 1
            said = _table(found.rows)
        else:
            title = re.sub(r"[\[\]()\\\s]+", " ", found.title).strip()
            title = f"{title}:" if title.isdecimal() else title  # or it would be taken for a mark
            marks = "".join(f"[{number}]" for number in found.numbers)
            said = f"![{title}](chart:{first + len(shown)}) {marks}"
            shown.append((found, said))
        pieces += [text[end : block.start].strip("\n"), said]
        end = block.end
    pieces.append(text[end:].strip("\n"))
    return "\n\n".join(filter(str.strip, pieces)).strip(), shown, tables, dropped


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table in Markdown, the first one its headings; only the last cells hold marks."""
    escaped = [[*(_cell(cell) for cell in row[:-1]), row[-1]] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in escaped]
    return "\n".join([lines[0], "| --- " * len(rows[0]) + "|", *lines[1:]])


def _cell(text: str) -> str:
    """Words of a cell: one that could be taken for a mark, or would open code, is neither."""
    plain = text.translate({ord("["): "(", ord("]"): ")", ord("`"): "'"})
    return " ".join(plain.replace("|", "\\|").split())


def _is_table(values: Any) -> bool:
    """Whether all rows are small, flat and of the same fields, with a number among them."""
    if not isinstance(values, list) or not 2 <= len(values) <= 60:
        return False
    if not all(isinstance(row, dict) and 2 <= len(row) <= 8 for row in values):
        return False
    fields = values[0].keys()
    return all(
        row.keys() == fields
        and all(isinstance(value, str | int | float) for value in row.values())
        and any(True for _ in _figures(row))
        for row in values
    )


def _figures(row: Mapping[str, Any]) -> Iterator[int | float]:
    for name, value in row.items():
        if name != SOURCE and isinstance(value, int | float) and not isinstance(value, bool):
            yield value


def _is_borne_out(row: Mapping[str, Any], sources: Mapping[int, Support]) -> bool:
    """Whether a row's source has each of its numbers, in whatever scale its axis names."""
    number = row.get(SOURCE)
    source = sources.get(number) if isinstance(number, int) else None
    if source is None:
        return False
    return all(
        any(
            not source.stated.missing_figures(Facts(f"{_written(value)}{scale}", "en"))
            for scale in SCALES
        )
        for value in _figures(row)
    )


def _written(value: int | float) -> str:
    """A number in plain digits."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _spec(given: Any) -> dict[str, Any] | None:
    try:
        spec = ChartSpec.model_validate(given)
    except ValidationError:
        return None
    fields = spec.data.values[0].keys()
    axes = spec.encoding.axes
    wanted = ("theta", "color") if spec.mark == "arc" else ("x", "y")
    whole = all(name in axes for name in wanted)
    return spec.vega_lite() if whole and all(a.field in fields for a in axes.values()) else None


def _rows(values: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    fields = [name for name in values[0] if name != SOURCE]
    return [
        [*fields, ""],
        *([*(f"{row[name]}" for name in fields), f"[{row[SOURCE]}]"] for row in values),
    ]
