"""The schema of an object as a provider is sent it."""

from functools import lru_cache
from typing import Any

from pydantic import BaseModel


@lru_cache(maxsize=64)
def make_sent_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a pydantic model, without what the prompt says in its own words.

    Descriptions and the titles that pydantic makes of names are left out, except for the title and
    the description of the whole, of which clients make the name and the purpose of a tool.
    """
    described = schema.model_json_schema()
    kept = {key: described[key] for key in ("title", "description") if key in described}
    return {**kept, **_strip(described)}


def _strip(part: Any) -> Any:
    """A part of a schema without titles and descriptions; fields of these names stay."""
    if isinstance(part, list):
        return [_strip(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: {name: _strip(one) for name, one in value.items()}
        if key in ("properties", "$defs")
        else _strip(value)
        for key, value in part.items()
        if key not in ("title", "description")
    }
