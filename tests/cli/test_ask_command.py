"""`quire ask --report`: a question to a saved report, and the answer that is kept with it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import one_sentence, quire
from graph_runs import CONCEPTS

import quire as face
from library.database.connections import close_databases
from library.library import open_library
from library.report_answers import ReportAnswer

QUESTION = "How do BM25, dense vectors and reranking work together?"
TOLD = "What is reciprocal rank fusion?"
BEYOND = "Which enzymes digest cellulose in termites?"


@pytest.fixture
def report(space: str, tmp_path: Path) -> dict[str, Any]:
    """A report in a space of its own."""
    out = tmp_path / "r.json"
    done = quire("report", QUESTION, "--files", str(CONCEPTS), "--space", space, "--json", str(out))
    assert done.code == 0, done
    made: dict[str, Any] = json.loads(out.read_text())
    return made


def list_kept(identity: str, space: str) -> list[ReportAnswer]:
    """The answers that a report keeps."""

    async def work() -> list[ReportAnswer]:
        try:
            return await (await open_library(space)).list_answers(identity)
        finally:
            await close_databases()

    return asyncio.run(work())


@pytest.mark.slow
def test_a_report_answers_and_keeps_the_answer(report: dict[str, Any], space: str) -> None:
    done = quire("ask", TOLD, "--report", report["id"], "--no-search")
    assert done.code == 0, done
    assert "\n[1] " in done.out
    assert done.err.splitlines() == [
        "Taken as a question to the report.",
        "It is answered from the report's own sources.",
    ]
    [kept] = list_kept(report["id"], space)
    assert kept.answer["question"] == TOLD
    answer = face.ask(TOLD, report_id=report["id"]).result()
    assert answer["found"]
    assert answer["queries"] == []


@pytest.mark.slow
def test_what_is_not_found_is_not_kept(report: dict[str, Any], space: str) -> None:
    done = quire("ask", BEYOND, "--report", report["id"], "--no-search")
    assert (done.code, done.err.count("\n")) == (1, 2)
    assert "cellulose" in done.out
    assert list_kept(report["id"], space) == []


def test_a_report_that_is_not_there_is_named() -> None:
    assert "no report nothere2" in one_sentence(quire("ask", TOLD, "--report", "nothere2"))


@pytest.mark.slow
def test_what_is_to_change_becomes_a_version(report: dict[str, Any]) -> None:
    done = quire("ask", "Make it shorter", "--report", report["id"])
    assert done.code == 0, done
    assert done.err.startswith("Taken as an edit of all sections.\n")
    assert f"{report['id']}: version 2" in done.err
    assert done.out.startswith("## ")
    anew = quire("ask", "Write it in Spanish", "--report", report["id"])
    assert "is no question to this report" in one_sentence(anew)
    again = face.revise(report["id"], "Leave out BM25", [1]).result()
    assert again["version"] == 3
