"""`quire report --resume` and `quire reports`: nothing written is lost, or written twice."""

import asyncio
import json
import re
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import start
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, section_of, task_of
from graph_runs import CONCEPTS
from typer.testing import CliRunner

from citations.markers import strip_markers
from cli.app import app
from graphs.report import builder
from library.database.checkpoints import open_checkpointer
from library.database.connections import close_databases
from library.library import open_library
from schema.errors import InputError, QuireError

ROOT = Path(__file__).parents[2]
QUESTION = "How do BM25, dense vectors and reranking work together?"
ASK = ("report", QUESTION, "--files", str(CONCEPTS), "--mode", "deep", "--space")


def quire(*arguments: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


async def closed(work: Callable[[], Any]) -> Any:
    """What some work returns; no connection is left for an event loop that ends."""
    try:
        return await work()
    finally:
        await close_databases()


@pytest.fixture
def written(space: str, tmp_path: Path) -> dict[str, Any]:
    """A saved report of three sections."""
    quire(*ASK, space, "--json", str(tmp_path / "r.json"))
    report: dict[str, Any] = json.loads((tmp_path / "r.json").read_text())
    return report


async def rows_of(thread: str) -> int:
    """How many checkpoints a thread has."""
    async with open_checkpointer() as saver:
        return len([one async for one in saver.alist({"configurable": {"thread_id": thread}})])


async def begun_in(space: str) -> str:
    """The id of the report that is being written in a space."""
    async with asyncio.timeout(60):
        while True:
            for one in await (await open_library(space)).list_reports():
                if one.space == space:
                    return one.id
            await asyncio.sleep(0.1)


async def sections_done(thread: str) -> int:
    """How many sections of a run have been written down."""
    async with open_checkpointer() as saver:
        graph = builder.compile(checkpointer=saver)
        state = await graph.aget_state({"configurable": {"thread_id": thread}})
        return sum(task.name == "section" and bool(task.result) for task in state.tasks)


class Counting(Writer):
    """A writer that counts what it is asked for, by task and by section."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def __call__(self, request: ChatRequest) -> str:
        self.asked[task_of(request)] += 1
        if task_of(request) == "write_section":
            self.asked[section_of(request)] += 1
        return super().__call__(request)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
async def test_a_stopped_report_goes_on_and_writes_no_section_twice(
    end: signal.Signals, space: str, tmp_path: Path
) -> None:
    writer, last = Counting(), "About reranking"
    with FakeOpenAI(writer) as api:
        api.hang = lambda request: 60 if section_of(request) == last else 0
        running = start(*ASK, space, OPENAI_BASE_URL=api.base_url)
        identity = await begun_in(space)
        async with asyncio.timeout(60):
            while await sections_done(identity) < 2:
                await asyncio.sleep(0.1)
        running.send_signal(end)
        _, said = await asyncio.to_thread(running.communicate, timeout=30)
        hint = f"quire: stopped (resume with: quire report --resume {identity})\n"
        assert said == f"report {identity}\n{'' if end == signal.SIGKILL else hint}"
        api.hang = lambda _: 0
        out = tmp_path / "r.json"
        resume = ("report", "--resume", identity, "--json", str(out))
        again = start(*resume, OPENAI_BASE_URL=api.base_url)
        printed, said = await asyncio.to_thread(again.communicate, timeout=60)
    assert (again.returncode, said) == (0, f"report {identity}\n")
    assert "## About reranking" in printed
    report = json.loads(out.read_text())
    assert (report["id"], report["version"], len(report["sections"])) == (identity, 1, 4)
    assert writer.asked["About BM25"] == writer.asked["About dense vectors"] == 1
    assert writer.asked["outline"] == writer.asked["reformulate"] == 1
    assert await rows_of(identity) <= 4  # of a finished run, the last ones


@pytest.mark.slow
def test_a_report_that_was_stopped_before_its_first_step_is_begun_again(space: str) -> None:
    async def begun() -> str:
        run = {"context": {"space": space, "paths": [str(CONCEPTS)]}, "skipped": []}
        return (await (await open_library(space)).begin_report(QUESTION, run)).id

    identity = asyncio.run(closed(begun))
    assert "unfinished" in next(x for x in quire("reports", "list").splitlines() if identity in x)
    with pytest.raises(QuireError, match=f"not finished: quire report --resume {identity}"):
        quire("reports", "show", identity)
    assert "BM25" in quire("report", "--resume", identity)


@pytest.mark.slow
def test_when_the_model_is_back_the_sections_are_written(
    space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them failed, which ends the run; what was planned is not planned again."""
    writer, out = Counting(), tmp_path / "r.json"

    def down(request: ChatRequest) -> str:
        return "" if task_of(request) == "write_section" else writer(request)

    with FakeOpenAI(down) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        with pytest.raises(QuireError, match="No section could be written: ") as caught:
            quire(*ASK, space)
    found = re.search(r" \(resume with: quire report --resume (\w{8})\)$", str(caught.value))
    assert found
    with FakeOpenAI(writer) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        quire("report", "--resume", found[1], "--json", str(out))
    report = json.loads(out.read_text())
    assert len(report["sections"]) == 1 + 3
    assert "section_failed" not in {one["code"] for one in report["degraded"]}
    for planned in ("reformulate", "outline"):
        assert writer.asked[planned] == 1
    assert writer.asked["write_section"] == 3


@pytest.mark.slow
def test_of_a_finished_report_the_sections_that_failed_are_written(
    space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, out = Counting(), tmp_path / "r.json"

    def refuse(request: ChatRequest) -> str:
        said = writer(request)
        return "I'm sorry." if section_of(request) == "About dense vectors" else said

    with FakeOpenAI(refuse) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        quire(*ASK, space, "--json", str(out))
    before = json.loads(out.read_text())
    titles = [one["title"] for one in before["sections"]]
    assert titles == ["Summary", "About BM25", "About reranking"]
    assert "section_failed" in {one["code"] for one in before["degraded"]}
    again = Counting()
    with FakeOpenAI(again) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        quire("report", "--resume", before["id"], "--json", str(out))
        report = json.loads(out.read_text())
        quire("report", "--resume", before["id"])  # now there is nothing to write
    assert [one["title"] for one in report["sections"]] == [
        "Summary", "About BM25", "About dense vectors", "About reranking",
    ]  # fmt: skip
    assert "section_failed" not in {one["code"] for one in report["degraded"]}
    assert report["sections"][0]["text"] != before["sections"][0]["text"]
    assert again.asked["summarise"] == 1
    first, same = (strip_markers(one["sections"][1]["text"]) for one in (before, report))
    assert first == same  # the numbers follow the summary's
    assert again.asked["About dense vectors"] == again.asked["write_section"] == 1
    assert again.asked["outline"] == 0
    assert (report["id"], report["version"]) == (before["id"], 1)


@pytest.mark.slow
def test_a_model_that_is_down_is_waited_for(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(QuireError, match="cannot be reached") as caught:
        quire(*ASK, space)
    identity = asyncio.run(closed(lambda: begun_in(space)))
    assert str(caught.value).endswith(f" (resume with: quire report --resume {identity})")
    with FakeOpenAI(Writer()) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        assert quire("report", "--resume", identity).startswith("# How search works")


def test_input_that_cannot_be_used_leaves_nothing_to_resume(space: str) -> None:
    with pytest.raises(InputError) as caught:
        quire("report", "Why?", "--connector", "fax", "--space", space)
    assert str(caught.value).startswith("There is no connector 'fax'")
    assert "resume" not in str(caught.value)
    assert space not in quire("reports", "list")


def test_where_nothing_is_found_nothing_is_left(space: str) -> None:
    with pytest.raises(QuireError, match="Nothing was found"):
        quire("report", "Who won the 1954 world cup?", "--files", str(CONCEPTS), "--space", space)
    assert space not in quire("reports", "list")


@pytest.mark.slow
def test_one_bad_file_among_good_ones_is_named_and_skipped(space: str, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Otters\n\nAn otter is a mammal that eats fish.\n")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 broken")
    out = tmp_path / "r.json"
    asked = ("report", "What is an otter?", "--files", str(tmp_path), "--space", space)
    done = CliRunner().invoke(app, [*asked, "--json", str(out)], catch_exceptions=False)
    assert "skipped bad.pdf" in done.stderr
    assert "An otter is a mammal that eats fish [1]." in done.stdout
    report = json.loads(out.read_text())
    [lost] = [one for one in report["degraded"] if one["code"] == "file_skipped"]
    assert "bad.pdf" in lost["detail"]
    assert json.loads(quire("reports", "export", report["id"], "--to", "json")) == report


@pytest.mark.slow
def test_a_finished_report_is_printed_again(written: dict[str, Any]) -> None:
    printed = quire("report", "--resume", written["id"])
    assert printed.strip() == quire("reports", "show", written["id"]).strip()
    assert f"# {written['title']}" in printed


@pytest.mark.slow
def test_the_list_shows_what_is_kept(written: dict[str, Any], space: str) -> None:
    [line] = [one for one in quire("reports", "list").splitlines() if written["id"] in one]
    for told in (written["title"][:30], " 1 ", space):
        assert told in line


@pytest.mark.slow
def test_a_section_is_revised_and_both_versions_stay(written: dict[str, Any]) -> None:
    identity = written["id"]
    first = quire("reports", "show", identity)
    section = quire("reports", "revise", identity, "make it shorter", "--section", "2")
    assert section.startswith(f"## {written['sections'][2]['title']}\n\n")
    assert quire("reports", "show", identity, "--version", "1") == first
    second = quire("reports", "show", identity)
    assert section.strip() in second
    for place in (0, 1, 3):  # a table has its marks in its head
        said = [one for one in written["sections"][place]["text"].split("\n\n") if one[:1] != "|"]
        assert said
        assert all(one in second for one in said)
    told = quire("reports", "list", identity)
    assert "written" in told
    assert "make it shorter" in told
    assert f" {2} " in next(x for x in quire("reports", "list").splitlines() if identity in x)


@pytest.mark.slow
def test_a_report_is_exported_to_standard_output_or_a_file_of_its_suffix(
    written: dict[str, Any], tmp_path: Path
) -> None:
    for to, begins in (("md", "# "), ("json", "{"), ("bibtex", "@"), ("csl", "[")):
        assert quire("reports", "export", written["id"], "--to", to).startswith(begins)
    out = tmp_path / "r.bib"
    assert quire("reports", "export", written["id"], "--out", str(out)).strip() == str(out)
    assert out.read_text().startswith("@")
    named = quire("reports", "export", written["id"], "--to", "md", "--citations", "author-date")
    assert "Quire contributors 2026" in named


@pytest.mark.slow
def test_a_removed_report_is_gone_with_its_thread(written: dict[str, Any]) -> None:
    identity = written["id"]
    quire("reports", "revise", identity, "make it shorter", "--section", "1")
    assert asyncio.run(closed(lambda: rows_of(identity))) > 0
    assert quire("reports", "remove", identity) == f"removed {identity}, 2 versions\n"
    assert asyncio.run(closed(lambda: rows_of(identity))) == 0
    with pytest.raises(InputError, match=f"There is no report {identity}"):
        quire("reports", "show", identity)


@pytest.mark.slow
def test_a_version_and_a_format_that_are_not_there_are_named(written: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"no report {written['id']} in a version 7"):
        quire("reports", "show", written["id"], "--version", "7")
    with pytest.raises(InputError, match="no format 'fax'"):
        quire("reports", "export", written["id"], "--to", "fax")
    with pytest.raises(InputError, match="sections 1 to 3"):
        quire("reports", "revise", written["id"], "shorter", "--section", "9")
    assert quire("reports", "revise", written["id"], "shorter", "--section", "3")  # it goes on
