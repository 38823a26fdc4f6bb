"""The fault matrix: when a row has kept its word, and some of its rows."""

import json
from pathlib import Path
from typing import Any

import pytest
from programs import run_program

from benchmarks import faults
from benchmarks.reliability.matrix.actions import Outcome
from benchmarks.reliability.matrix.row import FIRST, SECOND, Row, complaints, resumes_whole
from benchmarks.reliability.process import Ran
from benchmarks.reliability.world.chat_model import REFUSAL
from benchmarks.reliability.world.requests import Delays

QUICK = Delays(model=0.05, page=0.02)

UNHURRIED = 240.0
"""Slack in seconds: whether a row keeps its time is asked by the benchmark, not by a test."""

RESUME = "quire: It failed. (resume with: quire report --resume abcd2345)"


def ran(code: int | None = 0, err: str = "", seconds: float = 5.0, out: str = "") -> Ran:
    return Ran(code, out, err, seconds)


def report(*texts: str, codes: tuple[str, ...] = (), about: str = "", sources: int = 2) -> Any:
    return {
        "sections": [
            {"title": title, "text": text}
            for title, text in zip((FIRST, SECOND), texts, strict=False)
        ],
        "references": [{}] * sources,
        "degraded": [{"code": code, "detail": f"It was {about}."} for code in codes],
    }


WHOLE = report("Said [1].", "Said [2].")


def wrong(row: Row, got: Outcome) -> list[str]:
    return complaints(row, got, Outcome(ran(), WHOLE), most=10.0)


def row(**given: Any) -> Row:
    return Row("a fault", "a group", **given)


def test_a_whole_report_keeps_its_word() -> None:
    assert wrong(row(), Outcome(ran(), WHOLE)) == []
    said = "report abcd2345\nskipped x.md: it is empty"
    assert wrong(row(), Outcome(ran(err=said), WHOLE)) == []


@pytest.mark.parametrize(
    ("got", "told"),
    [
        (Outcome(ran(1, RESUME)), "exit 1, not 0"),
        (Outcome(ran(None)), "did not end"),
        (Outcome(ran(seconds=11.0), WHOLE), "more than 10.0 s"),
        (Outcome(ran(err="Traceback (most recent call last):\n  x"), WHOLE), "a traceback"),
        (Outcome(ran(err="pg_ctl: no server\nwaiting"), WHOLE), "2 lines beside the sentence"),
        (Outcome(ran(), report("Said [1].", codes=("no_citations",))), SECOND),
        (Outcome(ran(), report("Said [1].", "Nothing.")), "a silent loss: the section"),
        (Outcome(ran(), report("Said [1].", f"{REFUSAL} [2]")), "a refusal is the section"),
        (Outcome(ran(), report("Said [1].", "Said [2].", sources=1)), "a silent loss: 1 sources"),
        (Outcome(ran(), report("Said [1].", "Said [2].", codes=("x",))), "x for no reason"),
        (Outcome(ran(), WHOLE, failures=["outline: KeyError()"]), "the stand-in failed"),
    ],
)
def test_what_is_wrong_is_told(got: Outcome, told: str) -> None:
    assert told in "; ".join(wrong(row(), got))


def test_a_loss_is_named_by_its_code_and_by_what_was_lost() -> None:
    lost = row(codes=("section_failed|section_cut",), about=SECOND)
    named = report("Said [1].", codes=("section_failed",), about=SECOND)
    assert wrong(lost, Outcome(ran(), named)) == []
    unnamed = report("Said [1].", codes=("section_failed",), about="something")
    assert "no code names" in "; ".join(wrong(lost, Outcome(ran(), unnamed)))
    assert "is not named" in "; ".join(wrong(lost, Outcome(ran(), WHOLE)))


def test_an_error_is_one_sentence() -> None:
    failing = row(exit=1)
    assert wrong(failing, Outcome(ran(1, RESUME))) == []
    assert wrong(failing, Outcome(ran(1))) == ["no sentence of error"]
    assert wrong(failing, Outcome(ran(1, f"{RESUME}\n{RESUME}"))) == ["2 sentences of error"]


def test_going_on_ends_in_a_whole_report_without_old_codes() -> None:
    three = {**WHOLE, "sections": [{"title": "", "text": "Said [1]."}] * 3}
    stale = {**three, "degraded": [{"code": "section_failed", "detail": ""}]}
    check = resumes_whole()
    assert list(check(Outcome(ran(1), None, ran(), three))) == []
    assert "section_failed" in next(iter(check(Outcome(ran(1), None, ran(), stale))))
    assert "not every section" in next(iter(check(Outcome(ran(1), None, ran(), WHOLE))))
    assert "exit 1" in next(iter(check(Outcome(ran(1), None, ran(1), three))))


def test_rows_have_names_of_their_own() -> None:
    names = [(one.group, one.name) for one in faults.ROWS]
    assert len(names) == len(set(names)) > 90


@pytest.mark.slow
def test_a_row_is_run_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    arguments = ["--only", "copied sentences", "--jobs", "1", "--json", str(out)]
    arguments += ["--slack", str(UNHURRIED)]
    assert run_program(faults.main, *arguments) == 0, capsys.readouterr().out
    [told] = json.loads(out.read_text())
    assert told["holds"]
    assert (told["exit"], told["codes"]) == (0, "")
    assert told["model"] >= 3
    assert "1 of 1 rows keep their word" in capsys.readouterr().out


@pytest.mark.weekly
def test_faults_are_borne() -> None:
    """Side by side: most of what a run in trouble does is to wait."""
    tested = [one for one in faults.ROWS if one.tested]
    told = list(faults.measured(tested, jobs=4, delays=QUICK, slack=UNHURRIED))
    assert len(told) == len(tested) > 7
    assert {one["fault"]: one["why"] for one in told if not one["holds"]} == {}
