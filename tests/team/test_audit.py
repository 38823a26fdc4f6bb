"""What was done is kept as it was, and read by operators only."""

import pytest
from psycopg import DatabaseError

from schema.access import AccessError, Member
from schema.errors import LibraryError
from team.audit import MAX_VALUE_CHARACTERS, list_records, record
from team.store import TeamStore

OPERATOR = Member(identity="op", operator=True)


async def test_operators_read_who_did_what(team: TeamStore, name: str) -> None:
    ada = Member(identity=name)
    await record(ada, "report.asked", "ab12", question="q" * 1_000, connectors=["web", "x\0"])
    await record(ada, "report.shared", "ab12", days=3, public=True, until=None)
    newest, oldest = await list_records(team, OPERATOR, identity=name)
    assert (newest.identity, newest.action, newest.object) == (name, "report.shared", "ab12")
    assert newest.detail == {"days": 3, "public": True, "until": None}
    assert oldest.detail["connectors"] == ["web", "x\ufffd"]
    assert len(oldest.detail["question"]) == MAX_VALUE_CHARACTERS
    assert await list_records(team, OPERATOR, before=newest.id, identity=name) == [oldest]
    for member in (ada, Member(groups={"law": "curator"})):
        with pytest.raises(AccessError, match="Only operators"):
            await list_records(team, member)


@pytest.mark.parametrize(
    "statement",
    ["UPDATE quire.audit SET identity = 'bob'", "DELETE FROM quire.audit", "TRUNCATE quire.audit"],
)
async def test_no_record_is_changed_or_removed(team: TeamStore, name: str, statement: str) -> None:
    await record(Member(identity=name), "report.asked")
    with pytest.raises((DatabaseError, LibraryError)):
        async with team.connect() as connection:
            await connection.execute(statement)
    assert len(await list_records(team, OPERATOR, identity=name)) == 1
