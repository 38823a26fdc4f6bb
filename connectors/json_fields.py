"""Reading records that came as JSON, of which any part may be missing or something else."""

import json
from typing import Any


def parse_json(body: bytes | str) -> Any:
    """What a body holds; None where it is no JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def get_string(value: Any, *steps: str | int) -> str:
    """The text that these names and indexes lead to; "" where there is none."""
    for step in steps:
        holder: Any = value if isinstance(value, dict | list) else ()
        try:
            value = holder[step]
        except (LookupError, TypeError):
            return ""
    return value if isinstance(value, str) else ""


def get_fields(value: Any) -> dict[str, Any]:
    """An object; an empty one where it is missing or something else."""
    return value if isinstance(value, dict) else {}


def get_records(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none where it is missing or something else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
