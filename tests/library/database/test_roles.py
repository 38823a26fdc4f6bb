"""Whoever connects, row-level security binds the sessions; else the library does not open."""

from pathlib import Path

import psycopg
import pytest
from library_pages import page, rows
from saved_reports import MATERIAL, RUN, report
from served_databases import Kind, as_role, made, run, served

from library.database.connections import close_databases, open_database
from library.library import open_library
from schema.errors import LibraryError


@pytest.fixture
def name(space: str) -> str:
    """Of a role and its database."""
    return space.replace("-", "_")


async def refused(monkeypatch: pytest.MonkeyPatch, url: str) -> str:
    monkeypatch.setenv("QUIRE_DATABASE_URL", url)
    with pytest.raises(LibraryError) as caught:
        await open_library()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["superuser", "bypassing", "owner", "plain"])
async def test_a_session_is_bound_in_every_table(
    kind: Kind, data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(kind, data_dir, name, monkeypatch):
        library = await open_library()
        bound = await rows(
            library,
            "SELECT DISTINCT row_security_active(oid) FROM pg_class "
            "WHERE relnamespace = 'quire'::regnamespace AND relkind = 'r'",
        )
        assert bound == [(True,)]
        await library.store([page("a", "Some text.")])
        nobody = await open_library(user="nobody")
        assert await rows(nobody, "SELECT 1 FROM quire.documents") == []


async def test_a_role_that_cannot_step_down_is_refused(
    data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_database()  # the cluster has the role to step down to, and this one may not take it
    admin = await made(data_dir, name, "CREATE ROLE {} LOGIN BYPASSRLS")
    said = await refused(monkeypatch, as_role(admin, name))
    assert said.startswith(f"The database's role {name} passes row-level security by (BYPASSRLS)")
    await run(admin, "GRANT quire_session TO {}", name=name)
    library = await open_library()
    await library.store([page("a", "Some text.")])
    assert await rows(library, "SELECT current_user::text") == [("quire_session",)]
    await close_databases()


@pytest.mark.slow
async def test_a_role_that_may_make_roles_makes_the_one_to_step_down_to(
    new_data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a cluster where nobody has made it yet."""
    admin = await made(new_data_dir, name, "CREATE ROLE {} LOGIN BYPASSRLS CREATEROLE")
    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(admin, name))
    library = await open_library()
    await library.store([page("a", "Some text.")])
    assert await rows(library, "SELECT current_user::text") == [("quire_session",)]
    await close_databases()


async def test_a_bypassing_role_of_another_owners_tables_is_refused(
    data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = await made(data_dir, name)
    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(admin, name))
    await open_database()
    await close_databases()
    await run(admin, "CREATE ROLE {} LOGIN BYPASSRLS CREATEROLE", name=f"{name}_other")
    said = await refused(monkeypatch, as_role(admin, f"{name}_other"))
    assert "NOBYPASSRLS" in said


async def test_what_was_taken_off_the_tables_is_put_back_by_their_owner(
    data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served("owner", data_dir, name, monkeypatch) as admin:
        library = await open_library()
        await library.save_report(report(name), MATERIAL, "", RUN)
        await close_databases()
        await run(
            admin,
            "ALTER TABLE quire.documents NO FORCE ROW LEVEL SECURITY",
            "ALTER TABLE quire.reports DISABLE ROW LEVEL SECURITY",
        )
        nobody = await open_library(user="nobody")
        for table in ("documents", "reports"):
            assert await rows(nobody, f"SELECT 1 FROM quire.{table}") == []


async def test_tables_left_open_are_refused_to_one_who_cannot_close_them(
    data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served("plain", data_dir, name, monkeypatch) as admin:
        await run(admin, "ALTER TABLE quire.reports DISABLE ROW LEVEL SECURITY")
        said = await refused(monkeypatch, as_role(admin, f"{name}_plain"))
        assert "ALTER TABLE quire.reports ENABLE ROW LEVEL SECURITY" in said


async def test_a_bypassing_connection_sees_all_rows_outside_of_sessions(
    data_dir: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the tests above would fail if a session did not step down."""
    async with served("bypassing", data_dir, name, monkeypatch) as admin:
        await (await open_library()).store([page("a", "Some text.")])
        url = as_role(admin, name)
        async with await psycopg.AsyncConnection.connect(url) as connection:
            cursor = await connection.execute("SELECT count(*) FROM quire.documents")
            assert await cursor.fetchone() == (1,)
