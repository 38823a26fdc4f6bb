"""What a repair is shown: the paragraphs of a section and of passages that it needs."""

import re
from collections.abc import Iterable, Sequence

from citations.content_terms import count_common_terms, find_content_terms

Span = tuple[int, int]
"""`text[start:end]`."""

MIN_SHARE = 0.7
"""Share of the most words in common that a paragraph of a passage has which is shown."""

FEWEST_COMMON = 2
"""Words that a paragraph shares with what is said for which the others are left out, if it has as
many."""

_PARTED = re.compile(r"\n[ \t]*\n\s*")
_DEFINITION = re.compile(r"\*\*[^*\n]+\*\*(?: \([^)\n]*\))?:")
_BEGINS = re.compile(r"#|\*\*|[-*+|>] |\d{1,3}[.)] |```")
"""What ends the paragraphs of a definition: the next one, a heading, a list, a table, code."""


def find_paragraphs(text: str) -> list[Span]:
    """The paragraphs, lists and tables of a text: what empty lines part."""
    gaps = [found.span() for found in _PARTED.finditer(text)]
    starts = [0, *(end for _, end in gaps)]
    ends = [*(start for start, _ in gaps), len(text)]
    return [(a, b) for a, b in zip(starts, ends, strict=True) if text[a:b].strip()]


def choose_shown_paragraphs(
    text: str, marked: Sequence[Span], points: Sequence[str], language: str
) -> list[Span]:
    """The paragraphs of a section that its repair needs, those side by side as one.

    These are the ones of the marked sentences, with the one before where a sentence that begins
    one may follow from it; and for each point the one that shares most words with it, where an
    answer would be put.
    """
    held = find_paragraphs(text)
    wanted: set[int] = set()
    for start, end in marked:
        inside = [n for n, (a, b) in enumerate(held) if a < end and b > start]
        begins = start == held[inside[0]][0]
        wanted |= {*inside, max(0, inside[0] - begins)}
    for point in points:
        common = [count_common_terms(point, text[a:b], language) for a, b in held]
        if any(common):
            wanted.add(common.index(max(common)))
    return _join(held, sorted(wanted))


def find_excerpts(text: str, said: Iterable[str], language: str) -> list[Span]:
    """The paragraphs of a passage that speak of what is said, those side by side as one.

    For each text they are those that share most words with it, or at least `MIN_SHARE` as many. A
    definition is whole, its term with all its paragraphs. A heading, or a line that leads to what
    is below it, brings that with it, and so do a table and its caption each other. Where no
    paragraph shares two of several words the whole passage is shown: one may be chance.
    """
    held = _join_definitions(text, find_paragraphs(text))
    wanted: set[int] = set()
    for one in said:
        common = [count_common_terms(one, text[a:b], language) for a, b in held]
        most = max(common, default=0)
        if not most or most < min(FEWEST_COMMON, len(find_content_terms(one, language))):
            return [(0, len(text))]
        wanted |= {n for n, count in enumerate(common) if count >= MIN_SHARE * most}
    for n, (a, b) in enumerate(held[:-1]):
        line = text[a:b]
        if n in wanted and (line.startswith("#") or line.rstrip(" *_").endswith((":", "："))):
            wanted.add(n + 1)
        if wanted & {n, n + 1} and _is_caption(line, text[held[n + 1][0] :]):
            wanted |= {n, n + 1}
    return _join(held, sorted(wanted))


def _is_caption(paragraph: str, below: str) -> bool:
    """Whether a paragraph is a line without an end over a table."""
    line = paragraph.strip(" *_")
    return below.startswith("|") and "\n" not in line and line[-1:] not in "|.。!?"


def _join_definitions(text: str, held: Sequence[Span]) -> list[Span]:
    """Paragraphs, those of one definition as one."""
    joined: list[Span] = []
    defines = False
    for start, end in held:
        if defines and not _BEGINS.match(text, start):
            joined.append((joined.pop()[0], end))
            continue
        defines = bool(_DEFINITION.match(text, start))
        joined.append((start, end))
    return joined


def _join(held: Sequence[Span], wanted: Sequence[int]) -> list[Span]:
    joined: list[Span] = []
    for n in wanted:
        follows = joined and n and held[n - 1][1] == joined[-1][1]
        start = joined.pop()[0] if follows else held[n][0]
        joined.append((start, held[n][1]))
    return joined
