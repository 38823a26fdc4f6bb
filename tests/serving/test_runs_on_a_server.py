"""The page's reports, written by a real `langgraph dev` that shares its database."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from dev_server import DevServer
from graph_runs import QUESTION

from schema.access import LOCAL_MEMBER
from schema.context import Context
from schema.errors import QuireError
from serving.live_run import LiveRun
from serving.live_runs import LiveRuns
from serving.revisions import revise_report
from serving.server_runs import ServerWriter
from serving.stored_reports import load_finished_report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[DevServer]:
    with DevServer(data_dir) as started:
        yield started


@pytest.fixture
async def runs(server: DevServer) -> AsyncIterator[LiveRuns]:
    held = LiveRuns(writer=ServerWriter(server.url))
    yield held
    await held.close()


async def _follow_to_end(runs: LiveRuns, identity: str) -> LiveRun:
    async with asyncio.timeout(90):
        async for _, run in runs.follow(identity):
            if run.state == "asking":
                return run
    return run


async def test_a_report_is_written_there_and_saved_under_the_id_it_was_begun_with(
    samples: str, runs: LiveRuns, server: DevServer
) -> None:
    context = Context(space=samples, research_mode="deep")
    identity = await runs.start(QUESTION, context, LOCAL_MEMBER)
    run = await _follow_to_end(runs, identity)
    assert run.state == "finished", run.reason
    kinds = [event["type"] for event in run.events]
    assert kinds.count("written") == 3
    assert kinds.count("outline") == 1
    report = await load_finished_report(identity)
    assert report["id"] == identity
    revised = await revise_report(identity, [1], "Make it shorter.", lambda _: None)
    assert revised["version"] == 2
    assert server.complaints == []


async def test_the_outline_is_asked_about_across_the_wire(samples: str, runs: LiveRuns) -> None:
    context = Context(space=samples, approve_outline=True)
    identity = await runs.start(QUESTION, context, LOCAL_MEMBER)
    waiting = await _follow_to_end(runs, identity)
    assert waiting.state == "asking"
    mine = {"title": "Mine", "sections": [{"title": "HNSW", "questions": ["What is HNSW?"]}]}
    await runs.resume(identity, LOCAL_MEMBER, {"outline": mine})
    assert (await _follow_to_end(runs, identity)).state == "finished"
    assert (await load_finished_report(identity))["title"] == "Mine"


async def test_a_stopped_run_ends_there_too_and_goes_on(
    samples: str, runs: LiveRuns, server: DevServer
) -> None:
    context = Context(space=samples, research_mode="deeper")
    identity = await runs.start(QUESTION, context, LOCAL_MEMBER)
    run = runs.find(identity)
    assert run
    async with asyncio.timeout(60):
        while not run.events:
            await asyncio.sleep(0.02)
    await runs.stop(identity, LOCAL_MEMBER)
    [there] = await server.client.runs.list(run.begun.thread)
    assert there["status"] in ("interrupted", "success")
    await runs.resume(identity, LOCAL_MEMBER)
    assert (await _follow_to_end(runs, identity)).state == "finished"
    assert (await load_finished_report(identity))["id"] == identity


async def test_a_server_that_is_away_fails_the_run_in_one_sentence(samples: str) -> None:
    runs = LiveRuns(writer=ServerWriter("http://127.0.0.1:9"))
    identity = await runs.start(QUESTION, Context(space=samples), LOCAL_MEMBER)
    run = await _follow_to_end(runs, identity)
    assert run.state == "failed"
    assert run.reason.startswith("The server that writes reports does not answer")
    with pytest.raises(QuireError, match="is not finished"):
        await load_finished_report(identity)
