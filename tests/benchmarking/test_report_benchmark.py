"""The benchmark of reports from the command line: its table, its floors, a report of its own."""

import json
from pathlib import Path

import pytest
from programs import run_program
from small_reports import BRIDGE, DAM, MARKDOWN, citation, freshwiki, made_report

from benchmarks import report
from benchmarks.measures.citing import integrity
from benchmarks.measures.reading import from_json
from library.library import open_library
from schema.documents import Document


def test_a_table_has_a_row_for_each_report_and_json_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs, out = tmp_path / "ours.json", tmp_path / "the_dam.md", tmp_path / "out.json"
    ours.write_text(json.dumps(made_report()))
    theirs.write_text(MARKDOWN.replace("# The dam", "# A report of its own"))
    given = (ours, theirs, "--freshwiki", freshwiki(tmp_path), "--json", out)
    assert run_program(report.main, *given, "--floor", "integrity=1,redundancy=.01") == 0
    head, first, second = (line.split() for line in capsys.readouterr().out.splitlines())
    told = dict(zip(head, first, strict=True))
    assert (told["report"], told["integrity"], told["supported"]) == ("ours.json", "1", "1")
    assert (told["entities"], told["headings"]) == ("0.5", "0.5")
    assert (told["tokens"], told["seconds"]) == ("1200", "3.5")
    assert dict(zip(head, second, strict=True))["tokens"] == "–"
    rows = json.loads(out.read_text())["reports"]
    assert [row["report"] for row in rows] == ["ours.json", "the_dam.md"]
    assert rows[1]["headings"] == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize(
    ("floor", "told"),
    [
        ("coverage=.9", "coverage 0.500 is under 0.9"),
        ("dangling=0", "dangling 1.000 is above 0"),
        ("supported=.5", "supported is not known"),
    ],
)
def test_under_a_floor_it_says_which_and_exits_with_1(
    floor: str,
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "bare.md"
    file.write_text(f"# T\n\n{DAM} [7].\n\n{BRIDGE}.\n")
    assert run_program(report.main, file, "--floor", floor) == 1
    head, _, failed = capsys.readouterr().out.splitlines()
    assert failed == f"UNDER ITS FLOOR  bare.md: {told}"
    assert not {"tokens", "misquoted", "headings"} & set(head.split())


def test_an_unknown_measure_and_no_report_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bare.md"
    file.write_text(DAM)
    assert run_program(report.main, file, "--floor", "beauty=1") == 2
    assert "there is no measure beauty" in capsys.readouterr().err
    assert run_program(report.main) == 2


async def test_quotes_are_compared_with_a_space_of_the_library(space: str) -> None:
    library = await open_library(space)
    await library.store([Document(uri="file:dam", connector="files", text="Yes. The dam is high.")])
    given = from_json(made_report(citations=[citation(start=5, end=12)]))
    stored = await report.stored_texts(given, space)
    assert integrity(given, stored).misquoted == 0
    wrong = from_json(made_report(citations=[citation(quote="A dam!!", start=5, end=12)]))
    assert integrity(wrong, await report.stored_texts(wrong, space)).misquoted == 1


@pytest.mark.slow
def test_it_makes_a_report_of_its_own_that_passes(capsys: pytest.CaptureFixture[str]) -> None:
    floor = "integrity=1,coverage=.9,redundancy=.01,supported=.9,misquoted=0"
    assert run_program(report.main, "--make", "general", "--floor", floor) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[0] == "general"
