"""Syncs that are queued, scheduled and done by workers."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from library.library import open_library
from schema.access import LOCAL_MEMBER, AccessError, Member
from schema.errors import InputError
from serving.jobs import Jobs, find_job_member, open_jobs
from serving.sources import add_sources
from team.schedules import take_due
from team.store import open_team


@pytest.fixture
async def jobs(own_database: str) -> AsyncIterator[Jobs]:
    """The queue of a database of the test's own."""
    async with open_jobs() as opened:
        yield opened


@pytest.fixture
async def source(space: str, tmp_path: Path) -> str:
    """A folder of three pages, a source of the space that nobody has read yet."""
    for number in range(3):
        (tmp_path / f"page{number}.md").write_text(f"# Page {number}\n\nText of page {number}.")
    [name] = await add_sources([str(tmp_path)], space)
    return name


async def test_a_worker_brings_a_queued_source_into_the_library(
    jobs: Jobs, space: str, source: str
) -> None:
    queued = await jobs.queue_sync(source, space, LOCAL_MEMBER)
    [waiting] = await jobs.list_syncs(LOCAL_MEMBER)
    assert (waiting.id, waiting.state, waiting.space) == (queued, "todo", space)
    await jobs.work(find_job_member, wait=False)
    [done] = await jobs.list_syncs(LOCAL_MEMBER)
    assert (done.state, done.documents) == ("succeeded", 3)
    [held] = await (await open_library(space)).list_sources()
    assert held.counts == {"added": 3}


async def test_a_source_is_queued_once(jobs: Jobs, space: str, source: str) -> None:
    assert await jobs.queue_sync(source, space, LOCAL_MEMBER) is not None
    assert await jobs.queue_sync(source, space, LOCAL_MEMBER) is None


async def test_only_a_curator_queues_and_only_members_see(
    jobs: Jobs, space: str, source: str
) -> None:
    writer = Member(identity="ada", groups={"law": "writer"})
    with pytest.raises(AccessError, match="needs a curator"):
        await jobs.queue_sync(source, f"@law/{space}", writer)
    queued = await jobs.queue_sync(source, space, LOCAL_MEMBER)
    assert queued is not None
    assert await jobs.list_syncs(writer) == []
    with pytest.raises(InputError, match=f"There is no job {queued}"):
        await jobs.cancel(queued, writer)


async def test_a_role_that_was_taken_back_ends_the_job(jobs: Jobs, space: str, source: str) -> None:
    curator = Member(identity="ada", groups={"law": "curator"})
    await jobs.queue_sync(source, f"@law/{space}", curator)

    async def find_member(identity: str) -> Member:
        return Member(identity=identity)

    await jobs.work(find_member, wait=False)
    [done] = await jobs.list_syncs(curator)
    assert done.state == "failed"
    assert await (await open_library(space, "@law")).list_sources() == []


async def test_a_cancelled_sync_is_not_done(jobs: Jobs, space: str, source: str) -> None:
    queued = await jobs.queue_sync(source, space, LOCAL_MEMBER)
    assert queued is not None
    await jobs.cancel(queued, LOCAL_MEMBER)
    await jobs.work(find_job_member, wait=False)
    [held] = await (await open_library(space)).list_sources()
    assert held.synced is None
    with pytest.raises(InputError, match="has ended already"):
        await jobs.cancel(queued, LOCAL_MEMBER)


@pytest.mark.slow
async def test_what_a_stopped_worker_had_begun_is_given_back(
    jobs: Jobs, space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.jobs.HEARTBEAT_SECONDS", 0.1)  # that it is given to end
    for number in range(1_500):
        (tmp_path / f"page{number}.md").write_text(f"# Page {number}\n\n" + "Words of it. " * 200)
    [source] = await add_sources([str(tmp_path)], space)
    await jobs.queue_sync(source, space, LOCAL_MEMBER)
    working = asyncio.create_task(jobs.work(find_job_member))
    library = await open_library(space)
    async with asyncio.timeout(60):
        while not await library.load_versions("files", [tmp_path.as_uri()]):
            await asyncio.sleep(0.05)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    [given_back] = await jobs.list_syncs(LOCAL_MEMBER)
    assert (given_back.state, given_back.failure) == ("todo", "")
    await jobs.work(find_job_member, wait=False)
    assert len(await library.load_versions("files", [tmp_path.as_uri()])) == 1_500


async def test_what_was_missed_is_made_up_for_once(jobs: Jobs, space: str, source: str) -> None:
    await jobs.schedule(source, space, LOCAL_MEMBER, timedelta(days=1))
    [planned] = await jobs.list_schedules(LOCAL_MEMBER)
    assert await jobs.queue_due(planned.due - timedelta(seconds=1)) == 0
    after_a_week = planned.due + timedelta(days=7, hours=3)
    assert await jobs.queue_due(after_a_week) == 1
    assert await jobs.queue_due(after_a_week) == 0
    [again] = await jobs.list_schedules(LOCAL_MEMBER)
    assert again.due == planned.due + timedelta(days=8)


@pytest.mark.slow
async def test_thirty_days_of_two_workers_miss_and_double_none(
    jobs: Jobs, space: str, source: str
) -> None:
    await jobs.schedule(source, space, LOCAL_MEMBER, timedelta(hours=6))
    [planned] = await jobs.list_schedules(LOCAL_MEMBER)
    team, taken = await open_team(), 0
    for tick in range(30 * 24):
        now = planned.due + timedelta(hours=tick)
        for one in await asyncio.gather(take_due(team, now), take_due(team, now)):
            taken += len(one)
    assert taken == 30 * 4


async def test_a_schedule_ends_and_none_is_too_often(jobs: Jobs, space: str, source: str) -> None:
    with pytest.raises(InputError, match="once a minute"):
        await jobs.schedule(source, space, LOCAL_MEMBER, timedelta(seconds=59))
    await jobs.schedule(source, space, LOCAL_MEMBER, timedelta(hours=1))
    await jobs.schedule(source, space, LOCAL_MEMBER, None)
    assert await jobs.list_schedules(LOCAL_MEMBER) == []


@pytest.mark.slow
async def test_what_a_killed_worker_had_begun_is_taken_over(
    jobs: Jobs, space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1_500):
        (tmp_path / f"page{number}.md").write_text(f"# Page {number}\n\n" + "Words of it. " * 200)
    [source] = await add_sources([str(tmp_path)], space)
    await jobs.queue_sync(source, space, LOCAL_MEMBER)
    first = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "worker", cwd=tmp_path, start_new_session=True
    )
    library = await open_library(space)
    async with asyncio.timeout(60):
        while not await library.load_versions("files", [tmp_path.as_uri()]):
            await asyncio.sleep(0.05)
    os.killpg(first.pid, signal.SIGKILL)
    await first.wait()
    [begun] = await jobs.list_syncs(LOCAL_MEMBER)
    assert begun.state == "doing"

    monkeypatch.setattr("serving.jobs.STALLED_SECONDS", 0)
    await jobs.take_over()
    await jobs.work(find_job_member, wait=False)
    [done] = await jobs.list_syncs(LOCAL_MEMBER)
    assert done.state == "succeeded"
    assert len(await library.load_versions("files", [tmp_path.as_uri()])) == 1_500
