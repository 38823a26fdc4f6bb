"""Charts in a section's text: fenced blocks whose every number has to stand in a cited source."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from citations.claim_facts import SentenceFacts
from citations.evidence_span import SourcePassages
from citations.verdict import CitationVerdict, judge_claim
from schema.chart_spec import ChartSpec

_BLOCK = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?:chart|vega-lite|vegalite|vega)[ \t]*\n(?P<body>.*?)"
    r"(?:\n[ \t]*(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_LARGEST_BLOCK = 20_000
SCALES = ("", " thousand", " million", " billion", " trillion")
"""A row says 4.1 and its axis "million euros", where the source says 4.1 million."""

SOURCE_FIELD = "source"
"""The field of a row that names the number of its source."""


@dataclass(frozen=True)
class ChartBlock:
    """A fenced chart: `text[start:end]`, and what stands in it."""

    start: int
    end: int
    body: str


@dataclass(frozen=True)
class CheckedChart:
    """A chart whose numbers are all in their sources.

    `spec` is None where it can only stand as a table. `rows` begin with the headings; the last
    column of a row holds the marker of its source.
    """

    title: str
    spec: dict[str, Any] | None
    rows: list[list[str]]
    numbers: list[int]


def find_chart_blocks(text: str) -> list[ChartBlock]:
    """The fenced charts of a text, in order."""
    return [
        ChartBlock(found.start(), found.end(), found["body"]) for found in _BLOCK.finditer(text)
    ]


def check_chart(body: str, sources: Mapping[int, SourcePassages]) -> CheckedChart | None:
    """Check a chart.

    Args:
        body: JSON of a chart.
        sources: what was read of each source, by number.

    Returns:
        The chart, or its table where only the drawing cannot be done; None where a number is not
        in the source that its row names, or there is nothing to show.
    """
    try:
        given = json.loads(body[:_LARGEST_BLOCK])
        values = given["data"]["values"]
        title = str(given.get("title") or "")[:200]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if not _is_table(values) or not all(_is_supported(row, sources) for row in values):
        return None
    numbers = list(dict.fromkeys(int(row[SOURCE_FIELD]) for row in values))
    return CheckedChart(title, _parse_spec(given), _build_rows(values), numbers)


def judge_caption(
    title: str, rows: Sequence[Sequence[str]], number: int, source: SourcePassages
) -> CitationVerdict:
    """What a source says of a chart that cites it: its numbers were found there.

    Args:
        title: of the chart.
        rows: as of `CheckedChart`.
        number: of the source, as the last cells of the rows have it.
        source: what was read of it.
    """
    own = [row for row in rows[1:] if row[-1] == f"[{number}]"]
    values = "; ".join(" ".join(row[:-1]) for row in own)
    found = judge_claim(f"{title}: {values}", source)
    return replace(found, kind="supported" if found.kind == "supported" else "partial", reasons=())


def replace_chart_blocks(
    text: str, sources: Mapping[int, SourcePassages], first: int
) -> tuple[str, list[tuple[CheckedChart, str]], int, int]:
    """Put what can be shown of the charts of a text in the place of their blocks.

    Args:
        text: of a section.
        sources: what was read of each source, by number.
        first: number of its first chart in the report.

    Returns:
        The text; each chart with the caption that stands for it; how many became tables; how many
        were dropped.
    """
    shown: list[tuple[CheckedChart, str]] = []
    tables = dropped = 0
    pieces: list[str] = []
    end = 0
    for block in find_chart_blocks(text):
        found = check_chart(block.body, sources)
        replacement = ""
        if found is None:
            dropped += 1
        elif found.spec is None:
            tables += 1
            replacement = _render_table(found.rows)
        else:
            title = re.sub(r"[\[\]()\\\s]+", " ", found.title).strip()
            title = f"{title}:" if title.isdecimal() else title  # or it would be taken for a marker
            markers = "".join(f"[{number}]" for number in found.numbers)
            replacement = f"![{title}](chart:{first + len(shown)}) {markers}"
            shown.append((found, replacement))
        pieces += [text[end : block.start].strip("\n"), replacement]
        end = block.end
    pieces.append(text[end:].strip("\n"))
    return "\n\n".join(filter(str.strip, pieces)).strip(), shown, tables, dropped


def _render_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table in Markdown, the first one its headings; only the last cells hold markers."""
    escaped = [[*(_render_cell(cell) for cell in row[:-1]), row[-1]] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in escaped]
    return "\n".join([lines[0], "| --- " * len(rows[0]) + "|", *lines[1:]])


def _render_cell(text: str) -> str:
    """Words of a cell: one that could be taken for a marker, or would open code, is neither."""
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
        and any(True for _ in _find_numbers(row))
        for row in values
    )


def _find_numbers(row: Mapping[str, Any]) -> Iterator[int | float]:
    for name, value in row.items():
        if name != SOURCE_FIELD and isinstance(value, int | float) and not isinstance(value, bool):
            yield value


def _is_supported(row: Mapping[str, Any], sources: Mapping[int, SourcePassages]) -> bool:
    """Whether a row's source has each of its numbers, in whatever scale its axis names."""
    number = row.get(SOURCE_FIELD)
    source = sources.get(number) if isinstance(number, int) else None
    if source is None:
        return False
    return all(
        any(
            not source.facts.find_missing_numbers(
                SentenceFacts(f"{_format_number(value)}{scale}", "en")
            )
            for scale in SCALES
        )
        for value in _find_numbers(row)
    )


def _format_number(value: int | float) -> str:
    """A number in plain digits."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _parse_spec(given: Any) -> dict[str, Any] | None:
    try:
        spec = ChartSpec.model_validate(given)
    except ValidationError:
        return None
    fields = spec.data.values[0].keys()
    axes = spec.encoding.axes
    wanted = ("theta", "color") if spec.mark == "arc" else ("x", "y")
    whole = all(name in axes for name in wanted)
    return spec.to_vega_lite() if whole and all(a.field in fields for a in axes.values()) else None


def _build_rows(values: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    fields = [name for name in values[0] if name != SOURCE_FIELD]
    return [
        [*fields, ""],
        *([*(f"{row[name]}" for name in fields), f"[{row[SOURCE_FIELD]}]"] for row in values),
    ]
