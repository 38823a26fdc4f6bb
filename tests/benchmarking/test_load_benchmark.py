"""The benchmark of many reports at once: what it counts."""

import json
from pathlib import Path
from typing import Any

import pytest
from programs import run_program

from benchmarks import load
from benchmarks.reliability.crowds import links_failed, lost_searches, mixed, quantiles
from benchmarks.reliability.world.pages import TOWNS, question
from benchmarks.reliability.world.requests import Call
from benchmarks.reliability.world.server import World


def report(text: str = "", codes: tuple[tuple[str, str], ...] = (), **given: Any) -> dict[str, Any]:
    return {
        "title": "The harbour",
        "sections": [{"title": "Piers", "text": text}],
        "citations": [],
        "references": [],
        "conflicts": [],
        "degraded": [{"code": code, "detail": detail} for code, detail in codes],
        **given,
    }


def search(query: str, came: float, sent: float | None) -> Call:
    return Call("search", "tavily", query, "", query, 0, 0, 0, came, sent)


def test_what_belongs_to_another_report_is_told() -> None:
    asked = question(TOWNS[0])
    assert mixed(report(f"The piers of {TOWNS[0]} are old [1]."), asked) == []
    assert mixed(report(f"The piers of {TOWNS[1]} are old [1]."), asked) == [TOWNS[1]]
    other = [{"url": f"http://127.0.0.1/pages/{TOWNS[2]}/piers/built"}]
    assert mixed(report(references=other), asked) == [TOWNS[2]]


def test_a_search_is_lost_where_the_engine_had_answered_in_time() -> None:
    world = World()
    world.calls = [search("quick", 1.0, 2.0), search("slow", 1.0, 20.0), search("never", 1.0, None)]
    late = [("connector_timeout", f"tavily, asked “{name}”: it did not answer within 15 s.")
            for name in ("quick", "slow", "never", "not sent")]  # fmt: skip
    assert lost_searches([report(codes=tuple(late))], world, 15.0) == (4, 2)


def test_links_that_are_called_dead_or_unchecked_are_counted() -> None:
    references = [{"url": "a", "reachable": True}, {"url": "b", "reachable": None}]
    assert links_failed([report(references=references)]) == 1
    unchecked = (("links_not_checked", "No link could be checked."),)
    assert links_failed([report(codes=unchecked, references=references[:1])]) == 1


def test_what_must_not_be_breaks_a_row() -> None:
    good = {"way": "process", "failures": 0, "mixed": 0, "lost searches": 0, "connections": 40}
    assert load.broken(good) == []
    assert load.broken({**good, "connections": 41}) == ["connections"]
    assert load.broken({**good, "way": "server", "connections": 99}) == []
    assert load.broken({**good, "mixed": 1, "failures": 2}) == ["failures", "mixed"]


def test_quantiles_of_few_and_none() -> None:
    assert quantiles([]) == (None, None)
    assert quantiles([3.0]) == (3.0, 3.0)
    assert quantiles([1.0, 2.0, 9.0]) == (2.0, 9.0)


@pytest.mark.weekly
def test_reports_at_once_in_one_process_and_on_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    arguments = ["--reports", "2", "--ways", "process,server", "--mode", "general"]
    assert run_program(load.main, *arguments, "--json", str(out)) == 0, capsys.readouterr().out
    rows = json.loads(out.read_text())
    assert [row["way"] for row in rows] == ["process", "server"]
    for row in rows:
        assert (row["failures"], row["mixed"], row["lost searches"]) == (0, 0, 0)
        assert row["p95 s"] >= row["p50 s"] > 1
        assert row["connections"] > 0
        assert row["RSS MiB"] > 50
        assert row["lag p95 ms"] is not None
