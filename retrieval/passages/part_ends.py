"""Where a shown part of a page begins and ends: at no place inside a sentence, a row or code.

Chunks are cut for the search, at the size that it needs. A writer is shown the sentence, the row
and the block of code that such a cut goes through as a whole, what a line with a colon leads to,
all that a list of definitions says of a term, and numbered steps from the first to the last. What
is left out of a page beside a part is marked with "…".
"""

import re
from collections.abc import Sequence

from text.sentences import split_sentences

LONGEST_BLOCK = 1_200
"""Characters by which a part is made longer, at most, for what is cut at one of its ends."""

LONGEST_LINE = 2_000
"""Characters on each side of a cut in which its sentence is looked for."""

OMISSION = "…"

HEADING = re.compile(r"^ {0,3}#{1,6}[ \t](.+)$", re.MULTILINE)

_FENCE = re.compile(r"^[ \t]*(?:```+|~~~+)(?P<info>.*)$\n?", re.MULTILINE)
_HEADING = re.compile(r"\s*#{1,6}[ \t]")
_LEADS_ON = re.compile(r"[:：][\s*_]*\Z|^\s*\*\*[^*\n]+\*\*\s*\Z")
_TERM = re.compile(r"^\*\*[^*\n]+\*\*[:：]", re.MULTILINE)
_STEP = re.compile(r"^ {0,3}(\d{1,3})[.)] ", re.MULTILINE)
_ITEM_END = re.compile(r"\n(?=\n*(?:\S|\Z))")
"""Where a step ends: what is indented below it belongs to it."""

_BLOCK_START = re.compile(r"\s*(?:```|~~~|\||[-*+•] |\d{1,3}[.)] )")

Block = tuple[int, int]
"""A block of code with its fences, `text[start:end]`."""


def find_code_blocks(text: str) -> list[Block]:
    """The fenced blocks of a text, which may begin inside one."""
    blocks: list[Block] = []
    opened: int | None = None
    for fence in _FENCE.finditer(text):
        if opened is None or fence["info"].strip():  # only an opening fence names a language
            opened = fence.start()
        else:
            blocks.append((opened, fence.end()))
            opened = None
    return blocks if opened is None else [*blocks, (opened, len(text))]


def widen_part(text: str, start: int, end: int, blocks: Sequence[Block], language: str) -> Block:
    """The start and end of a part, moved out of what they cut, by `LONGEST_BLOCK` each at most.

    Args:
        text: of the page, or the stretch of it that the part stands in.
        start: of the part in it.
        end: of the part in it.
        blocks: of code in the text.
        language: of the page.
    """
    first = _move_start(text, start, blocks, language)
    if _BLOCK_START.match(text, first):
        first = _find_lead(text, first, blocks, language)
    last = _move_end(text, end, blocks, language)
    if _LEADS_ON.search(_read_last_line(text, first, last)):
        last = _find_block_end(text, last, blocks, language)
    first, last = _find_term(text, first), _find_next_term(text, last)
    first, last = _find_first_step(text, first), _find_last_step(text, last)
    return (
        first if start - first <= LONGEST_BLOCK else start,
        last if last - end <= LONGEST_BLOCK else end,
    )


def mark_omissions(
    text: str, start: int, end: int, blocks: Sequence[Block], header: str = ""
) -> str:
    """`text[start:end]` with "…" where text under the same heading is left out.

    A table that it begins inside of is under its `header`, code that it cuts between fences.
    """
    shown = text[start:end].strip("\n")
    if header:
        shown = f"{header}\n{shown}"
    if (block := _find_around(blocks, start)) is not None:
        fence_line = text[block[0] : text.find("\n", block[0])]
        shown = f"{fence_line}\n{shown}"
    if _find_around(blocks, end) is not None:
        shown = f"{shown}\n```"
    if text[:start].strip() and not (
        _HEADING.match(_read_last_line(text, 0, start)) or _HEADING.match(shown)
    ):
        shown = f"{OMISSION}\n{shown}"
    behind = text[end:].lstrip()
    return f"{shown}\n{OMISSION}" if behind and not _HEADING.match(behind) else shown


def _find_term(text: str, start: int) -> int:
    """Where the term stands that a part which begins inside its definition is about."""
    if _TERM.match(text, start) or _find_next_term(text, start) == start:
        return start
    before = text[max(0, start - LONGEST_BLOCK) : start]
    terms = [one.start() for one in _TERM.finditer(before)]
    return start - len(before) + terms[-1] if terms else start


def _find_next_term(text: str, end: int) -> int:
    """Where the definition ends that a part is cut in; `end` where it is cut in none.

    What stands between two terms, or a term and a heading, defines the first.
    """
    before = text[max(0, end - LONGEST_BLOCK) : end]
    terms = [one.start() for one in _TERM.finditer(before)]
    behind = text[end : end + LONGEST_BLOCK]
    stops = [one.start() for pattern in (_TERM, HEADING) for one in pattern.finditer(behind)]
    if not terms or not stops or HEADING.search(before, terms[-1]):
        return end
    return end + len(behind[: min(stops)].rstrip())


def _find_first_step(text: str, start: int) -> int:
    """Where the list of steps begins that a part begins inside of, behind the first of them."""
    at = text.rfind("\n", 0, start) + 1
    found = _STEP.match(text, at)
    number = int(found[1]) if found and found.end() >= start else 0
    for step in reversed([*_STEP.finditer(text, max(0, at - LONGEST_BLOCK), at)]):
        if int(step[1]) != number - 1 or number <= 1:
            break
        at, number = step.start(), number - 1
    return at if number == 1 else start


def _find_last_step(text: str, end: int) -> int:
    """Where the list of steps ends of which a part ends behind one that is not the last."""
    before = text[max(0, end - LONGEST_BLOCK) : end]
    steps = [*_STEP.finditer(before)]
    if not steps or HEADING.search(before, steps[-1].start()):
        return end
    number, last = int(steps[-1][1]), end
    for step in _STEP.finditer(text, end, end + LONGEST_BLOCK):
        between = text[last : step.start()]
        if int(step[1]) != number + 1 or HEADING.search(between):
            break
        closes = _ITEM_END.search(text, step.end())
        number, last = number + 1, closes.start() if closes else len(text)
    return last


def _move_start(text: str, at: int, blocks: Sequence[Block], language: str) -> int:
    if (block := _find_around(blocks, at)) is not None:
        whole = at - block[0] <= LONGEST_BLOCK
        return block[0] if whole else text.rfind("\n", block[0], at) + 1
    return _find_sentence(text, at, language)[0]


def _move_end(text: str, at: int, blocks: Sequence[Block], language: str) -> int:
    if (block := _find_around(blocks, at)) is not None:
        line_end = text.find("\n", at)
        return block[1] if block[1] - at <= LONGEST_BLOCK or line_end < 0 else line_end
    return _find_sentence(text, at, language)[1]


def _find_around(blocks: Sequence[Block], at: int) -> Block | None:
    """The block of code that a place stands inside of, not at an end."""
    return next((block for block in blocks if block[0] < at < block[1]), None)


def _find_sentence(text: str, at: int, language: str) -> Block:
    """The sentence or row that a place cuts; the place itself where it stands between two."""
    opens = max(text.rfind("\n", 0, at) + 1, at - LONGEST_LINE)
    closes = text.find("\n", at)
    closes = min(len(text) if closes < 0 else closes, at + LONGEST_LINE)
    for sentence in split_sentences(text[opens:closes], language):
        if opens + sentence.start < at < opens + sentence.end:
            return opens + sentence.start, opens + sentence.end
    return at, at


def _find_lead(text: str, start: int, blocks: Sequence[Block], language: str) -> int:
    """Where the sentence begins that leads with a colon to what stands at `start`."""
    end = len(text[:start].rstrip())
    if not end or not _LEADS_ON.search(_read_last_line(text, 0, end)):
        return start
    return _move_start(text, end - 1, blocks, language)


def _find_block_end(text: str, end: int, blocks: Sequence[Block], language: str) -> int:
    """The end of the block of code, the rows or the paragraph behind `end`; not of a heading."""
    start = end + len(text[end:]) - len(text[end:].lstrip())
    if start == len(text) or _HEADING.match(text, start):
        return end
    block = next((one for one in blocks if one[0] == text.rfind("\n", 0, start) + 1), None)
    if block is not None:
        return block[1] if block[1] - end <= LONGEST_BLOCK else end
    stop = text.find("\n\n", start)
    stop = len(text) if stop < 0 else stop
    if stop - end <= LONGEST_BLOCK:
        return stop
    kept = text.rfind("\n", start, end + LONGEST_BLOCK)
    return kept if kept > 0 else _find_sentence(text, end + LONGEST_BLOCK // 2, language)[0]


def _read_last_line(text: str, start: int, end: int) -> str:
    """The last line with words before `end`, from `start` on."""
    stripped = text[max(start, end - LONGEST_LINE) : end].rstrip()
    return stripped[stripped.rfind("\n") + 1 :]
