"""Bringing what was read into a schema's shape, where it is clear what is meant."""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from models.objects.shape import Shape, is_singular, normalise_name

NOTHING = frozenset({"", "none", "null", "n/a", "na", "nothing", "empty", "-", "[]", "(none)"})
"""What models write for no value."""

_DOTS = frozenset({"...", "…", "(...)"})
"""What stands for a text in the lines that a model is shown: one that writes it has none."""

ALIKE = 0.75
"""How alike two names are that are meant to be one, in 0..1."""

_FOUND_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "y", "1", "passed", "pass", "ja", "oui"), True),
    **dict.fromkeys(("false", "no", "n", "0", "failed", "fail", "nein", "non"), False),
}
_WORD = re.compile(r"\w+")


def coerce(value: Any, shape: Shape) -> Any:
    """The value as the shape has it; what is not clear stays as it is, for the schema to refuse."""
    if shape.kind == "object":
        return _coerce_object(value, shape)
    if shape.kind == "list":
        return _coerce_list(value, shape)
    plain = value.strip().casefold() if isinstance(value, str) else None
    if value is None or plain in _DOTS:
        return None
    if plain in NOTHING:
        return "" if shape.kind == "text" else None
    if shape.kind == "text":
        return _coerce_text(value)
    if isinstance(value, str):
        return _coerce_word(value, shape)
    if shape.kind == "whole" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def count_known(value: Any, shape: Shape) -> int:
    """How many fields of a shape an object has, under whatever name."""
    return len(_match_names(value, shape)) if isinstance(value, Mapping) else 0


def _coerce_object(value: Any, shape: Shape) -> Any:
    if isinstance(value, list):
        lists = [name for name, one in shape.fields.items() if one.kind == "list"]
        if len(lists) == 1 and shape.required <= set(lists):
            value = {lists[0]: value}
        elif len(value) == 1:
            [value] = value
    if isinstance(value, str) and shape.main_field:
        value = {shape.main_field: value}
    if not isinstance(value, Mapping):
        return value
    names = _match_names(value, shape)
    if not names and len(value) == 1:  # wrapped in the schema's name, or in "arguments"
        [inner] = value.values()
        return _coerce_object(inner, shape) if isinstance(inner, Mapping | list) else {}
    made = {}
    for field, given in names.items():
        one = coerce(value[given], shape.fields[field])
        if one is None and not shape.fields[field].nullable and field not in shape.required:
            continue  # the schema's own default
        made[field] = one
    return made


def _match_names(value: Mapping[str, Any], shape: Shape) -> dict[str, str]:
    """The given name of each field that an object has."""
    by_name = {normalise_name(name): name for name in shape.fields}
    left = list(value)
    found: dict[str, str] = {}
    for given in value:
        field = by_name.get(normalise_name(str(given)))
        if field and field not in found:
            found[field] = given
            left.remove(given)
    for given in list(left):
        alike = [
            name
            for plain, name in by_name.items()
            if name not in found and _is_alike(normalise_name(str(given)), plain)
        ]
        if len(alike) == 1:
            found[alike[0]] = given
            left.remove(given)
    missing = [name for name in shape.required if name not in found]
    if found and len(missing) == len(left) == 1 and _could_be(value[left[0]], missing[0], shape):
        found[missing[0]] = left[0]
    return found


def _is_alike(given: str, name: str) -> bool:
    if not given:
        return False
    if is_singular(given, name) or is_singular(name, given):
        return True
    begins = min(len(given), len(name)) >= 3 and (
        given.startswith(name) or name.startswith(given) or given.endswith(name)
    )
    return begins or SequenceMatcher(None, given[:80], name).ratio() >= ALIKE


def _could_be(value: Any, name: str, shape: Shape) -> bool:
    """Whether a value under a strange name is of the kind of the one field that is missing."""
    kind = shape.fields[name].kind
    if kind == "list":
        return isinstance(value, list)
    if kind in ("whole", "number"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return kind == "text" and isinstance(value, str)


def _coerce_list(value: Any, shape: Shape) -> Any:
    items = shape.items or Shape("text")
    if value is None or (isinstance(value, str) and value.strip(" .").casefold() in NOTHING):
        return []
    if isinstance(value, Mapping):
        numbered = items.kind == "object" and all(isinstance(v, Mapping) for v in value.values())
        value = list(value.values()) if numbered else [value]
    elif not isinstance(value, list):
        value = _split_list(str(value), items)
    made = [coerce(one, items) for one in value]
    kept = [one for one in made if one not in (None, "", {})]
    return kept[: shape.most]


def _split_list(text: str, items: Shape) -> list[str]:
    """The entries of a list that stands in one text."""
    if items.kind in ("whole", "number"):
        return _FOUND_NUMBER.findall(text)
    parts = text.strip(" []").replace(";", "\n").splitlines()
    return [part.strip(' \t-*•"') for part in parts]


def _coerce_text(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else value


def _coerce_word(value: str, shape: Shape) -> Any:
    """A number, a choice or a truth that stands in a text."""
    said = [word.casefold() for word in _WORD.findall(value)]
    if shape.kind == "truth":
        meant = {_TRUTHS[word] for word in said[:3] if word in _TRUTHS}
        return meant.pop() if len(meant) == 1 and said[0] in _TRUTHS else value
    if shape.kind == "choice":
        named = [one for one in shape.choices if normalise_name(one) == normalise_name(value)]
        named = named or [one for one in shape.choices if one.casefold() in said]
        return named[0] if len(named) == 1 else value
    found = _FOUND_NUMBER.search(value)
    if found is None:
        return value
    number = float(found[0])
    if shape.kind == "number":
        return number / 100 if value[found.end() :].lstrip().startswith("%") else number
    return int(number) if number.is_integer() else value
