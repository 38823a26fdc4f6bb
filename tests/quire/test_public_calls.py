"""`import quire`: reports, answers, documents and searches, awaited and in plain code."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import quire
from library.library import open_library

ROOT = Path(__file__).parents[2]
SAMPLES = str(ROOT / "samples")
QUESTION = "What is reciprocal rank fusion?"


@pytest.mark.slow
def test_a_report_is_written_in_plain_code(space: str) -> None:
    context = quire.Context(paths=[SAMPLES], space=space)
    events = list[str]()
    report = quire.report(
        QUESTION, context, on_event=lambda event: events.append(event["type"])
    ).result()
    assert report["citations"]
    assert "report" in events
    assert quire.export(report, "markdown").decode().startswith(f"# {report['title']}")


async def test_plain_code_works_where_a_loop_runs(space: str) -> None:
    """As in a cell of a notebook that awaits nothing."""
    done = quire.ingest(SAMPLES, context=quire.Context(space=space)).result()
    assert done["counts"] == {"added": 10}
    assert quire.search("rank fusion", space=space).result().hits


@pytest.mark.slow
async def test_calls_are_awaited_where_a_loop_runs(space: str) -> None:
    context = quire.Context(space=space)
    await quire.ingest(SAMPLES, context=context)
    found = await quire.search("rank fusion", quire.SearchOptions(limit=2), space=space)
    assert len(found.hits) == 2
    assert (await quire.ask(QUESTION, context))["found"]
    assert (await quire.report(QUESTION, context))["citations"]


async def test_a_report_without_sources_says_why_there_is_none(space: str) -> None:
    with pytest.raises(quire.QuireError, match=r"quire ingest|sources"):
        await quire.report(QUESTION, quire.Context(space=space))


async def test_nothing_is_saved_of_a_report_that_cannot_begin(space: str) -> None:
    with pytest.raises(quire.QuireError, match="no/such"):
        await quire.report(QUESTION, quire.Context(space=space, paths=["no/such"]))
    kept = await (await open_library(space)).list_reports()
    assert [one for one in kept if one.space == space] == []


def test_ctrl_c_cancels_the_work() -> None:
    ended = list[str]()

    async def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)  # it reaches the main thread, which waits
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # as an interpreter begins
    try:
        with pytest.raises(KeyboardInterrupt):
            quire.Call(work).result()
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == ["cancelled"]


@pytest.mark.slow
def test_the_example_of_the_readme_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "[1]" in capsys.readouterr().out


def test_importing_the_face_imports_nothing_else() -> None:
    code = "import sys, quire; print({'schema', 'pydantic', 'asyncio'} & sys.modules.keys())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_every_name_of_the_face_is_there() -> None:
    assert {"report", "Context", "LiveConnector"} <= {*dir(quire)}
    assert all(getattr(quire, name) is not None for name in dir(quire))
    with pytest.raises(AttributeError, match="nothing"):
        _ = quire.nothing
