"""Benchmarks run as programs, and the files that they read."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest


def run_program(main: Callable[[], Any], *arguments: object) -> Any:
    """What a program returns, or exits with."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["benchmark", *map(str, arguments)])
        try:
            return main()
        except SystemExit as ended:
            return ended.code


def write_rows(folder: Path, rows: Mapping[str, Iterable[Any]]) -> None:
    """Write collections as lines of JSON, by their names below a folder."""
    for name, held in rows.items():
        path = folder / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        lines = (json.dumps(one, ensure_ascii=False) for one in held)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
