"""Sentences of Markdown or plain text, with exact offsets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sentencex import get_sentence_boundaries

from text.sentence_ends import mask_inner_stops

SentenceKind = Literal["prose", "item", "heading", "table", "code"]
LineKind = SentenceKind | Literal["fence", "blank"]

_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_TABLE = re.compile(r"\s*\|")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_QUOTE = re.compile(r"\s*>\s?")
_RULE = re.compile(r"\s*([-=*_])(\s*\1){2,}\s*$")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # a model's answer may break off inside an emoji
_WORD_CHARACTER = re.compile(r"[^\W_]")
_WINDOW = 4_000  # characters that the splitter sees at once: its time grows with their square


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item, heading, table row or line of code: `text[start:end]`."""

    start: int
    end: int
    kind: SentenceKind


def split_sentences(text: str, language: str = "en") -> list[Sentence]:
    """Split a text into sentences.

    Blocks of Markdown are found first, so that no sentence crosses a heading, a list item, a
    table row or a fence; prose is then split by the rules of its language. A citation marker
    belongs to the sentence that it stands in or right behind.

    Returns:
        Sentences in order, trimmed of white space, never overlapping, each with a letter or digit.
    """
    found: list[Sentence] = []
    text = _LONE_SURROGATE.sub("\ufffd", text)
    for start, end, kind in _split_blocks(text):
        pieces = [(start, end)]
        if kind in ("prose", "item"):
            pieces = [
                (start + a, start + b) for a, b in _split_paragraph(text[start:end], language)
            ]
        found += (piece for a, b in pieces if (piece := _trim(text, a, b, kind)))
    return found


def _split_paragraph(paragraph: str, language: str) -> Iterator[tuple[int, int]]:
    """Start and end of the sentences of a paragraph."""
    seen = mask_inner_stops(paragraph, language)
    start = 0
    while start < len(seen):
        window = seen[start : start + _WINDOW]
        found = get_sentence_boundaries(language or "en", window)
        ends = [start + boundary["end_index"] for boundary in found]
        if start + _WINDOW < len(seen):  # the last may go on beyond the window
            ends = ends[:-1] or [start + (window.rfind(" ") + 1 or _WINDOW)]
        yield from pairwise([start, *ends])
        start = ends[-1]


def _trim(text: str, start: int, end: int, kind: SentenceKind) -> Sentence | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Sentence(start, end, kind) if _WORD_CHARACTER.search(text, start, end) else None


def _split_blocks(text: str) -> Iterator[tuple[int, int, SentenceKind]]:
    """Yield (start, end, kind) of runs of lines that belong together."""
    open_kind: SentenceKind = "prose"
    open_start = open_end = position = 0  # of the paragraph or item being collected, and so far
    fenced = False
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        kind, skip = _classify_line(line, fenced=fenced)
        if kind == "fence":
            fenced = not fenced
        if kind == "prose" and open_end > open_start:
            open_end = position
            continue
        if open_end > open_start:
            yield open_start, open_end, open_kind
            open_start = open_end = position
        if kind in ("prose", "item"):
            open_start, open_end, open_kind = start + skip, position, kind
        elif kind in ("heading", "table", "code"):
            yield start + skip, position, kind
    if open_end > open_start:
        yield open_start, open_end, open_kind


def _classify_line(line: str, *, fenced: bool) -> tuple[LineKind, int]:
    """Name what a line is, and how many characters of markup open it."""
    if _FENCE.match(line):
        return "fence", 0
    if fenced:
        return "code", 0
    if not line.strip() or _RULE.match(line):
        return "blank", 0
    if opening := _HEADING.match(line):
        return "heading", opening.end()
    if opening := _ITEM.match(line) or _QUOTE.match(line):
        return "item", opening.end()
    return ("table" if _TABLE.match(line) else "prose"), 0
