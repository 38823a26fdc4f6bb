"""What an object of a schema is made of, as a reader of a model's words needs it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel

Kind = Literal["text", "whole", "number", "truth", "choice", "list", "object"]

_NO_LETTER = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Shape:
    """A value of a schema.

    Attributes:
        kind: what it is.
        nullable: whether it may be none at all.
        choices: of a choice.
        most: entries that a list may have; None for any number.
        items: what a list is made of.
        fields: of an object, by name.
        required: the names of the fields that it must have.
    """

    kind: Kind
    nullable: bool = False
    choices: tuple[str, ...] = ()
    most: int | None = None
    items: "Shape | None" = None
    fields: Mapping[str, "Shape"] = field(default_factory=dict)
    required: frozenset[str] = frozenset()

    @property
    def main_field(self) -> str | None:
        """The text that alone makes an object; None where more is required, or none."""
        [*names] = self.required
        alone = len(names) == 1 and self.fields[names[0]].kind == "text"
        return names[0] if alone else None


@lru_cache(maxsize=64)
def get_shape(schema: type[BaseModel]) -> Shape:
    """The shape of a pydantic model."""
    described = schema.model_json_schema()
    return _make_shape(described, described.get("$defs", {}))


def normalise_name(name: str) -> str:
    """A field's name without what models change in it: case, spaces, marks."""
    return _NO_LETTER.sub("", name.casefold())


def is_singular(name: str, plural: str) -> bool:
    """Whether a normalised name is the singular of a list's."""
    return plural in (f"{name}s", f"{name}es") or (name[-1:] == "y" and plural == f"{name[:-1]}ies")


def _make_shape(described: Mapping[str, Any], defined: Mapping[str, Any]) -> Shape:
    if "$ref" in described:
        return _make_shape(defined[described["$ref"].rpartition("/")[2]], defined)
    if "anyOf" in described:
        real = [one for one in described["anyOf"] if one.get("type") != "null"]
        shape = _make_shape(real[0], defined)
        nullable = len(real) < len(described["anyOf"])
        return Shape(**{**shape.__dict__, "nullable": nullable})
    if "enum" in described or "const" in described:
        return Shape("choice", choices=tuple(described.get("enum") or [described["const"]]))
    if described.get("type") == "array":
        items = _make_shape(described["items"], defined)
        return Shape("list", most=described.get("maxItems"), items=items)
    if described.get("type") == "object":
        fields = {name: _make_shape(one, defined) for name, one in described["properties"].items()}
        return Shape("object", fields=fields, required=frozenset(described.get("required", ())))
    kinds: dict[str, Kind] = {"integer": "whole", "number": "number", "boolean": "truth"}
    return Shape(kinds.get(str(described.get("type")), "text"))
