"""What a script reads: the id of a report when it is begun, and lists as JSON."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from command_line import one_sentence, quire
from graph_runs import CONCEPTS

from library.library import open_library
from library.saved_reports import RunStart

REPORT = ("report", "What is BM25?", "--files", str(CONCEPTS), "--space")


def told(*arguments: str) -> Any:
    """The JSON that a command prints."""
    done = quire(*arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [False, True])
def test_the_id_is_told_before_the_report_is_written(terminal: bool, space: str) -> None:
    done = quire(*REPORT, space, terminal=terminal)
    assert done.code == 0
    identity = done.err.splitlines()[0].removeprefix("report ")
    assert [one["id"] for one in told("reports", "list") if one["space"] == space] == [identity]


@pytest.mark.slow
def test_reports_as_json(space: str) -> None:
    before = datetime.now(UTC)
    identity = quire(*REPORT, space).err.split()[1]
    [entry] = [one for one in told("reports", "list") if one["id"] == identity]
    assert before < datetime.fromisoformat(entry.pop("written")) < datetime.now(UTC)
    assert entry == {
        "id": identity,
        "version": 1,
        "finished": True,
        "question": "What is BM25?",
        "title": "What is BM25",
        "space": space,
        "note": "written",
    }
    assert [one["version"] for one in told("reports", "list", identity)] == [1]
    report = told("reports", "show", identity)
    assert (report["id"], report["question"]) == (identity, "What is BM25?")
    assert report == json.loads(quire("reports", "export", identity, "--to", "json").out)


@pytest.fixture
async def unfinished(space: str) -> str:
    """The id of a report whose process was killed."""
    run = RunStart(context={}, skipped=[])
    return (await (await open_library(space)).begin_report("Why?", run)).id


def test_a_report_that_was_killed_is_found_as_unfinished(unfinished: str, space: str) -> None:
    [entry] = [one for one in told("reports", "list") if one["space"] == space]
    assert (entry["id"], entry["finished"], entry["title"]) == (unfinished, False, "")
    assert "not finished" in one_sentence(quire("reports", "show", unfinished, "--json"))


def test_sources_as_json(space: str, tmp_path: Path) -> None:
    assert told("sources", "list", "--space", space) == []
    (tmp_path / "a.md").write_text("# a\n\nA letter is a sign.\n")
    quire("sources", "add", str(tmp_path), "--space", space)
    name = f"files:{tmp_path}"
    never = {"name": name, "connector": "files", "location": str(tmp_path)}
    assert told("sources", "list", "--space", space) == [
        {**never, "counts": {}, "failure": "", "synced": None}
    ]
    quire("sync", "--all", "--space", space)
    [source] = told("sources", "list", "--space", space)
    assert source["counts"] == {"added": 1}
    assert datetime.fromisoformat(source["synced"]).tzinfo


def test_connectors_as_json() -> None:
    connectors = {one.pop("name"): one for one in told("sources", "connectors")}
    assert connectors["linear"]["lacks"] == "set LINEAR_API_KEY"
    assert connectors["files"].keys() == {"kind", "description", "lacks"}
    assert connectors["files"]["lacks"] == ""
    assert all(one["description"] for one in connectors.values())
