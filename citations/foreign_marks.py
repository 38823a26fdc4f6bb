"""Marks of a source's own footnotes, which a writer could take for the numbers of sources.

"Paris has 20 districts.[3]" on a page says nothing of source 3. What a writer is shown is without
such marks; the stored text, by which citations are checked, keeps them.
"""

import re
from collections.abc import Callable, Sequence

from citations.markers import change_outside_code

MIN_MARKS = 3
"""Marks behind words from which on they are footnotes where no mark stands behind a stop."""

MIN_APART = 2
"""The same of marks that a blank parts from their word."""

_MARK = r"\\?\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\\?\]"
_LINKED = re.compile(rf"\s?(?:\[{_MARK}\]|{_MARK})\(#[^()\s]*\)|\s?\[{_MARK}\]\([^()\s]*\)")
_END = r"(?=[\s.,;:!?)\"'”’»|。，；：！？、）]|$|[A-Z\u3040-\u30ff\u3400-\u9fff])(?!\s?=|\()"
_BEHIND_STOP = re.compile(rf"(?<=[\w\"”’»)%][.,;:!?\"”’»%。，；：！？、])(?:{_MARK})+{_END}")
_BEHIND_WORD = re.compile(rf"(?<![\w.$@>-])([^\W\d_]{{2,}}|\d[\d.,]*%?)((?:{_MARK})+){_END}")
_APART = re.compile(rf"(?<=[^\W_]|[\"”’»)%]) ((?:{_MARK} ?)+)(?<! )(?=[.,;:!?)]|\s|$)(?!\s?=|\()")
_ZERO = re.compile(r"\[0\]|\[\]")
_CODE_LINE = re.compile(r"(?:^(?: {4}|\t).*$\n?)+", re.MULTILINE)
_ONE_MARK = re.compile(_MARK)


def drop_foreign_marks(passages: Sequence[str]) -> list[str]:
    """The passages of a source without the marks of its own notes and references.

    Marks that stick to a word or its stop are left out where the source has several, or one behind
    a stop; of those that a blank parts from their word the brackets become round. Code, indented
    lines, and the passages of a source that counts from zero stay as they are.
    """
    shown = "\n".join(_blank_code(one) for one in passages)
    if _ZERO.search(shown):
        return [*passages]
    sticking = bool(_BEHIND_STOP.search(shown)) or _count(_BEHIND_WORD, shown) >= MIN_MARKS
    apart = sticking or _count(_APART, shown) >= MIN_APART

    def drop(part: str) -> str:
        part = _LINKED.sub("", part)
        if sticking:
            part = _BEHIND_WORD.sub(r"\1", _BEHIND_STOP.sub("", part))
        return _APART.sub(_write_round, part) if apart else part

    return [change_outside_code(one, lambda part: _change_lines(part, drop)) for one in passages]


def _blank_code(text: str) -> str:
    """A text without its indented lines, and with its code empty."""
    prose: list[str] = []

    def keep(part: str) -> str:
        prose.append(_CODE_LINE.sub("", part))
        return part

    change_outside_code(text, keep)
    return "\n".join(prose)


def _change_lines(text: str, change: Callable[[str], str]) -> str:
    """A text whose lines that are not indented are changed."""
    pieces, end = [], 0
    for code in _CODE_LINE.finditer(text):
        pieces += [change(text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*pieces, change(text[end:])])


def _count(pattern: re.Pattern[str], text: str) -> int:
    """How many different marks a pattern finds; they are its last group."""
    found = "".join(one[one.lastindex or 0] for one in pattern.finditer(text))
    return len(set(_ONE_MARK.findall(found)))


def _write_round(found: re.Match[str]) -> str:
    return " " + found[1].replace("\\", "").translate(str.maketrans("[]", "()"))
