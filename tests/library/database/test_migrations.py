"""The schema goes forward: made once, refused where it is newer, told where a role may not."""

import asyncio
import sys
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from library_pages import page
from served_databases import as_role, made, run

from library.database import connections
from library.database.connections import close_databases, open_database
from library.library import open_library
from schema.errors import LibraryError
from serving.migrations import migrate_database


@pytest.fixture
async def owned(data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new database, which the settings name with the role that owns it; the admin's url."""
    name = space.replace("-", "_")
    await open_database()  # which makes the role to step down to
    admin = await made(data_dir, name)
    await close_databases()
    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(admin, name))
    return admin


async def _read_comment(admin: str) -> str:
    async with await psycopg.AsyncConnection.connect(admin) as connection:
        cursor = await connection.execute("SELECT obj_description(to_regnamespace('quire'))")
        [comment] = await cursor.fetchone() or ("",)
    return str(comment)


async def test_everything_is_made_at_once_and_again_is_nothing(owned: str) -> None:
    said = await migrate_database()
    assert said == f"schema {connections.SCHEMA_VERSION}: library, checkpoints, queue"
    before = await _read_comment(owned)
    await close_databases()
    assert await migrate_database() == said
    assert await _read_comment(owned) == before
    await close_databases()


async def test_a_newer_schema_is_refused_and_left_as_it_is(owned: str) -> None:
    await open_database()
    await close_databases()
    newer: LiteralString = "COMMENT ON SCHEMA quire IS '3 of a newer one'"
    await run(owned, newer)
    with pytest.raises(LibraryError, match=r"made by a newer Quire \(schema 3.*update this one"):
        await open_database()
    assert await _read_comment(owned) == "3 of a newer one"


async def test_an_old_schema_is_told_to_a_role_that_may_not_change_it(
    owned: str, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await open_library(space)).store([page("a", "Some text.")])
    await close_databases()
    plain = f"{space.replace('-', '_')}_plain"
    await run(
        owned,
        "CREATE ROLE {} LOGIN",
        "GRANT USAGE ON SCHEMA quire TO {}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA quire TO {}",
        "GRANT USAGE ON ALL SEQUENCES IN SCHEMA quire TO {}",
        name=plain,
    )
    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(owned, plain))
    assert await (await open_library(space)).count() == (1, 1)
    await close_databases()
    await run(owned, "COMMENT ON SCHEMA quire IS '0 old'")
    with pytest.raises(LibraryError, match="run quire migrate once with the role that owns it"):
        await open_library(space)
    await close_databases()


async def test_a_schema_from_before_there_were_versions_goes_forward(
    owned: str, space: str
) -> None:
    await (await open_library(space)).store([page("a", "Some text.")])
    await close_databases()
    await run(owned, "COMMENT ON SCHEMA quire IS 'a71f0c'", "DROP TABLE quire.limits")
    assert await (await open_library(space)).count() == (1, 1)
    assert (await _read_comment(owned)).startswith(f"{connections.SCHEMA_VERSION} ")
    await close_databases()


@pytest.mark.slow
async def test_two_processes_may_migrate_at_once(owned: str, tmp_path: Path) -> None:
    both = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli", "migrate", cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(2)
    ]
    told = [(await one.communicate())[0].decode() for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert told[0] == told[1]
