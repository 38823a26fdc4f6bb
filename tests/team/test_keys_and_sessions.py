"""What opens a door: shown once, kept as a hash, shut when it is time."""

import pytest

from schema.access import Member
from schema.errors import InputError
from team.accounts import make_account
from team.api_keys import MAX_KEYS, create_key, find_key, list_keys, revoke_key
from team.browser_sessions import begin_session, end_all_sessions, end_session, find_session
from team.groups import set_role
from team.store import TeamStore


@pytest.fixture
async def ada(team: TeamStore, name: str) -> str:
    assert await make_account(team, name)
    assert not await make_account(team, name)
    await set_role(team, name, "law", "curator")
    return name


async def expire(team: TeamStore, table: str, identity: str) -> None:
    async with team.connect() as connection:
        await connection.execute(
            f"UPDATE quire.{table} SET expires = now() - interval '1 second' WHERE identity = %s",
            (identity,),
        )


async def dump(team: TeamStore) -> str:
    async with team.connect() as connection:
        found = await connection.execute(
            "SELECT (SELECT json_agg(k) FROM quire.api_keys k)::text || "
            "(SELECT json_agg(s) FROM quire.browser_sessions s)::text"
        )
        return str((await found.fetchone() or ("",))[0])


async def test_nothing_that_opens_is_kept(team: TeamStore, ada: str) -> None:
    key, session = await create_key(team, ada, "script", "read"), await begin_session(team, ada)
    kept = await dump(team)
    assert ada in kept
    for secret in (key, key.removeprefix("qk_"), session):
        assert len(secret) >= 43
        assert secret not in kept
        assert secret.encode().hex() not in kept


@pytest.mark.parametrize(
    ("scope", "role"), [("read", "reader"), ("write", "writer"), ("sources", "curator")]
)
async def test_a_key_stands_for_its_owner_within_its_scope(
    team: TeamStore, ada: str, scope: str, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_OPERATORS", ada)
    key = await create_key(team, ada, "script", scope)
    expected = Member(identity=ada, groups={"law": "curator"}, at_most=role)  # type: ignore[arg-type]
    assert await find_key(team, key) == expected
    await set_role(team, ada, "law", None)
    member = await find_key(team, key)
    assert member is not None
    assert member.groups == {}


async def test_a_key_that_is_revoked_expired_or_made_up_opens_nothing(
    team: TeamStore, ada: str
) -> None:
    key, other = (
        await create_key(team, ada, "", "read", days=1),
        await create_key(team, ada, "", "read"),
    )
    for made_up in ("", "qk_", key[:-1], key.upper(), f"{key}\0", key.removeprefix("qk_")):
        assert await find_key(team, made_up) is None
    await expire(team, "api_keys", ada)
    assert await find_key(team, key) is None
    async with team.connect() as connection:
        await connection.execute("UPDATE quire.api_keys SET expires = NULL")
    newest, *_ = await list_keys(team, ada)
    assert await find_key(team, key)
    assert await find_key(team, other)
    with pytest.raises(InputError, match="no key"):
        await revoke_key(team, newest.id, "somebody-else")
    for one in await list_keys(team, ada):
        await revoke_key(team, one.id, ada)
    assert await find_key(team, key) is None
    assert all(one.revoked for one in await list_keys(team, ada))


async def test_a_key_tells_when_it_was_used(team: TeamStore, ada: str) -> None:
    key = await create_key(team, ada, "  nightly\0 run ", "write", days=30)
    [listed] = await list_keys(team, ada)
    assert (listed.name, listed.scope, listed.used) == ("nightly\ufffd run", "write", None)
    assert listed.expires is not None
    assert (listed.expires - listed.made).days == 30
    await find_key(team, key)
    assert (await list_keys(team, ada))[0].used


async def test_keys_are_bounded(team: TeamStore, ada: str) -> None:
    for scope, days in (("all", None), ("", None), ("read", 0), ("read", 99_999)):
        with pytest.raises(InputError):
            await create_key(team, ada, "", scope, days)
    for _ in range(MAX_KEYS):
        await create_key(team, ada, "", "read")
    with pytest.raises(InputError, match="revoke one first"):
        await create_key(team, ada, "", "read")


async def test_a_session_ends_when_it_is_signed_out_or_too_old(team: TeamStore, ada: str) -> None:
    session = await begin_session(team, ada)
    assert await find_session(team, session) == Member(identity=ada, groups={"law": "curator"})
    await end_session(team, session)
    assert await find_session(team, session) is None
    session = await begin_session(team, ada)
    await expire(team, "browser_sessions", ada)
    assert await find_session(team, session) is None


async def test_a_sign_in_ends_what_the_browser_showed_before(team: TeamStore, ada: str) -> None:
    before = await begin_session(team, ada)
    after = await begin_session(team, ada, before)
    assert after != before
    assert await find_session(team, before) is None
    assert await find_session(team, after)
    planted = "chosen-by-somebody-else"
    assert await begin_session(team, ada, planted) != planted
    assert await find_session(team, planted) is None


async def test_all_browsers_can_be_signed_out(team: TeamStore, ada: str) -> None:
    sessions = [await begin_session(team, ada) for _ in range(3)]
    await end_all_sessions(team, ada)
    assert [await find_session(team, one) for one in sessions] == [None] * 3
