"""`quire keys` and `quire team`: who comes in, and with what."""

import asyncio
from uuid import uuid4

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from library.database.connections import close_databases
from schema.access import Member
from schema.errors import InputError
from team.audit import Record, list_records
from team.store import open_team


def call(*words: str) -> Result:
    return CliRunner().invoke(app, words, catch_exceptions=True)


@pytest.fixture
def name() -> str:
    return f"user-{uuid4().hex[:8]}"


def test_a_key_is_printed_once_listed_and_revoked(name: str) -> None:
    made = call("keys", "create", "--user", name, "--name", "nightly", "--scope", "read")
    key = made.stdout.strip().splitlines()[-1]
    assert key.startswith("qk_")
    listed = call("keys", "list", "--user", name).stdout
    assert "nightly" in listed
    assert key not in listed
    [line] = [line for line in listed.splitlines() if "nightly" in line]
    call("keys", "revoke", line.split("│")[1].strip())
    assert "revoked" in call("keys", "list", "--user", name).stdout
    assert isinstance(call("keys", "revoke", "no-such").exception, InputError)
    assert isinstance(call("keys", "create", "--user", "@law").exception, InputError)


def test_a_user_gets_a_role_and_is_blocked(name: str) -> None:
    call("keys", "create", "--user", name)
    call("team", "role", name, "law", "writer")
    listed = call("team", "list").stdout
    assert f"{name}" in listed
    assert "law: writer" in listed
    call("team", "role", name, "law", "off")
    call("team", "block", name)
    [line] = [line for line in call("team", "list").stdout.splitlines() if name in line]
    assert "blocked" in line
    assert "law" not in line
    call("team", "block", name, "--off")
    assert isinstance(call("team", "block", f"{name}-x").exception, InputError)


def test_keys_roles_and_limits_are_on_record_without_the_key(name: str) -> None:
    key = call("keys", "create", "--user", name, "--name", name).stdout.strip().splitlines()[-1]
    call("team", "role", name, "law", "curator")
    call("team", "limit", name, "runs_a_day", "3")
    held = asyncio.run(_list_records(name))
    assert [one.action for one in held] == ["key.created", "role.set", "limit.set"]
    assert (held[1].detail["group"], held[1].detail["role"]) == ("law", "curator")
    assert not any(key in str(one) for one in held)


async def _list_records(name: str) -> list[Record]:
    operator = Member(identity="op", operator=True)
    try:
        held = await list_records(await open_team(), operator)
    finally:
        await close_databases()
    return [one for one in held[::-1] if one.object == name]


def test_a_page_for_other_machines_needs_sign_in() -> None:
    refused = call("serve", "--host", "0.0.0.0")
    assert isinstance(refused.exception, InputError)
    assert "Without sign-in only this machine is served" in str(refused.exception)
