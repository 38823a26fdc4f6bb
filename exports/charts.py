"""Charts of a report as images, drawn from nothing but their own values.

Each is drawn in a process of its own: native code draws, and ends its process over a character that
it cannot set.
"""

import re
import subprocess
import sys
from typing import Any

from exports.programs import run_program
from schema.report import Chart

DEADLINE = 30.0
"""Seconds that one chart may take; one second is usual, most of it to start."""

VEGA_LITE = "6.4"
"""The version that draws. A chart's own `$schema` may name an older one, which it still reads."""

_FETCHING_KEYS = frozenset({"url", "href"})
# A few characters of these make any number of rows.
_GENERATING_KEYS = frozenset({"sequence", "density", "graticule"})
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SLANTED_LABELS = {"labelAngle": -35}  # names below an axis are long
_OPTIONS = {
    "vl_version": VEGA_LITE,
    "config": {
        "background": "white",
        "font": "sans-serif",
        "axisXBand": _SLANTED_LABELS,
        "axisXPoint": _SLANTED_LABELS,
    },
    "allowed_base_urls": [],
}
_DRAW_SCRIPT = """
import json, sys, vl_convert
maker, spec, options = json.load(sys.stdin)
drawn = getattr(vl_convert, maker)(spec, **options)
sys.stdout.buffer.write(drawn if isinstance(drawn, bytes) else drawn.encode())
"""


def draw_svg(chart: Chart) -> str | None:
    """Draw a chart as SVG, on white, without its title, which is the caption's to tell.

    Returns:
        The SVG; None where it cannot be drawn: the extra `export` is not installed, or the
        specification is unsound or names anything outside of itself. Show `rows` then.
    """
    drawn = _draw_chart(chart, "vegalite_to_svg", _OPTIONS)
    return None if drawn is None else drawn.decode()


def draw_png(chart: Chart) -> bytes | None:
    """Draw a chart as PNG, on white, at two pixels a point; None where it cannot be drawn."""
    return _draw_chart(chart, "vegalite_to_png", {**_OPTIONS, "scale": 2})


def _draw_chart(chart: Chart, maker: str, options: dict[str, Any]) -> bytes | None:
    if not chart["spec"]:
        return None
    try:
        spec = _sanitise_spec({key: one for key, one in chart["spec"].items() if key != "title"})
        command = [sys.executable, "-P", "-c", _DRAW_SCRIPT]
        return run_program(command, [maker, spec, options], DEADLINE)
    except (ValueError, RecursionError, subprocess.SubprocessError):
        return None


def _sanitise_spec(value: Any) -> Any:
    """A specification without characters that no image can hold.

    Raises:
        ValueError: it names what is to be fetched, or makes rows that it does not hold.
    """
    if isinstance(value, dict):
        if not (_FETCHING_KEYS | _GENERATING_KEYS).isdisjoint(value):
            raise ValueError("A chart may show only the values that it holds.")
        return {_sanitise_spec(key): _sanitise_spec(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_sanitise_spec(one) for one in value]
    return _NOT_IN_XML.sub("", value) if isinstance(value, str) else value
