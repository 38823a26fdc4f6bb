"""The golden benchmark from the command line: its tables, its floors, all ten questions."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import golden


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> Any:
    monkeypatch.setattr(sys, "argv", ["golden.py", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        golden.main()
    return ended.value.code


def test_what_cannot_be_asked_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "There is no question riddle" in run_main(monkeypatch, "--only", "riddle")
    assert run_main(monkeypatch, "--floor", "beauty=1") == 2
    assert "no measure beauty" in capsys.readouterr().err
    assert run_main(monkeypatch, "--judge", "extractive") == 2
    assert run_main(monkeypatch, "--out", tmp_path, "--against", tmp_path) == 2
    assert "would replace it" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_is_kept_and_stands_beside_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = ("--only", "yes-no", "--mode", "general")
    assert run_main(monkeypatch, *one, "--out", tmp_path / "old", "--floor", "coverage=1") == 1
    assert "MISSED  coverage is 0." in capsys.readouterr().out
    assert (tmp_path / "old" / "yes-no.md").read_text().startswith("# ")
    kept = json.loads((tmp_path / "old" / "runs.json").read_text())["yes-no"]
    assert kept["chain"] >= 3
    again = (*one, "--out", tmp_path / "new", "--against", tmp_path / "old")
    assert run_main(monkeypatch, *again) == 0
    table, _, beside = capsys.readouterr().out.partition("before → now")
    assert table.split()[:2] == ["yes-no", "all"]
    tokens = next(line.split() for line in beside.splitlines() if line.startswith("tokens "))
    assert tokens[1] == tokens[3], "the extractive model writes the same again"


@pytest.mark.slow
def test_the_extractive_model_keeps_its_floors_on_all_ten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = "coverage=.6,right source=.85,supported=.99,false absences=0,glue=0,chain=7"
    assert run_main(monkeypatch, "--out", tmp_path, "--floor", floor) == 0, capsys.readouterr().out
    assert len(list(tmp_path.glob("*.md"))) == 10
