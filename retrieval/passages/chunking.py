"""Documents to chunks: along the structure of the text, with exact offsets and their heading."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from operator import itemgetter

from semantic_text_splitter import MarkdownSplitter, TextSplitter

from retrieval.passages.part_ends import HEADING
from schema.documents import Chunk
from text.long_runs import split_portions

CHUNK_SIZE = (600, 1_200)
"""A chunk fills up to a size in this range, in characters, and ends at the best boundary in it."""

LONGEST_LINE = 5_000
LONGEST_PART = 100_000
"""Characters of a line and of a text that the splitter sees at once: its time grows with the square
of a line without sentences, and of the headings, items and rows of a text."""

HEADING_CHARACTERS = 300
"""Of a heading; every chunk under it holds it once more."""

_LONG_LINE = re.compile(rf"^[^\n]{{{LONGEST_LINE + 1},}}", re.MULTILINE)
_WORD_CHARACTER = re.compile(r"[^\W_]")


def split_chunks(text: str) -> list[Chunk]:
    """Cut a text into chunks of at most 1,200 characters.

    Boundaries are taken from the coarsest structure that fits: headings, paragraphs, sentences,
    words. Only white space lies between chunks; a piece without letter or digit is left out.

    Returns:
        Chunks in order, with `chunk.text == text[chunk.start:chunk.end]`.
    """
    headings = _find_headings(text)
    splitter = _load_markdown_splitter() if headings else _load_text_splitter()
    return [
        Chunk(
            start=start,
            end=start + len(piece),
            text=piece,
            heading=_find_heading(headings, start, start + len(piece), text),
        )
        for offset, part in split_parts(text)
        for start, piece in ((offset + at, found) for at, found in splitter.chunk_indices(part))
        if _WORD_CHARACTER.search(piece)
    ]


def split_parts(text: str) -> Iterator[tuple[int, str]]:
    """The text in parts, each with its offset, of which a splitter has no trouble with any."""
    for start, end in _split_long_lines(text):
        for first, last in split_portions(text, start, end, LONGEST_PART):
            yield first, text[first:last]


def _split_long_lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in _LONG_LINE.finditer(text):
        for _, end in split_portions(text, *line.span(), LONGEST_LINE):
            yield start, end
            start = end
    yield start, len(text)


@cache
def _load_markdown_splitter() -> MarkdownSplitter:
    return MarkdownSplitter(CHUNK_SIZE)


@cache
def _load_text_splitter() -> TextSplitter:
    return TextSplitter(CHUNK_SIZE)


def _find_headings(text: str) -> list[tuple[int, int, str]]:
    """(start, end, title) of every ATX heading outside fences."""
    fences = [match.start() for match in re.finditer(r"^ {0,3}(```|~~~)", text, re.MULTILINE)]
    return [
        (match.start(), match.end(), _clean_title(match[1]))
        for match in HEADING.finditer(text)
        if bisect_right(fences, match.start()) % 2 == 0
    ]


def _clean_title(line: str) -> str:
    """A heading's words, without a closing run of `#`; in "C#" it belongs to the word."""
    line = line.strip()
    words = line.rstrip("#")
    closed = not words or words[-1].isspace()
    return (words.rstrip() if closed else line)[:HEADING_CHARACTERS]


def _find_heading(headings: list[tuple[int, int, str]], start: int, end: int, text: str) -> str:
    """The heading over a chunk's first words: the last of those that the chunk opens with.

    `headings` holds (start, end, title).
    """
    title = ""
    for place in range(max(0, bisect_right(headings, start, key=itemgetter(0)) - 1), len(headings)):
        opens, closes, candidate = headings[place]
        if opens > end or (opens > start and text[start:opens].strip()):
            break
        title, start = candidate, max(start, closes)
    return title
