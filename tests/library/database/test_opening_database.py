"""Opening the database: once, with errors that say what to do."""

import asyncio
from pathlib import Path

import psycopg
import pytest
from library_pages import ask, page, rows

from library.database import embedded_postgres
from library.database.connections import close_databases, open_database
from library.library import open_library
from schema.errors import LibraryError

CLOSED = "postgresql://reader:hunter2@127.0.0.1:9/quire"


async def refused(monkeypatch: pytest.MonkeyPatch, url: str) -> str:
    """What opening a library says with a URL that cannot be used."""
    monkeypatch.setenv("QUIRE_DATABASE_URL", url)
    with pytest.raises(LibraryError) as caught:
        await open_library()
    return str(caught.value)


async def test_a_closed_port_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    said = await refused(monkeypatch, CLOSED)
    assert said.startswith("The library's database cannot be used (")
    assert "refused" in said
    assert said.endswith("create a schema.")
    assert "\n" not in said
    assert ". " not in said


@pytest.mark.parametrize(
    "url",
    [
        CLOSED,
        "postgres:/reader:hunter2@host/quire",
        "reader:hunter2@host",
        "host=127.0.0.1 port=9 password=hunter2 nonsense=hunter2",
        "postgresql://reader:hunter2@[::1/quire",
        "postgresql://reader:hunter2@127.0.0.1:9/quire?nonsense=1",
        "postgresql://reader:hunter2%zz@127.0.0.1:9/quire",
        "postgresql://reader:hunter2@127.0.0.1:port/quire",
    ],
)
async def test_no_error_tells_the_password(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    said = await refused(monkeypatch, url)
    assert "QUIRE_DATABASE_URL" in said
    assert "hunter2" not in said
    assert "\n" not in said


async def test_a_database_without_pgvector_is_told(
    monkeypatch: pytest.MonkeyPatch, data_dir: Path, space: str
) -> None:
    name = space.replace("-", "_")
    admin = embedded_postgres.start_server(data_dir)
    async with await psycopg.AsyncConnection.connect(admin, autocommit=True) as connection:
        await connection.execute(f"CREATE ROLE {name} LOGIN")
        await connection.execute(f"CREATE DATABASE {name} OWNER {name}")
    url = psycopg.conninfo.make_conninfo(admin, dbname=name, user=name)
    assert "pgvector" in await refused(monkeypatch, url)


async def test_a_failed_opening_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, data_dir: Path, tmp_path: Path, space: str
) -> None:
    def fail(_: Path) -> str:
        raise LibraryError("Not yet.")

    running = embedded_postgres.start_server(data_dir)
    monkeypatch.setenv("QUIRE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(embedded_postgres, "start_server", fail)
    with pytest.raises(LibraryError, match="Not yet"):
        await open_library(space)
    monkeypatch.setattr(embedded_postgres, "start_server", lambda _: running)
    assert await (await open_library(space)).count() == (0, 0)
    await close_databases()


async def test_a_folder_that_cannot_be_used_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("QUIRE_DATA_DIR", str(tmp_path / "file"))
    with pytest.raises(LibraryError, match="set QUIRE_DATA_DIR to a folder"):
        await open_library()


async def test_everybody_shares_one_pool() -> None:
    opened = await asyncio.gather(*(open_database() for _ in range(5)))
    assert len({id(one) for one in opened}) == 1


async def test_more_tasks_than_connections_all_get_their_turn(space: str) -> None:
    library = await open_library(space)
    await library.store([page("a", "Some text.")])
    found = await asyncio.gather(*(ask(library, "text", limit=1) for _ in range(40)))
    assert all(len(one.hits) == 1 for one in found)


async def test_a_closed_database_opens_again(space: str) -> None:
    await (await open_library(space)).store([page("a", "Some text.")])
    await close_databases()
    assert await (await open_library(space)).count() == (1, 1)


async def test_a_task_that_gives_up_leaves_nothing_half_done(space: str) -> None:
    library = await open_library(space)
    insert = "INSERT INTO quire.spaces (user_id, name) VALUES ('local', %s) RETURNING 1"

    async def give_up() -> None:
        async with library.connect() as connection:
            await connection.execute(insert, (space,))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await give_up()
    assert await rows(library, "SELECT 1 FROM quire.spaces WHERE name = %s", space) == []


async def test_a_connection_lost_on_the_way_is_a_library_error(space: str) -> None:
    library = await open_library(space)

    async def lose() -> None:
        async with library.connect() as connection:
            await connection.execute("RESET ROLE")
            await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(LibraryError, match="does not answer"):
        await lose()
    assert await library.count() == (0, 0)
