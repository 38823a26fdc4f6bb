"""What a writer leaves open: named below its text, so that it can be looked for before it stands.

A writer sees passages, not pages. What it says is missing is most often on a part of a page that it
was not shown, and in the middle of a paragraph or a table nothing can take its place.
"""

import re
from collections.abc import Iterable

from citations.markers import strip_markers
from schema.report import OpenPoint

MAX_OPEN = 6
"""Points that are kept of a section."""

_MAX_CHARACTERS = 300

_BLOCK = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*open[ \t]*\n(?P<body>.*?)"
    r"(?:\n?^[ \t]*(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_STOPS = (".", "!", "?", "。", "！", "？", "…")


def split_open_points(text: str) -> tuple[str, list[OpenPoint]]:
    """A section's text without the fenced blocks of what it leaves open, and their lines.

    A line is a sentence, and behind a bar where it may be answered.
    """
    points: dict[str, str] = {}
    for block in _BLOCK.finditer(text):
        for line in block["body"].splitlines():
            said, _, pointer = _BULLET.sub("", line).partition("|")
            sentence = " ".join(strip_markers(said).split())[:_MAX_CHARACTERS]
            if sentence:
                whole = sentence if sentence.endswith(_STOPS) else f"{sentence}."
                points.setdefault(whole, " ".join(pointer.split())[:_MAX_CHARACTERS])
    kept = [OpenPoint(sentence=said, pointer=points[said]) for said in list(points)[:MAX_OPEN]]
    return _BLOCK.sub("", text).strip(), kept


def append_open_points(text: str, points: Iterable[OpenPoint]) -> str:
    """A text with a last paragraph of what stays open."""
    said = " ".join(point["sentence"] for point in points)
    return f"{text}\n\n{said}" if said else text
