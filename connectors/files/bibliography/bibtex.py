"""BibTeX to entries: fields by name, as they stand there; what LaTeX means is read by `latex`.

An entry that breaks the grammar is counted and passed over; the next begins at a line with `@`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

MONTHS = {
    name: f"{number:02}"
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
MAX_FIELD_CHARACTERS = 1_000_000
"""Of one value."""
MACRO_CHARACTERS = 400
"""Of one value, that its macros stand for: a few letters must not become gigabytes."""
MAX_ENTRIES, MAX_FAILURES = 100_000, 100
"""Entries that are read of one file, and those that may break the grammar before it is given up."""

_OPENING = re.compile(r"@[ \t]*([A-Za-z]+)\s*([{(])")
_NEXT = re.compile(r"^[ \t]*@", re.MULTILINE)
_KEY = re.compile(r"\s*([^\s,{}()=\"#%]+)\s*(?=[,})])")
_FIELD = re.compile(r"\s*([A-Za-z][\w:.+/-]*)\s*=\s*")
_WORD = re.compile(r"[^\s{}()\",=#%]+")
_BRACE = re.compile(r"[{}\"]")
_SPACES = re.compile(r"\s*")


class RawEntry(NamedTuple):
    """An entry as it stands: its kind and the names of its fields in lower case."""

    kind: str
    key: str
    fields: Mapping[str, str]


class _SyntaxError(Exception):
    """What stands there is no BibTeX."""


def parse_bibtex(text: str) -> tuple[list[RawEntry], int]:
    """The entries of a file, in order, and how many could not be read."""
    macros, entries, failures = dict(MONTHS), list[RawEntry](), 0
    at = 0
    while len(entries) < MAX_ENTRIES and (opening := _OPENING.search(text, at)):
        kind = opening[1].lower()
        if kind == "comment":
            at = opening.end()
            continue
        try:
            entry, at = _parse_block(text, kind, opening, macros)
        except _SyntaxError:
            failures += 1
            following = _NEXT.search(text, opening.end())
            if not following or failures >= MAX_FAILURES:
                break
            at = following.start()
            continue
        if entry:
            entries.append(entry)
    return entries, failures


def _parse_block(
    text: str, kind: str, opening: re.Match[str], macros: dict[str, str]
) -> tuple[RawEntry | None, int]:
    """An entry, or None of what defines names or is for LaTeX, and where it ends."""
    closing, at = "})"["{(".index(opening[2])], opening.end()
    if kind == "preamble":
        _, at = _parse_value(text, at, macros)
        return None, _expect(text, at, closing)
    key = None
    if kind != "string":
        key = _KEY.match(text, at)
        if not key:
            raise _SyntaxError
        at = key.end()
        if text[at] == ",":
            at += 1
    fields = dict[str, str]()
    while field := _FIELD.match(text, at):
        value, at = _parse_value(text, field.end(), macros)
        fields.setdefault(field[1].lower(), value)
        at = _skip_spaces(text, at)
        if text[at : at + 1] != ",":
            break
        at += 1
    at = _expect(text, at, closing)
    if key:
        return RawEntry(kind, key[1], fields), at
    macros |= {name: value for name, value in fields.items() if name not in MONTHS}
    return None, at


def _parse_value(text: str, at: int, macros: Mapping[str, str]) -> tuple[str, int]:
    """A value, whose parts `#` joins, and where it ends."""
    parts, length, named = list[str](), 0, 0
    while True:
        at = _skip_spaces(text, at)
        part, end = _parse_part(text, at, macros)
        parts.append(part)
        length += len(part)
        named += max(0, len(part) - (end - at))
        at = end
        if length > MAX_FIELD_CHARACTERS or named > MACRO_CHARACTERS:
            raise _SyntaxError
        at = _skip_spaces(text, at)
        if text[at : at + 1] != "#":
            return "".join(parts), at
        at += 1


def _parse_part(text: str, at: int, macros: Mapping[str, str]) -> tuple[str, int]:
    mark = text[at : at + 1]
    if mark and mark in '{"':
        end = _find_end(text, at + 1, mark)
        return text[at + 1 : end], end + 1
    word = _WORD.match(text, at)
    if not word:
        raise _SyntaxError
    return macros.get(word[0].lower(), word[0]), word.end()


def _find_end(text: str, at: int, mark: str) -> int:
    """Where a value in braces or quotes ends; braces in it have their other halves."""
    depth = 0
    for found in _BRACE.finditer(text, at, at + MAX_FIELD_CHARACTERS):
        sign = found[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            if depth == 0:
                if mark == "{":
                    return found.start()
                break
            depth -= 1
        elif sign == '"' and mark == '"' and depth == 0:
            return found.start()
    raise _SyntaxError


def _expect(text: str, at: int, sign: str) -> int:
    at = _skip_spaces(text, at)
    if text[at : at + 1] != sign:
        raise _SyntaxError
    return at + 1


def _skip_spaces(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return found.end() if found else at
