"""JSON, a value a line."""

import json
from pathlib import Path
from typing import Any


def rows(path: Path) -> list[Any]:
    """The values of a file. A line ends where a file's do, not at every separator of Unicode."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
