"""Markdown of sources and writers, for viewers of every kind: none runs or loads anything of it.

A viewer may let HTML through, so what begins like HTML is escaped. It may follow any address, so
only links to the web stay links, and images become links. A definition such as `[1]: so it is`
would make each marker [1] a link to "so", and a heading could stand above that of its section.

Code stays as it is where every viewer takes it for code. Where viewers could differ it is escaped
like text, which may show a backslash too many and does no harm.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import unescape

_CONTAINER_PREFIX = r"[ \t]*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*)*+"
"""What stands before a block that is in quotes and lists."""
_FENCE = re.compile(rf"({_CONTAINER_PREFIX})(`{{3,}}(?=[^`]*$)|~{{3,}})")
_BLANK_LINES = re.compile(r"(\n(?:[ \t]*\n)+)")
_HEADING = re.compile(rf"^({_CONTAINER_PREFIX})(#{{1,6}})(?=[ \t]|$)", re.MULTILINE)
_SETEXT_HEADING = re.compile(
    rf"^(?!{_CONTAINER_PREFIX}(?:#|$)) {{0,3}}(?![>|\s]|[-*+][ \t]|\d{{1,9}}[.)][ \t])([^\n|]+)\n"
    r" {0,3}(?:(=+)|-+)[ \t]*$",
    re.MULTILINE,
)
_SETEXT_UNDERLINE = re.compile(rf"^({_CONTAINER_PREFIX})(?==+[ \t]*$)", re.MULTILINE)
_DEFINITION = re.compile(
    rf"^({_CONTAINER_PREFIX}\[(?:[^\[\]\\]|\\[\s\S]){{1,999}}\]):", re.MULTILINE
)
_BACKTICKS = re.compile(r"\\.|`+")
_MATH = re.compile(r"(\$\$[^$]+\$\$|\$[^$\n]+\$)")
# The lookbehinds: a run of backslashes with nothing behind it would cost its square.
_HTML = re.compile(
    r"<(?:https?://[^\s<>\"'`]+|[\w.+-]+@[\w.-]+)>|(?<!\\)(?P<before>\\*)<(?=[A-Za-z/!?])"
)
_IMAGE = re.compile(r"(?<!\\)(?P<before>\\*)!(?=\[)(?!\[[^\[\]\n]*\]\(chart:\d+\))")
_LINK = re.compile(r"\]\((?=\s*([^\s()]*))")
_SAFE_TARGETS = ("http://", "https://", "mailto:", "#", "chart:")
_BLOCK_START = re.compile(
    r"\A(?:(?=#{1,6}(?: |$)|>|[-+*](?: |$)|`{3}|~{3}|([-*_])(?: ?\1){2,}$)|\d{1,9}(?=[.)](?: |$)))"
)


def sanitise_markdown(text: str, top: int) -> str:
    """A text that is shown, and nothing else.

    Args:
        text: Markdown.
        top: the level of its highest headings, if they stand above that; lower ones follow.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    runs = [
        (run if code else _convert_setext_headings(run), code)
        for run, code in _split_runs(text.split("\n"))
    ]
    levels = [len(one[2]) for run, code in runs if not code for one in _HEADING.finditer(run)]
    deeper = max(0, top - min(levels, default=top))
    return "\n".join(run if code else _sanitise_prose(run, deeper) for run, code in runs)


def sanitise_line(text: str) -> str:
    """A text on one line, which begins no block wherever it stands."""
    return _BLOCK_START.sub(r"\g<0>\\", _sanitise_paragraph(" ".join(text.split())))


def _split_runs(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Runs of lines, and whether they are code for every viewer."""
    begin = position = 0
    while position < len(lines):
        opening = _FENCE.match(lines[position])
        if not opening:
            position += 1
            continue
        end = _find_code_end(lines, position, opening)
        if not end:  # viewers could differ on all that follows
            break
        if begin < position:
            yield "\n".join(lines[begin:position]), False
        yield "\n".join(lines[position:end]), True
        begin = position = end
    if begin < len(lines):
        yield "\n".join(lines[begin:]), False


def _find_code_end(lines: Sequence[str], position: int, opening: re.Match[str]) -> int:
    """Where fenced code ends; 0 if the quote or list that it may stand in could end before."""
    indent, fence = opening.groups()
    if len(indent) > 3 or indent.strip(" "):
        return 0
    for at in range(position + 1, len(lines)):
        line = lines[at]
        bare = line.strip()
        if len(bare) >= len(fence) and not bare.strip(fence[0]):
            return at + 1 if line.startswith(indent + fence[0]) else 0
        if bare and not line.startswith(indent):
            return 0
    return 0


def _convert_setext_headings(prose: str) -> str:
    """Prose whose headings all begin with `#`."""
    return _SETEXT_HEADING.sub(lambda found: f"{'#' if found[2] else '##'} {found[1]}", prose)


def _sanitise_prose(run: str, deeper: int) -> str:
    run = _HEADING.sub(lambda one: f"{one[1]}{'#' * min(6, len(one[2]) + deeper)}", run)
    paragraphs = _BLANK_LINES.split(_SETEXT_UNDERLINE.sub(r"\1\\", run))
    return "".join(
        part if at % 2 else _sanitise_paragraph(part) for at, part in enumerate(paragraphs)
    )


def _sanitise_paragraph(paragraph: str) -> str:
    # as a whole: the name of a definition may hold code, and "[1]:" behind code is none
    paragraph = _DEFINITION.sub(r"\1\\:", paragraph)
    pieces, end = list[str](), 0
    for start, stop in _find_code_spans(paragraph):
        pieces += [_sanitise_text(paragraph[end:start]), paragraph[start:stop]]
        end = stop
    return "".join([*pieces, _sanitise_text(paragraph[end:])])


def _find_code_spans(paragraph: str) -> Iterator[tuple[int, int]]:
    """(start, end) of code within a line, up to a backtick that waits for one on another line."""
    start = 0
    for line in paragraph.split("\n"):
        runs: defaultdict[int, list[int]] = defaultdict(list)  # where they begin, by length
        for run in re.finditer("`+", line):
            runs[len(run[0])].append(run.start())
        at, whole = 0, True
        while found := _BACKTICKS.search(line, at):
            at, length = found.end(), len(found[0])
            if found[0].startswith("\\"):
                continue
            later = bisect_left(runs[length], at)
            if later == len(runs[length]):
                whole = False
                continue
            at = runs[length][later] + length
            if "|" not in line[found.start() : at]:  # it would end a cell of a table
                yield start + found.start(), start + at
        if not whole:
            return
        start += len(line) + 1


def _sanitise_text(text: str) -> str:
    """Text outside code."""
    text = _IMAGE.sub(_make_escaper("!"), text)
    text = _LINK.sub(_disarm_link, text)
    parts = (_HTML.sub(_separate_character if at % 2 else _make_escaper("<"), part)
             for at, part in enumerate(_MATH.split(text)))  # fmt: skip
    return "".join(parts)


def _disarm_link(found: re.Match[str]) -> str:
    target = unescape(found[1]).casefold()
    return found[0] if target.startswith(_SAFE_TARGETS) else "]\\("


def _make_escaper(character: str) -> Callable[[re.Match[str]], str]:
    """What escapes a character, unless it is escaped or begins the address of a link."""

    def escaped(found: re.Match[str]) -> str:
        before = found["before"]
        return found[0] if before is None or len(before) % 2 else f"{before}\\{character}"

    return escaped


def _separate_character(found: re.Match[str]) -> str:
    """A character of a formula, where a backslash would be markup, apart from what follows."""
    return found[0] if found["before"] is None else f"{found[0]} "
