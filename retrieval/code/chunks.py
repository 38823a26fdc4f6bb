"""Source files to chunks: cut between definitions, each with what it defines, calls and imports."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from semantic_text_splitter import TextSplitter

from retrieval.code.symbols import SourceCode, Symbol
from retrieval.passages.chunking import CHUNK_SIZE, HEADING_CHARACTERS, split_parts

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# What closes a definition: the rest of its last line, and lines of brackets or `end` below it.
_CLOSING = re.compile(
    r"[ \t]*[)\]};,]*[ \t]*(?:(?://|#)[^\n]*)?"
    r"(?:\Z|\n(?:[ \t]*(?:[)\]};,]+|end\b)[ \t]*(?:\Z|\n))*)"
)


@dataclass(frozen=True, slots=True)
class CodeChunk:
    """A contiguous piece of a source file: `text[start:end]`.

    `heading` holds the qualified names of the outermost definitions that begin in it, first the
    one that is being continued. `definitions` begin in it; `calls` and `imports` are the names in
    it, each once, in order.
    """

    start: int
    end: int
    heading: str
    definitions: list[Symbol]
    calls: list[str]
    imports: list[str]


def split_code(text: str, code: SourceCode) -> list[CodeChunk]:
    """Cut a source file into chunks of at most 1,200 characters.

    Definitions are kept whole, with the comments and decorators above them and a class's head
    with its first method, as far as they fit; small neighbours are gathered to 600 characters;
    long ones are split at lines. Only white space lies between chunks.

    Args:
        text: The file.
        code: What `retrieval.code.symbols.extract_symbols` found in it.

    Returns:
        Chunks in order.
    """
    trimmed = (
        _trim(text, start, end) for start, end in _join_small_pieces(_split_pieces(text, code))
    )
    return _build_chunks([(start, end) for start, end in trimmed if start < end], code)


def _split_pieces(text: str, code: SourceCode) -> list[tuple[int, int]]:
    """Spans of at most 1,200 characters that cover the text, cut no deeper than needed."""
    pieces = [(0, len(text))]
    for _, cuts in sorted(_find_cuts(text, code.definitions).items()):
        cut: list[tuple[int, int]] = []
        for start, end in pieces:
            inner = cuts[bisect_left(cuts, start + 1) : bisect_left(cuts, end)]
            cut += pairwise([start, *inner, end]) if end - start > CHUNK_SIZE[1] else [(start, end)]
        pieces = cut
    return [line for piece in pieces for line in _split_lines(text, *piece)]


def _find_cuts(text: str, definitions: list[Symbol]) -> dict[int, list[int]]:
    """Where a text may be cut, in order, by how deep in definitions: above each and after it."""
    cuts: dict[int, set[int]] = defaultdict(set)
    around: list[tuple[int, int]] = []  # (where it is cut above, its end) of those still open
    floor = 0  # how far up the next one may reach
    first = False  # it is the first in the one around it
    for symbol in [*definitions, None]:
        while around and (symbol is None or around[-1][1] <= symbol.start):
            closing = _CLOSING.match(text, end := around.pop()[1])
            floor, first = max(floor, closing.end() if closing else end), False
            cuts[len(around)].add(floor)
        if symbol is None:
            break
        above = _find_preamble(text, min(floor, symbol.start), symbol.start)
        if not (first and symbol.end - around[-1][0] <= CHUNK_SIZE[1]):
            cuts[len(around)].add(above)
        around.append((above, symbol.end))
        floor, first = above, True
    return {depth: sorted(places) for depth, places in cuts.items()}


def _find_preamble(text: str, floor: int, start: int) -> int:
    """Where the lines begin that belong to a definition: comments and decorators right above."""
    top = max(floor, text.rfind("\n", floor, start) + 1)
    while top > floor:
        above = max(floor, text.rfind("\n", floor, top - 1) + 1)
        if not text[above:top].strip() or start - above > CHUNK_SIZE[0]:
            break
        top = above
    return top


def _split_lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a piece that is too long between lines, and a line that is too long between words."""
    if end - start <= CHUNK_SIZE[1]:
        return [(start, end)]
    return [
        (start + offset + place, start + offset + place + len(piece))
        for offset, part in split_parts(_LONE_SURROGATE.sub("\ufffd", text[start:end]))
        for place, piece in _load_splitter().chunk_indices(part)
    ]


@cache
def _load_splitter() -> TextSplitter:
    return TextSplitter(CHUNK_SIZE, trim=False)


def _join_small_pieces(pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join neighbours until they hold 600 characters, as long as they stay within 1,200."""
    first, last = 0, 0
    for start, end in pieces:
        if last - first >= CHUNK_SIZE[0] or end - first > CHUNK_SIZE[1]:
            yield first, last
            first = start
        last = end
    yield first, last


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out blank lines at both ends, not the indent of the first line."""
    piece = text[start:end]
    blank = len(piece) - len(piece.lstrip())
    return start + piece.rfind("\n", 0, blank) + 1, start + len(piece.rstrip())


def _build_chunks(pieces: list[tuple[int, int]], code: SourceCode) -> list[CodeChunk]:
    starts = [symbol.start for symbol in code.definitions]
    calls = [call.offset for call in code.calls]
    imports = [item.offset for item in code.imports]
    found = []
    around: list[Symbol] = []  # those that began before the piece
    for start, end in pieces:
        around = [symbol for symbol in around if symbol.end > start]
        inside = code.definitions[bisect_left(starts, start) : bisect_left(starts, end)]
        called = code.calls[bisect_left(calls, start) : bisect_left(calls, end)]
        imported = code.imports[bisect_left(imports, start) : bisect_left(imports, end)]
        found.append(
            CodeChunk(
                start=start,
                end=end,
                heading=_build_heading(around[-1] if around else None, inside),
                definitions=inside,
                calls=list(dict.fromkeys(call.name for call in called)),
                imports=list(dict.fromkeys(item.name for item in imported)),
            )
        )
        around += [symbol for symbol in inside if symbol.end > end]
    return found


def _build_heading(around: Symbol | None, inside: list[Symbol]) -> str:
    """Names of the outermost definitions in a piece; `around` is the innermost it began inside."""
    names, end = [], 0
    if around and not (inside and inside[0].start < around.end):
        names.append(around.qualified_name)
    for symbol in inside:
        if symbol.start >= end:
            names.append(symbol.qualified_name)
            end = symbol.end
    return ", ".join(names)[:HEADING_CHARACTERS]
