"""The audit tells who asked what of which sources, and where texts went; not what was written."""

from uuid import uuid4

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS, QUESTION

from schema.access import Member
from schema.context import Context
from serving.live_runs import LiveRuns
from serving.runs import run_ingest
from team.audit import list_records
from team.store import open_team


@pytest.mark.slow
async def test_a_report_leaves_its_records_and_none_of_its_text(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    member, operator = Member(identity=f"user-{uuid4().hex}"), Member(identity="op", operator=True)
    with FakeOpenAI(Writer()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("QUIRE_MODEL", "openai:writer")
        monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
        context = Context(space=space)
        await run_ingest([str(CONCEPTS)], context, lambda _: None, member=member)
        runs = LiveRuns()
        identity = await runs.start(QUESTION, context, member)
        ends = [(run.state, run.reason) async for _, run in runs.follow(identity)]
        await runs.close()
    assert ends[-1] == ("finished", "")
    ended, asked = await list_records(await open_team(), operator, identity=member.identity)
    assert (asked.action, asked.object, ended.action) == (
        "report.asked", identity, "report.finished",
    )  # fmt: skip
    assert asked.detail["question"] == QUESTION
    assert asked.detail["space"] == space
    assert asked.detail["model_hosts"] == ["127.0.0.1"]
    assert "openai:writer" in ended.detail["models"]
    assert ended.detail["asked_outside"] == []
    assert ended.detail["searched"][0].startswith("library: ")
    assert "hybrid" not in str(ended.detail).lower()
