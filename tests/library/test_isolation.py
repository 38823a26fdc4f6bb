"""Users never meet: their rows stand in the same tables, out of each other's sight."""

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from library_pages import page, rows, section, statistics, texts
from psycopg import sql

from library import embedded
from library.database import close
from library.library import Library, open_library
from library.search import Filters

TABLES = ("spaces", "documents", "chunks", "embeddings", "terms")


@pytest.fixture(params=["superuser", "owner"])
async def served(
    request: pytest.FixtureRequest,
    data_dir: Path,
    space: str,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[None]:
    """The embedded server as its superuser, or as a served database's owner, who is none."""
    if request.param == "superuser":
        yield
        return
    name = space.replace("-", "_")
    admin = embedded.start(data_dir)
    async with await psycopg.AsyncConnection.connect(admin, autocommit=True) as connection:
        for command in ("CREATE ROLE {0} LOGIN", "CREATE DATABASE {0} OWNER {0}"):
            await connection.execute(sql.SQL(command).format(sql.Identifier(name)))
    theirs = psycopg.conninfo.make_conninfo(admin, dbname=name)
    async with await psycopg.AsyncConnection.connect(theirs) as connection:
        await connection.execute("CREATE EXTENSION vector")
    monkeypatch.setenv(
        "QUIRE_DATABASE_URL", psycopg.conninfo.make_conninfo(admin, dbname=name, user=name)
    )
    yield
    await close()


@pytest.fixture
async def two(served: None, space: str) -> tuple[Library, Library]:
    """The same space name of two users, with the same uri in it, and rows in every table."""
    pair = await open_library(space, f"ann-{space}"), await open_library(space, f"bob-{space}")
    for library, word in zip(pair, ("cat", "dog"), strict=True):
        await library.store([page("a", section(word))])
        await rows(
            library,
            "INSERT INTO quire.embeddings SELECT id, user_id, space_id, '[1,2]' "
            "FROM quire.chunks RETURNING chunk_id",
        )
    return pair


async def test_each_user_has_a_space_of_the_name(two: tuple[Library, Library]) -> None:
    ann, bob = two
    assert await ann.text("a") == section("cat")
    assert await bob.text("a") == section("dog")
    assert await ann.count() == await bob.count() == (1, 1)
    assert await texts(ann, "dog") == []
    assert await texts(bob, "cat") == []


async def test_ids_of_another_user_read_nothing(two: tuple[Library, Library]) -> None:
    ann, bob = two
    [hit] = (await ann.search("cat", limit=1)).hits
    assert await bob.passages([hit.chunk]) == {}
    assert await bob.documents([hit.document]) == {}
    filters = Filters(documents=[hit.document])
    assert (await bob.search("cat dog", limit=1, filters=filters)).hits == []


@pytest.mark.parametrize("table", TABLES)
async def test_a_raw_query_sees_the_own_rows_only(two: tuple[Library, Library], table: str) -> None:
    for library in two:
        users = await rows(library, f"SELECT DISTINCT user_id FROM quire.{table}")
        assert users == [(library.user,)]


@pytest.mark.parametrize("table", TABLES)
async def test_rows_cannot_be_given_to_another_user(
    two: tuple[Library, Library], table: str
) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await rows(two[0], f"UPDATE quire.{table} SET user_id = 'b' RETURNING 1")


@pytest.mark.parametrize(
    "insert",
    [
        "INSERT INTO quire.spaces (user_id, name) VALUES (%s, 'x')",
        "INSERT INTO quire.terms SELECT space_id, %s, -1, 1 FROM quire.terms LIMIT 1",
        "INSERT INTO quire.documents SELECT nextval('quire.documents_id_seq'), %s, space_id, "
        "'c', 'x', '', '', '', '', '', '', now(), '', '', false, '' FROM quire.documents LIMIT 1",
    ],
)
async def test_a_row_for_another_user_is_refused(two: tuple[Library, Library], insert: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await rows(two[0], f"{insert} RETURNING 1", two[1].user)


async def test_a_raw_delete_spares_other_users(two: tuple[Library, Library]) -> None:
    ann, bob = two
    before = await statistics(bob)
    await rows(ann, "DELETE FROM quire.spaces RETURNING 1")
    assert await ann.count() == (0, 0)
    assert await bob.count() == (1, 1)
    assert await statistics(bob) == before


async def test_removing_spares_the_same_uri_of_another_user(two: tuple[Library, Library]) -> None:
    ann, bob = two
    assert await ann.remove(["a"]) == 1
    assert await bob.text("a") == section("dog")


async def test_a_session_without_a_user_sees_nothing(two: tuple[Library, Library]) -> None:
    nobody = await open_library(two[0].space, "")
    for table in TABLES:
        assert await rows(nobody, f"SELECT 1 FROM quire.{table}") == []


async def test_nothing_of_a_user_is_left_on_the_connection(two: tuple[Library, Library]) -> None:
    async with two[0]._database.session(two[0].user) as connection:
        await connection.execute("SELECT 1")
    async with two[0]._database.pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT current_setting('quire.user_id', true), current_user = session_user"
        )
        assert await cursor.fetchone() == ("", True)


async def test_a_user_of_any_name_is_only_a_name(served: None, space: str) -> None:
    library = await open_library(space, "'; DROP SCHEMA quire; -- Zoë 🙂")
    await library.store([page("a", section("cat"))])
    assert await library.count() == (1, 1)
