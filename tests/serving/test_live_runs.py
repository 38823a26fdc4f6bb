"""Reports written in the background of a server: followed, approved, stopped, gone on with."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from fakes.writer import Writer, task_of
from graph_runs import QUESTION, speaking

from schema.access import LOCAL_MEMBER, AccessError, Member
from schema.context import Context
from schema.errors import InputError
from serving.live_run import LiveRun
from serving.live_runs import LiveRuns
from serving.stored_reports import load_finished_report, load_report
from team.limits import LimitError, set_limit
from team.store import open_team


@pytest.fixture
async def runs() -> AsyncIterator[LiveRuns]:
    """Runs whose tasks end with the test."""
    held = LiveRuns()
    yield held
    await held.close()


async def _follow_to_end(runs: LiveRuns, identity: str) -> LiveRun:
    async with asyncio.timeout(60):
        async for _, run in runs.follow(identity):
            if run.state == "asking":
                return run
    return run


@pytest.mark.slow
async def test_whoever_looks_late_sees_all_events(samples: str, runs: LiveRuns) -> None:
    identity = await runs.start(QUESTION, Context(space=samples), LOCAL_MEMBER)
    run = await _follow_to_end(runs, identity)
    assert run.state == "finished"
    [(count, late)] = [seen async for seen in runs.follow(identity)]
    assert count == len(late.events)
    assert {"outline", "searched", "written", "report"} <= {event["type"] for event in late.events}
    assert (await load_finished_report(identity))["citations"]


@pytest.mark.slow
async def test_an_outline_is_asked_about_and_edited(samples: str, runs: LiveRuns) -> None:
    context = Context(space=samples, approve_outline=True)
    identity = await runs.start(QUESTION, context, LOCAL_MEMBER)
    waiting = await _follow_to_end(runs, identity)
    assert waiting.state == "asking"
    assert waiting.outline["outline"]["sections"]

    await runs.resume(identity, LOCAL_MEMBER, "nonsense")
    assert "cannot be used" in (await _follow_to_end(runs, identity)).reason

    mine = {"title": "Mine", "sections": [{"title": "HNSW", "questions": ["What is HNSW?"]}]}
    await runs.resume(identity, LOCAL_MEMBER, {"outline": mine})
    assert (await _follow_to_end(runs, identity)).state == "finished"
    assert (await load_finished_report(identity))["title"] == "Mine"


@pytest.mark.slow
async def test_a_stopped_report_goes_on_where_it_was(samples: str, runs: LiveRuns) -> None:
    with speaking(Writer()) as api:
        api.hang = lambda request: 60 if task_of(request) == "write_section" else 0
        identity = await runs.start(QUESTION, Context(space=samples), LOCAL_MEMBER)
        async with asyncio.timeout(30):
            while "write_section" not in map(task_of, api.requests):
                await asyncio.sleep(0.01)
        await runs.stop(identity, LOCAL_MEMBER)
        run = runs.find(identity)
        assert run
        assert run.state == "stopped"

        api.hang = lambda _: 0
        await runs.resume(identity, LOCAL_MEMBER)
        assert (await _follow_to_end(runs, identity)).state == "finished"
    assert [task_of(one) for one in api.requests].count("outline") == 1


async def test_what_cannot_be_begun_leaves_nothing(runs: LiveRuns) -> None:
    with pytest.raises(InputError):
        await runs.start("  ", Context(), LOCAL_MEMBER)
    with pytest.raises(AccessError):
        await runs.start(QUESTION, Context(space="@law/cases"), Member(identity="ada"))


@pytest.mark.slow
async def test_another_member_cannot_stop_or_resume(samples: str, runs: LiveRuns) -> None:
    identity = await runs.start(QUESTION, Context(space=samples), LOCAL_MEMBER)
    stranger = Member(identity="eve", groups={"law": "curator"})
    for attempt in (runs.stop, runs.resume, load_report_of):
        with pytest.raises(InputError, match="no report"):
            await attempt(identity, stranger)
    assert (await _follow_to_end(runs, identity)).state == "finished"


async def load_report_of(identity: str, member: Member) -> None:
    await load_report(identity, member=member)


async def test_turns_go_round_between_members(
    samples: str, runs: LiveRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_RUNS_AT_ONCE", "1")
    ada, bob = (Member(identity=f"{samples}-{name}") for name in ("ada", "bob"))
    first, second, third = [await runs.start(QUESTION, Context(), ada) for _ in range(3)]
    other = await runs.start(QUESTION, Context(), bob)
    assert [runs.find_place(one) for one in (first, other, second, third)] == [0, 1, 2, 3]
    await runs.stop(second, ada)
    assert runs.find_place(third) == 2
    for one in (first, other, third):
        assert (await _follow_to_end(runs, one)).ended
    assert runs.find_place(third) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("own_database")  # everybody is limited
async def test_who_has_used_what_they_may_is_told_when_there_is_more(
    samples: str, runs: LiveRuns
) -> None:
    team, ada = await open_team(), Member(identity=f"{samples}-ada", groups={"law": "writer"})
    await set_limit(team, "*", "runs_a_day", 0)
    with pytest.raises(LimitError, match="You have used 0 of 0 reports of today") as caught:
        await runs.start(QUESTION, Context(), ada)
    assert 0 < caught.value.seconds <= 86_401
    await set_limit(team, "@law", "runs_a_day", 1)  # of a group counts more than everybody's
    identity = await runs.start(QUESTION, Context(), ada)
    await set_limit(team, ada.identity, "runs_a_day", 9)
    await set_limit(team, ada.identity, "runs_at_once", 1)
    with pytest.raises(LimitError, match="1 reports under way"):
        await runs.start(QUESTION, Context(), ada)
    await _follow_to_end(runs, identity)
    await set_limit(team, ada.identity, "runs_at_once", None)
    await runs.start(QUESTION, Context(), ada)
