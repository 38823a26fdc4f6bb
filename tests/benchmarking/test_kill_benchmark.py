"""The benchmark of killed runs: what counts as finished, as repeated, as equal."""

import json
from pathlib import Path
from typing import Any

import pytest
from programs import run_program

from benchmarks import kill
from benchmarks.reliability.crashes import (
    Disturbed,
    Undisturbed,
    differences,
    finished,
    points,
    repeated,
    unknown,
)
from benchmarks.reliability.process import Ran
from benchmarks.reliability.world.requests import Call

KILLED = 10.0


def call(name: str, came: float, sent: float | None = None, **given: Any) -> Call:
    kind = "search" if name == "tavily" else "page" if name == "read" else "model"
    usual: dict[str, Any] = {"kind": kind, "about": name, "chain": "report", "key": name}
    usual |= {"number": 0, "again": 0, "attempt": 0, "faulty": False}
    return Call(**{**usual, "name": name, "came": came, "sent": sent, **given})


def whole(*calls: Call) -> Undisturbed:
    return Undisturbed(Ran(0, "", "", 1.0), {}, list(calls))


def names(calls: list[Call]) -> list[str]:
    return [one.name for one in calls]


def test_an_answer_is_finished_after_a_while_or_when_it_was_used() -> None:
    calls = [
        call("reformulate", 1.0, 2.0),
        call("outline", 9.0, 9.9),
        call("tavily", 9.0, 9.9),
        call("write_section", 9.0, None, chain="section a"),
    ]
    # the writer could only be asked with the outline in hand, whose answer was sent a moment ago
    later = [*calls[:3], call("write_section", 9.95, None, chain="section a")]
    assert names(finished(calls, KILLED)) == ["reformulate"]
    assert names(finished(later, KILLED)) == ["reformulate", "outline"]


def test_what_runs_side_by_side_says_nothing_of_each_other() -> None:
    beside = [
        call("write_section", 9.0, 9.9, chain="section a", key="a"),
        call("write_section", 9.95, None, chain="section b", key="b"),
        call("judge_answer", 9.0, 9.9, chain="dig a", key="c"),
        call("judge_answer", 9.95, None, chain="dig a", key="d"),
    ]
    assert finished(beside, KILLED) == []
    joined = [*beside, call("revise_report", 9.96)]
    assert names(finished(joined, KILLED)) == ["write_section", "judge_answer"]


def test_a_step_of_a_deep_search_follows_the_last_one_of_the_same() -> None:
    steps = [
        call("choose_action", 9.0, 9.9, chain="dig a", key="a"),
        call("write_queries", 9.95, None, chain="dig a", key="b"),
    ]
    assert names(finished(steps, KILLED)) == ["choose_action"]
    steps[1].chain = "dig b"
    assert finished(steps, KILLED) == []


def test_searches_are_finished_where_what_they_found_is_in_hand() -> None:
    look = call("tavily", 9.0, 9.9)
    assert finished([look, call("choose_action", 9.95)], KILLED) == []
    assert names(finished([look, call("outline", 9.95)], KILLED)) == ["tavily"]
    assert names(finished([look, call("revise_report", 9.95)], KILLED)) == ["tavily"]


def test_only_what_was_finished_counts_as_repeated_and_once_each() -> None:
    before = [call("outline", 1.0, 2.0), call("tavily", 9.0, 9.9), call("read", 1.0, 2.0)]
    after = [call("outline", 1.0, 2.0), call("tavily", 1.0, 2.0), call("read", 1.0, 2.0)]
    run = Disturbed(KILLED, before, after, None, None)
    assert names(repeated("model", run, whole(before[0]))) == ["outline"]
    assert repeated("search", run, whole(before[1])) == []
    assert names(repeated("page", run, whole(before[2]), "read")) == ["read"]


def test_what_a_run_asks_for_twice_may_be_asked_for_twice() -> None:
    twice = [call("tavily", 1.0, 2.0), call("tavily", 3.0, 4.0)]
    run = Disturbed(KILLED, twice[:1], twice[1:], None, None)
    assert repeated("search", run, whole(*twice)) == []
    more = Disturbed(KILLED, twice, twice[1:], None, None)
    assert len(repeated("search", more, whole(*twice))) == 1


def test_calls_that_the_undisturbed_run_never_made_are_counted() -> None:
    run = Disturbed(KILLED, [], [call("outline", 1.0, key="other")], None, None)
    assert names(unknown(run, whole(call("outline", 1.0)))) == ["outline"]


def test_points_are_spread_over_all_requests_and_follow_from_the_seed() -> None:
    calls = [
        call(name, n, n + 0.5, key=f"{name}{n}")
        for n, name in enumerate(["outline", "write_section", "tavily", "read", "tavily", "head"])
    ]
    found = points(calls, 4, seed=3)
    assert {one.call.name for one in found} == {"outline", "write_section", "tavily", "read"}
    assert found == points(calls[::-1], 4, seed=3)  # they come in another order every time
    assert len({str(one) + one.call.key for one in points(calls, 99, seed=3)}) == 10  # both sides
    assert {one.answered for one in found} == {True, False}


def test_reports_are_compared_without_times_and_the_order_of_codes() -> None:
    codes = [{"code": "a", "detail": "A."}, {"code": "b", "detail": "B."}]
    one = {
        "title": "T",
        "sections": [{"title": "S", "text": "Said [1]."}],
        "citations": [],
        "references": [{"number": 1, "checked": "2026-01-01", "accessed": "2026-01-01"}],
        "degraded": codes,
        "further_questions": [],
    }
    reference = {"number": 1, "checked": "2026-02-02", "accessed": "2026-02-02"}
    other = {**one, "references": [reference], "degraded": codes[::-1]}
    assert differences(other, one) == []
    changed = {**one, "sections": [{"title": "S", "text": "Said [2]."}], "degraded": codes[:1]}
    assert differences(changed, one) == ["sections", "degraded"]
    assert differences(None, one) == ["there is no report"]


@pytest.mark.weekly
def test_a_killed_run_goes_on_and_ends_in_the_same_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    arguments = ["--points", "1", "--modes", "deep", "--seed", "5", "--latency", "0.1"]
    assert run_program(kill.main, *arguments, "--json", str(out)) == 0, capsys.readouterr().out
    never, killed = json.loads(out.read_text())
    assert never["finished"] > 15
    assert never["calls"]["model judge_citations"] >= 1
    assert killed["equal"]
    assert (killed["calls again"], killed["searches again"]) == (0, 0)
