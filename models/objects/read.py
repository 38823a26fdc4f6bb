"""Reading an object out of a model's words, in whatever form they have."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from models.objects.coerce import coerce, count_known
from models.objects.lines import read_lines
from models.objects.loose_json import read_loose_json
from models.objects.shape import get_shape

Schema = TypeVar("Schema", bound=BaseModel)

CUT = "it breaks off before its end"
"""What is wrong with an object that has no end."""

NO_FIELD = "it has none of the fields"

_FENCED_JSON = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class ReadObject(Generic[Schema]):
    """An object, or why there is none.

    `wrong` says what is wrong with it, in words for the model; it is "" for a whole object.
    `is_form` tells that the form is at fault, not what the object says. An object that the
    answer's end cut, but that passes for one, is given with what is wrong.
    """

    value: Schema | None
    wrong: str
    is_form: bool


def read_object(
    text: str, schema: type[Schema], check: Callable[[Schema], str | None]
) -> ReadObject[Schema]:
    """Read an object of a schema: JSON, then JSON as small models write it, then lines.

    Args:
        text: an answer.
        schema: what it is to be.
        check: says what is wrong with a well-formed object, or None.
    """
    # a bare object may hold fences in its strings
    fenced = None if text.startswith("{") else _FENCED_JSON.search(text)
    body = fenced[1] if fenced else text[text.find("{") : text.rfind("}") + 1]
    try:
        strict = schema.model_validate_json(body or text)
        if strict.model_fields_set or body == "{}":  # and not defaults alone, under other names
            return _checked(strict, check)
        refused = ReadObject[Schema](None, NO_FIELD, True)
    except ValidationError as error:
        wrong = _describe(error) if "{" in text else NO_FIELD
        refused = ReadObject[Schema](None, wrong, True)
    shape = get_shape(schema)
    given = read_loose_json(fenced[1] if fenced and "{" in fenced[1] else text)
    if given:
        value, whole = given
        found = _validated(coerce(value, shape), schema, check)
        if not found.is_form:
            return found if whole else ReadObject(found.value, found.wrong or CUT, True)
        if count_known(value, shape):
            return found if whole else ReadObject(None, f"{CUT}; {found.wrong}", True)
    lines = read_lines(text, shape)
    return _validated(coerce(lines, shape), schema, check) if lines else refused


def _validated(
    value: Any, schema: type[Schema], check: Callable[[Schema], str | None]
) -> ReadObject[Schema]:
    if not isinstance(value, dict) or not value:
        return ReadObject(None, NO_FIELD, True)
    try:
        return _checked(schema.model_validate(value), check)
    except ValidationError as error:
        return ReadObject(None, _describe(error), True)


def _checked(value: Schema, check: Callable[[Schema], str | None]) -> ReadObject[Schema]:
    wrong = check(value)
    return ReadObject(None, wrong, False) if wrong else ReadObject(value, "", False)


def _describe(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
