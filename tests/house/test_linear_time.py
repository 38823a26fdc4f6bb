"""No text keeps a reader busy: twice the text takes about twice the time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from house.hostile_texts import MOST

SCRIPT = Path(__file__).parent / "hostile_texts.py"


@pytest.mark.slow
def test_twice_the_text_takes_about_twice_as_long() -> None:
    try:
        told = subprocess.run(
            [sys.executable, str(SCRIPT)],
            stdout=subprocess.PIPE,
            check=True,
            text=True,
            timeout=300,
        ).stdout
    except subprocess.TimeoutExpired as late:
        last = (late.stdout or b"").decode().splitlines()[-1]
        raise AssertionError(f"{last} did not end") from late
    lines = [json.loads(line) for line in told.splitlines()]
    ratios = {tuple(what): ratio for what, ratio in zip(lines[::2], lines[1::2], strict=True)}
    assert sum(ratio > 0 for ratio in ratios.values()) > 100
    assert {what: ratio for what, ratio in ratios.items() if ratio >= MOST} == {}
