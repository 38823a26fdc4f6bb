"""Members who leave are forgotten; reports go when their space keeps them no longer."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from graph_runs import CONCEPTS, QUESTION

from connectors.served import get_upload_folder
from library.library import open_library
from schema.access import AccessError, Member
from schema.context import Context
from schema.errors import InputError
from serving.members import export_member, remove_member
from serving.reports import begin_report, write_report
from serving.retention import CLEANER, remove_old_reports
from serving.runs import run_ingest
from serving.stored_reports import list_reports
from team.accounts import find_member, make_account
from team.api_keys import create_key, find_key
from team.audit import list_records, record
from team.browser_sessions import begin_session, find_session
from team.groups import set_role
from team.retention import set_retention
from team.schedules import list_schedules, set_schedule
from team.store import TeamStore, open_team

OPERATOR = Member(identity="op", operator=True)
DAY = timedelta(days=1)


@pytest.fixture
async def team() -> TeamStore:
    return await open_team()


@pytest.fixture
async def ada(team: TeamStore, monkeypatch: pytest.MonkeyPatch) -> Member:
    """Someone with a report, an uploaded file and a schedule in a space of their own."""
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    name = f"ada-{uuid4().hex[:8]}"
    await make_account(team, name)
    await set_role(team, name, name, "curator")
    made = await find_member(team, name)
    await run_ingest([str(CONCEPTS)], Context(), lambda _: None, member=made)
    await write_report(await begin_report(QUESTION, Context(), made), lambda _: None, made)
    folder = get_upload_folder(name, "default")
    folder.mkdir(parents=True)
    (folder / "otters.md").write_text("# Otters\n")
    await set_schedule(team, made, name, "default", "files:/x", DAY)
    return made


@pytest.mark.slow
async def test_who_is_removed_comes_in_no_more_and_leaves_nothing(
    team: TeamStore, ada: Member
) -> None:
    key = await create_key(team, ada.identity, "", "write")
    session = await begin_session(team, ada.identity, "")
    await record(ada, "report.asked", "x")
    assert await remove_member(ada.identity, delete_spaces=True) == 1
    assert await find_key(team, key) is None
    assert await find_session(team, session) is None
    with pytest.raises(AccessError):
        await find_member(team, ada.identity)
    assert await list_schedules(team, ada) == []
    assert await list_reports(ada) == []
    assert await (await open_library(user=ada.identity)).list_spaces() == []
    assert not get_upload_folder(ada.identity, "default").exists()
    assert len(await list_records(team, OPERATOR, identity=ada.identity)) == 1
    with pytest.raises(InputError, match="no account"):
        await remove_member(ada.identity, delete_spaces=True)


@pytest.mark.slow
async def test_the_spaces_of_who_is_removed_can_be_kept(team: TeamStore, ada: Member) -> None:
    assert await remove_member(ada.identity, delete_spaces=False) == 0
    assert len(await list_reports(ada)) == 1
    assert get_upload_folder(ada.identity, "default").exists()


@pytest.mark.slow
async def test_what_is_held_of_a_member_is_written_without_what_opens(
    team: TeamStore, ada: Member, tmp_path: Path
) -> None:
    key = await create_key(team, ada.identity, "nightly", "write")
    await record(ada, "report.exported", "x")
    folder = tmp_path / "ada"
    assert await export_member(ada.identity, folder) == 1
    told = json.loads((folder / "account.json").read_text())
    assert told["account"]["identity"] == ada.identity
    assert [one["name"] for one in told["keys"]] == ["nightly"]
    assert [one["source"] for one in told["schedules"]] == ["files:/x"]
    assert [one["action"] for one in json.loads((folder / "audit.json").read_text())] == [
        "report.exported"
    ]
    space = folder / "space-default"
    assert (space / "uploads" / "otters.md").read_text() == "# Otters\n"
    assert json.loads((space / "sources.json").read_text())[0]["connector"] == "files"
    [text] = list((space / "reports").glob("*.1.md"))
    report = json.loads(text.with_suffix(".json").read_text())
    assert report["title"] in text.read_text()
    assert not any(key in one.read_text() for one in folder.rglob("*.json"))
    with pytest.raises(InputError, match="holds something"):
        await export_member(ada.identity, folder)


@pytest.mark.slow
async def test_reports_go_when_their_space_keeps_them_no_longer(
    team: TeamStore, ada: Member
) -> None:
    group = f"@{ada.identity}"
    kept = await begin_report(QUESTION, Context(space=f"{group}/kept"), ada)
    goes = await begin_report(QUESTION, Context(space=f"{group}/cases"), ada)
    await set_retention(team, group, "cases", 30)
    now = datetime.now(UTC)
    assert await remove_old_reports(now + 29 * DAY) == 0
    assert await remove_old_reports(now + 31 * DAY) == 1
    assert goes.id not in [one.id for one in await list_reports(ada)]
    assert kept.id in [one.id for one in await list_reports(ada)]
    [row] = [one for one in await list_records(team, OPERATOR) if one.object == goes.id]
    assert (row.identity, row.action) == (CLEANER, "report.removed")
    await set_retention(team, group, "cases", None)
    again = await begin_report(QUESTION, Context(space=f"{group}/cases"), ada)
    assert await remove_old_reports(now + 400 * DAY) == 0
    assert again.id in [one.id for one in await list_reports(ada)]
    with pytest.raises(InputError, match="kept for 1 to"):
        await set_retention(team, group, "cases", 0)
