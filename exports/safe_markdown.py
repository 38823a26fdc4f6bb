"""Markdown of sources and writers, for viewers of every kind: none runs or loads anything of it.

A viewer may let HTML through, so what begins like HTML is escaped. It may follow any address, so
only links to the web stay links, and images become links. A definition such as `[1]: so it is`
would make each mark [1] a link to "so", and a heading could stand above that of its section.

Code stays as it is where every viewer takes it for code. Where viewers could differ it is escaped
like text, which may show a backslash too many and does no harm.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from html import unescape

_INSIDE = r"[ \t]*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*)*+"
"""What stands before a block that is in quotes and lists."""
_FENCE = re.compile(rf"({_INSIDE})(`{{3,}}(?=[^`]*$)|~{{3,}})")
_BLANK_LINES = re.compile(r"(\n(?:[ \t]*\n)+)")
_HEADING = re.compile(rf"^({_INSIDE})(#{{1,6}})(?=[ \t]|$)", re.MULTILINE)
_UNDERLINED = re.compile(
    rf"^(?!{_INSIDE}(?:#|$)) {{0,3}}(?![>|\s]|[-*+][ \t]|\d{{1,9}}[.)][ \t])([^\n|]+)\n"
    r" {0,3}(?:(=+)|-+)[ \t]*$",
    re.MULTILINE,
)
_UNDERLINE = re.compile(rf"^({_INSIDE})(?==+[ \t]*$)", re.MULTILINE)
_DEFINITION = re.compile(rf"^({_INSIDE}\[[^\[\]]{{1,999}}\]):", re.MULTILINE)
_TICKS = re.compile(r"\\.|`+")
_MATH = re.compile(r"(\$\$[^$]+\$\$|\$[^$\n]+\$)")
_HTML = re.compile(r"<(?:https?://[^\s<>\"'`]+|[\w.+-]+@[\w.-]+)>|(?P<before>\\*)<(?=[A-Za-z/!?])")
_IMAGE = re.compile(r"(?P<before>\\*)!(?=\[)(?!\[[^\]\n]*\]\(chart:\d+\))")
_LINK = re.compile(r"\]\((?=\s*([^\s()]*))")
_TARGETS = ("http://", "https://", "mailto:", "#", "chart:")
_BLOCK = re.compile(
    r"\A(?:(?=#{1,6}(?: |$)|>|[-+*](?: |$)|`{3}|~{3}|([-*_])(?: ?\1){2,}$)|\d{1,9}(?=[.)](?: |$)))"
)


def safe_markdown(text: str, top: int) -> str:
    """A text that is shown, and nothing else.

    Args:
        text: Markdown.
        top: the level of its highest headings, if they stand above that; lower ones follow.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    runs = [(run if code else _with_marks(run), code) for run, code in _runs(text.split("\n"))]
    levels = [len(one[2]) for run, code in runs if not code for one in _HEADING.finditer(run)]
    deeper = max(0, top - min(levels, default=top))
    return "\n".join(run if code else _prose(run, deeper) for run, code in runs)


def safe_line(text: str) -> str:
    """A text on one line, which begins no block wherever it stands."""
    return _BLOCK.sub(r"\g<0>\\", _inlines(" ".join(text.split())))


def _runs(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Runs of lines, and whether they are code for every viewer."""
    begin = place = 0
    while place < len(lines):
        opening = _FENCE.match(lines[place])
        if not opening:
            place += 1
            continue
        end = _end_of_code(lines, place, opening)
        if not end:  # viewers could differ on all that follows
            break
        if begin < place:
            yield "\n".join(lines[begin:place]), False
        yield "\n".join(lines[place:end]), True
        begin = place = end
    if begin < len(lines):
        yield "\n".join(lines[begin:]), False


def _end_of_code(lines: Sequence[str], place: int, opening: re.Match[str]) -> int:
    """Where fenced code ends; 0 if the quote or list that it may stand in could end before."""
    indent, fence = opening.groups()
    if len(indent) > 3 or indent.strip(" "):
        return 0
    for at in range(place + 1, len(lines)):
        line = lines[at]
        bare = line.strip()
        if len(bare) >= len(fence) and not bare.strip(fence[0]):
            return at + 1 if line.startswith(indent + fence[0]) else 0
        if bare and not line.startswith(indent):
            return 0
    return 0


def _with_marks(prose: str) -> str:
    """Prose whose headings all begin with `#`."""
    return _UNDERLINED.sub(lambda found: f"{'#' if found[2] else '##'} {found[1]}", prose)


def _prose(run: str, deeper: int) -> str:
    run = _HEADING.sub(lambda one: f"{one[1]}{'#' * min(6, len(one[2]) + deeper)}", run)
    paragraphs = _BLANK_LINES.split(_UNDERLINE.sub(r"\1\\", run))
    return "".join(part if at % 2 else _inlines(part) for at, part in enumerate(paragraphs))


def _inlines(paragraph: str) -> str:
    pieces, end = list[str](), 0
    for start, stop in _code_spans(paragraph):
        pieces += [_shown(paragraph[end:start]), paragraph[start:stop]]
        end = stop
    return "".join([*pieces, _shown(paragraph[end:])])


def _code_spans(paragraph: str) -> Iterator[tuple[int, int]]:
    """(start, end) of code within a line, up to a backtick that waits for one on another line."""
    start = 0
    for line in paragraph.split("\n"):
        runs: defaultdict[int, list[int]] = defaultdict(list)  # where they begin, by length
        for run in re.finditer("`+", line):
            runs[len(run[0])].append(run.start())
        at, whole = 0, True
        while found := _TICKS.search(line, at):
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


def _shown(text: str) -> str:
    """Text outside code."""
    text = _IMAGE.sub(_escaped("!"), _DEFINITION.sub(r"\1\\:", text))
    text = _LINK.sub(_only_of_the_web, text)
    parts = (_HTML.sub(_apart if at % 2 else _escaped("<"), part)
             for at, part in enumerate(_MATH.split(text)))  # fmt: skip
    return "".join(parts)


def _only_of_the_web(found: re.Match[str]) -> str:
    target = unescape(found[1]).casefold()
    return found[0] if target.startswith(_TARGETS) else "]\\("


def _escaped(sign: str) -> Callable[[re.Match[str]], str]:
    """What escapes a sign, unless it is escaped or begins the address of a link."""

    def escaped(found: re.Match[str]) -> str:
        before = found["before"]
        return found[0] if before is None or len(before) % 2 else f"{before}\\{sign}"

    return escaped


def _apart(found: re.Match[str]) -> str:
    """A sign of a formula, in which a backslash would mean something, apart from what follows."""
    return found[0] if found["before"] is None else f"{found[0]} "
