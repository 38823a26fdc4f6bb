"""What a Markdown file says of itself before its text: YAML between two lines of `---`.

A stranger wrote it, and it is read in the serving process. So it is taken as far as a description
needs: names with text, lists and records of text. Anchors and aliases, which make gigabytes of a
few lines, are refused with all that is around them, and no value is made a number or a moment.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

MAX_CHARACTERS = 8 * 1024
"""Characters before which front matter must end. PyYAML takes 6 µs for each."""
MAX_DEPTH = 8
"""Lists and records within each other."""

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)\n---[ \t]*\r?\n", re.DOTALL)
_EMPTY = {"", "~", "null", "Null", "NULL"}


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """What stands before a text, and the text behind it.

    Returns:
        Texts, lists and records by name, and the rest. Nothing and the whole text where there is no
        front matter, or none that can be read.
    """
    found = _FRONT_MATTER.match(text, 0, MAX_CHARACTERS)
    if not found:
        return {}, text
    try:
        events = yaml.parse(found[1], Loader=yaml.BaseLoader)
        fields = _read_value(_read_node(events), events, MAX_DEPTH)
        whole = isinstance(next(events), yaml.DocumentEndEvent)
        whole = whole and isinstance(next(events), yaml.StreamEndEvent)
    except Exception:  # noqa: BLE001  (PyYAML raises more than its own: it costs the front matter)
        return {}, text
    return (fields, text[found.end() :]) if whole and isinstance(fields, dict) else ({}, text)


class _UnsupportedYamlError(Exception):
    """Something that no description needs."""


def _read_node(events: Iterator[Any]) -> Any:
    event = next(events)
    while isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
        event = next(events)
    if isinstance(event, yaml.NodeEvent) and event.anchor:  # an alias has one, too
        raise _UnsupportedYamlError
    return event


def _read_value(event: Any, events: Iterator[Any], deep: int) -> Any:
    """The value that begins with an event: a text, a list or a record; None for `null`."""
    if isinstance(event, yaml.ScalarEvent):
        return None if event.implicit[0] and event.value in _EMPTY else event.value
    if not (deep and isinstance(event, yaml.CollectionStartEvent)):
        raise _UnsupportedYamlError
    values = []
    while not isinstance(inner := _read_node(events), yaml.CollectionEndEvent):
        values.append(_read_value(inner, events, deep - 1))
    if isinstance(event, yaml.SequenceStartEvent):
        return values
    names = values[::2]
    if not all(isinstance(name, str) for name in names):
        raise _UnsupportedYamlError
    return dict(zip(names, values[1::2], strict=True))
