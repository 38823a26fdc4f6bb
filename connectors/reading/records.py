"""Reading records that came as JSON, of which any part may be missing or something else."""

import json
from typing import Any


def read_json(body: bytes) -> Any:
    """What a body holds; None where it is no JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def word(value: Any, *steps: str | int) -> str:
    """The text that these names and indexes lead to; "" where there is none."""
    for step in steps:
        holder: Any = value if isinstance(value, dict | list) else ()
        try:
            value = holder[step]
        except (LookupError, TypeError):
            return ""
    return value if isinstance(value, str) else ""
