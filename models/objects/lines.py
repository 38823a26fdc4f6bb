"""Objects as lines, for models that write no JSON: how to ask for them, how to read them."""

import re
from dataclasses import dataclass
from typing import Any

from models.objects.shape import Shape, is_singular, normalise_name

LONGEST_TEXT = 8_000
"""Characters that a text has, after which no further line is taken for a part of it."""

_MARKS = re.compile(r"\s*(?:([-*•+])\s+|\(?(\d{1,3})[.)]\s+|[#>]+\s*)?")
_FIELD = re.compile(
    r"[*_`\"']{0,4}([A-Za-z][A-Za-z_ -]{0,40}?)\s*\d{0,3}[*_`\"']{0,4}\s*[:=](.*)\Z"
)
_AROUND = " \t*`_"
_QUOTED = re.compile(r"([\"'“‘])(.*)([\"'”’]),?\Z", re.DOTALL)

_HINTS = {
    "text": "...",
    "whole": "(a whole number)",
    "number": "(a number)",
    "truth": "(yes or no)",
}


def describe_lines(shape: Shape) -> str:
    """The lines of an object, as they are shown to a model."""
    return "\n".join(_describe_fields(shape))


def _describe_fields(shape: Shape) -> list[str]:
    lines: list[str] = []
    for name, field in shape.fields.items():
        if field.kind != "list" or field.items is None:
            lines.append(f"{name}: {_describe_value(field)}")
            continue
        most = f", {field.most} at most" if field.most else ""
        lines.append(f"{name}:")
        if field.items.kind == "object":
            inner = _describe_fields(field.items)
            lines += [f"{'  ' if place else '- '}{line}" for place, line in enumerate(inner)]
            lines.append(f"(such a block for each{most}; “{name}: none” without any)")
        else:
            lines.append(f"- {_describe_value(field.items)}")
            lines.append(f"(such a line for each{most}; “{name}: none” without any)")
    return lines


def _describe_value(shape: Shape) -> str:
    hint = _HINTS.get(shape.kind, "...")
    if shape.kind == "choice":
        hint = f"(one of: {', '.join(shape.choices)})"
    return f"{hint[:-1]}, or none)" if shape.nullable and hint.endswith(")") else hint


def read_lines(text: str, shape: Shape) -> dict[str, Any]:
    """What a text says of a shape's fields, line by line; empty where it says nothing of them.

    Bullets, numbers, bold names, fences and words around the lines are passed over; neither the
    order of the fields nor their indentation counts.
    """
    reader = _Reader(shape)
    for line in text.splitlines():
        reader.read(line)
    return reader.made


@dataclass
class _Level:
    """An object that is being read; `inside` are the entries of the list that it stands in."""

    shape: Shape
    made: dict[str, Any]
    inside: list[Any] | None = None


class _Reader:
    """Reads line after line; the innermost object that is open is the last of `_levels`."""

    def __init__(self, shape: Shape) -> None:
        self.made: dict[str, Any] = {}
        self._levels = [_Level(shape, self.made)]
        self._list: tuple[list[Any], Shape] | None = None
        self._bulleted = False
        self._text: tuple[dict[str, Any], str] | None = None

    def read(self, line: str) -> None:
        """Take one line."""
        if not line.strip() or line.strip().startswith("```"):
            self._text = None
            return
        marks = _MARKS.match(line)
        bullet = bool(marks and (marks[1] or marks[2]))
        body = line[marks.end() :].strip() if marks else line.strip()
        field = _FIELD.match(body)
        if field and self._read_field(field[1], _clean(field[2])):
            return
        if self._list and (bullet or not self._bulleted):
            entries, shape = self._list
            self._bulleted = self._bulleted or bullet
            if shape.kind != "object" or bullet:
                self._levels = self._levels_around(entries)
                entries.append(_clean(body))
        elif self._text and not bullet:
            made, name = self._text
            if len(made[name]) < LONGEST_TEXT:
                made[name] = f"{made[name]} {_clean(body)}".strip()

    def _read_field(self, name: str, value: str) -> bool:
        """Take a field's line; whether a field of this name can stand here."""
        plain = normalise_name(name)
        for place in range(len(self._levels) - 1, -1, -1):
            level = self._levels[place]
            if place == len(self._levels) - 1 and self._begin_entry(plain):
                level = self._levels[-1]
            field = next((one for one in level.shape.fields if normalise_name(one) == plain), None)
            if field:
                self._levels = self._levels[: self._levels.index(level) + 1]
                self._set(level, field, value)
                return True
            for one, shape in level.shape.fields.items():
                items = shape.items if shape.kind == "list" else None
                if items is None:
                    continue
                if plain in map(normalise_name, items.fields):
                    self._levels = self._levels[: place + 1]
                    self._open(self._get_entries(level, one), items)
                    return self._read_field(name, value)
                if is_singular(plain, normalise_name(one)):
                    self._levels = self._levels[: place + 1]
                    self._add(self._get_entries(level, one), items, value)
                    return True
        return False

    def _begin_entry(self, plain: str) -> bool:
        """Open an object of the list that was announced, if the field is one of its."""
        if self._list is None or self._list[1].kind != "object":
            return False
        entries, shape = self._list
        if plain not in map(normalise_name, shape.fields):
            return False
        self._levels = self._levels_around(entries)
        self._open(entries, shape)
        return True

    def _open(self, entries: list[Any], shape: Shape) -> None:
        made: dict[str, Any] = {}
        entries.append(made)
        self._levels.append(_Level(shape, made, entries))
        self._list = None

    def _set(self, level: _Level, field: str, value: str) -> None:
        if field in level.made:
            if level.inside is None:
                return  # said again: the first time counts
            self._levels.pop()
            self._open(level.inside, level.shape)
            level = self._levels[-1]
        shape = level.shape.fields[field]
        self._list, self._text, self._bulleted = None, None, False
        if shape.kind == "list" and shape.items is not None:
            entries: list[Any] = []
            level.made[field] = value or entries
            self._list = None if value else (entries, shape.items)
            return
        level.made[field] = value
        self._text = (level.made, field) if shape.kind == "text" else None

    def _get_entries(self, level: _Level, field: str) -> list[Any]:
        """The entries of a list; in place of a text that it was said to be."""
        entries = level.made.get(field)
        if not isinstance(entries, list):
            entries = level.made[field] = []
        return entries

    def _add(self, entries: list[Any], items: Shape, value: str) -> None:
        """Take “Question 2: ...” for an entry of `questions`."""
        self._list, self._bulleted, self._text = (entries, items), True, None
        if items.kind != "object":
            entries.append(value)
            return
        self._open(entries, items)
        first = next((name for name, one in items.fields.items() if one.kind == "text"), None)
        if first and value:
            self._levels[-1].made[first] = value

    def _levels_around(self, entries: list[Any]) -> list[_Level]:
        """The open objects around a list."""
        for place, level in enumerate(self._levels):
            if level.inside is entries:
                return self._levels[:place]
        return self._levels


def _clean(value: str) -> str:
    """A value without marks, quotes and a comma around it."""
    value = value.strip(_AROUND)
    quoted = _QUOTED.match(value)
    return quoted[2] if quoted else value
