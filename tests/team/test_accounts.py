"""Who may come in, and what they may do there: always as it is now."""

import pytest
from psycopg import DatabaseError

from library.database.connections import open_database
from schema.access import AccessError, Member
from schema.errors import InputError, LibraryError
from team.accounts import (
    block_account,
    enter_account,
    find_account,
    find_member,
    make_account,
    name_identity,
)
from team.api_keys import create_key, find_key
from team.browser_sessions import begin_session, find_session
from team.groups import Grant, find_grant, set_role
from team.store import TeamStore

ISSUER = "https://id.example"


async def enter(team: TeamStore, subject: str, **roles: str) -> str:
    grant = Grant(roles)  # type: ignore[arg-type]
    return (await enter_account(team, ISSUER, subject, "Ada", "ada@id.example", grant)).identity


async def test_an_account_is_one_issuer_s_one_subject(team: TeamStore, name: str) -> None:
    first = await enter(team, name)
    assert first == await enter(team, name) == name_identity(ISSUER, name)
    other = await enter_account(team, "https://other.example", name, "Eve", "", Grant())
    assert other.identity != first
    assert (await find_account(team, first)).name == "Ada"


async def test_no_identity_is_a_group_s_or_the_team_s(team: TeamStore, name: str) -> None:
    for subject in (f"@{name}", f"#{name}", "#team", "local"):
        identity = await enter(team, subject)
        assert identity[0] not in "@#"
        assert identity != "local"
    for given in ("@law", "#team", "", "a b", "a/b", "x" * 201, "oidc-0011"):
        with pytest.raises(InputError):
            await make_account(team, given)


async def test_a_sign_in_replaces_what_the_provider_said_and_not_what_was_set_by_hand(
    team: TeamStore, name: str
) -> None:
    identity = await enter(team, name, law="writer", tax="reader")
    await set_role(team, identity, "law", "reader")
    await set_role(team, identity, "press", "curator")
    groups = (await find_account(team, identity)).groups
    assert groups == {"law": "writer", "tax": "reader", "press": "curator"}
    await enter(team, name, tax="curator")
    groups = (await find_account(team, identity)).groups
    assert groups == {"law": "reader", "tax": "curator", "press": "curator"}
    await set_role(team, identity, "press", None)
    assert "press" not in (await find_account(team, identity)).groups


def test_groups_of_the_provider_become_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_GROUPS", "law=law:writer,press")
    with pytest.raises(InputError, match="QUIRE_GROUPS cannot be read at “press”"):
        find_grant(["law"])
    monkeypatch.setenv("QUIRE_GROUPS", "law-admins=law:curator, law=law:writer,/ops=operator,")
    assert find_grant(["law"]) == Grant({"law": "writer"})
    assert find_grant(["law", "law-admins"]) == Grant({"law": "curator"})
    assert find_grant(["/ops", "other"]) == Grant({}, operator=True)
    assert find_grant(["law:curator", "LAW", ""]) == Grant()
    monkeypatch.setenv("QUIRE_GROUPS", "law=law:owner")
    with pytest.raises(InputError, match="a role of reader, writer or curator"):
        find_grant([])


async def test_operators_are_named_by_the_setting_or_the_provider(
    team: TeamStore, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = await enter(team, name)
    assert not (await find_member(team, identity)).operator
    monkeypatch.setenv("QUIRE_OPERATORS", f"someone, {identity}")
    assert (await find_member(team, identity)).operator
    monkeypatch.setenv("QUIRE_OPERATORS", name)
    assert not (await find_member(team, identity)).operator
    await enter_account(team, ISSUER, name, "", "", Grant({}, operator=True))
    assert (await find_member(team, identity)).operator


async def test_who_is_blocked_comes_in_by_no_door(team: TeamStore, name: str) -> None:
    identity = await enter(team, name, law="writer")
    session = await begin_session(team, identity)
    key = await create_key(team, identity, "", "write")
    assert await find_member(team, identity) == Member(
        identity=identity, name="Ada", groups={"law": "writer"}
    )
    await block_account(team, identity)
    assert await find_session(team, session) is None
    assert await find_key(team, key) is None
    with pytest.raises(AccessError, match="blocked"):
        await find_member(team, identity)
    with pytest.raises(AccessError, match="blocked"):
        await enter(team, name)
    await block_account(team, identity, blocked=False)
    assert await find_key(team, key) is not None
    assert await find_session(team, session) is None


async def test_the_local_user_is_nobody_where_people_sign_in(
    team: TeamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await find_member(team, "local") == Member()
    monkeypatch.setenv("QUIRE_REQUIRE_SIGN_IN", "true")
    with pytest.raises(AccessError, match="blocked or gone"):
        await find_member(team, "local")


async def test_no_member_s_session_sees_or_makes_an_account(team: TeamStore, name: str) -> None:
    identity = await enter(team, name)
    await create_key(team, identity, "", "read")
    await begin_session(team, identity)
    database = await open_database()
    for table in ("accounts", "memberships", "browser_sessions", "api_keys", "audit"):
        async with database.session(identity) as connection:
            found = await connection.execute(f"SELECT count(*) FROM quire.{table}")
            assert await found.fetchone() == (0,)
    with pytest.raises((LibraryError, DatabaseError)):
        async with database.session(identity) as connection:
            await connection.execute(
                "INSERT INTO quire.memberships VALUES (%s, 'law', 'curator', true)", (identity,)
            )
