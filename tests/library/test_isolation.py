"""Users never meet: their rows stand in the same tables, out of each other's sight."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from library_pages import ask, index, page, rows, section
from meanings import speaking
from saved_reports import MATERIAL, RUN, report
from served_databases import served

from library.journal import Journal
from library.library import Library, open_library
from team.accounts import make_account
from team.api_keys import create_key
from team.store import open_team

_OWNS = (
    "SELECT pg_has_role(session_user, relowner, 'USAGE') FROM pg_class "
    "WHERE oid = 'quire.embeddings'::regclass"
)


@pytest.fixture(params=["embedded", "bypassing", "owner", "plain"])
async def opened(
    request: pytest.FixtureRequest,
    data_dir: Path,
    space: str,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[None]:
    """The embedded server as its superuser, or a served database as a role of each other kind."""
    if request.param == "embedded":
        yield
        return
    async with served(request.param, data_dir, space.replace("-", "_"), monkeypatch):
        yield


@pytest.fixture
async def two(opened: None, space: str) -> tuple[Library, Library]:
    """The same space name of two users, with the same uris in it, and rows in every table."""
    pair = await open_library(space, f"ann-{space}"), await open_library(space, f"bob-{space}")
    for library, word in zip(pair, ("cat", "dog"), strict=True):
        await library.store(
            [
                page("a", section(word), title="Same", aliases=("Name",), links=("file:///b.py",)),
                page("file:///b.py", f"import shelf\n\ndef {word}_code():\n    grip()\n"),
                page("kept", section(word), readers=(f"{word}@x.test",)),
            ]
        )
        for insert in (
            "INSERT INTO quire.embeddings (chunk_id, space_id, embedding) "
            "SELECT id, space_id, '[1,2]' FROM quire.chunks RETURNING 1",
            "INSERT INTO quire.folders (space_id, path, parent, documents, abstract, overview, "
            "stale) SELECT id, 'files', '', 2, '', '', false FROM quire.spaces "
            "ON CONFLICT DO NOTHING RETURNING 1",
        ):
            await rows(library, insert)
        await rows(
            library,
            "INSERT INTO quire.run_documents (space_id, thread, document_id, kept_for) "
            "SELECT space_id, 'a thread', id, readers FROM quire.documents RETURNING 1",
        )
        await library.store([page("waits", section(word))], more_follow=True)
        await library.add_source("files", "/shelf")
        await library.save_report(report(f"{space}-{word}"), MATERIAL, "", RUN)
        await rows(
            library,
            "INSERT INTO quire.answers (space_id, report, answer) "
            "SELECT space_id, id, '{}' FROM quire.reports RETURNING 1",
        )
        await Journal(library.user, space).once("What?", echo(word))
    return pair


def echo(word: str) -> Callable[[], Awaitable[str]]:
    """What answers with a word."""

    async def answer() -> str:
        return word

    return answer


_MEMBERS_TABLES = (
    "SELECT table_name FROM information_schema.columns "
    "WHERE table_schema = 'quire' AND column_name IN ('user_id', 'space_id') GROUP BY 1"
)


async def tables(library: Library) -> list[str]:
    """Every table of the schema with rows of users, so that a new one is tested too."""
    found = await rows(library, _MEMBERS_TABLES)
    assert len(found) >= 9
    return [name for (name,) in found]


async def team_tables(library: Library) -> list[str]:
    """Every other table."""
    found = await rows(
        library,
        "SELECT tablename FROM pg_tables WHERE schemaname = 'quire' "
        f"AND tablename NOT IN ({_MEMBERS_TABLES})",
    )
    assert found
    return [name for (name,) in found]


async def columns(library: Library, table: str) -> list[str]:
    """Columns of a table that an INSERT names."""
    found = await rows(
        library,
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'quire' "
        "AND table_name = %s AND is_identity = 'NO' ORDER BY ordinal_position",
        table,
    )
    return [name for (name,) in found]


async def owner(library: Library, table: str) -> tuple[str, Any]:
    """The column that says whose a row is, and what stands in it for this library's user."""
    if table in ("spaces", "journal"):
        return "user_id", library.user
    query = "SELECT id FROM quire.spaces WHERE name = %s"
    return "space_id", (await rows(library, query, library.space))[0][0]


async def test_a_raw_query_sees_the_own_rows_only(two: tuple[Library, Library]) -> None:
    for table in await tables(two[0]):
        for library in two:
            column, value = await owner(library, table)
            found = await rows(library, f"SELECT DISTINCT {column} FROM quire.{table}")
            assert found == [(value,)], table


async def test_rows_cannot_be_given_to_another_user(two: tuple[Library, Library]) -> None:
    ann, bob = two
    for table in await tables(ann):
        column, value = await owner(bob, table)
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match=f'"{table}"'):
            await rows(ann, f"UPDATE quire.{table} SET {column} = %s RETURNING 1", value)


async def test_a_row_for_another_user_is_refused(two: tuple[Library, Library]) -> None:
    ann, bob = two
    for table in await tables(ann):
        column, value = await owner(bob, table)
        names = await columns(ann, table)
        values = ", ".join("%s" if name == column else name for name in names)
        insert = (
            f"INSERT INTO quire.{table} ({', '.join(names)}) SELECT {values} FROM quire.{table}"
        )
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match=f'"{table}"'):
            await rows(ann, f"{insert} LIMIT 1 RETURNING 1", value)


async def test_of_the_team_s_tables_no_user_sees_or_makes_a_row(
    two: tuple[Library, Library],
) -> None:
    team = await open_team()
    for identity in (two[0].user, two[1].user):
        await make_account(team, identity)
        await create_key(team, identity, "", "read")
    for table in await team_tables(two[0]):
        assert await rows(two[0], f"SELECT 1 FROM quire.{table}") == [], table
    for insert in (
        "accounts (identity, issuer, subject) VALUES (%s, '', 'made up')",
        "memberships VALUES (%s, 'law', 'curator', true)",
        "audit (identity, action, object, detail) VALUES (%s, '', '', '{}')",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await rows(two[0], f"INSERT INTO quire.{insert} RETURNING 1", two[0].user)


async def test_a_raw_delete_spares_other_users(two: tuple[Library, Library]) -> None:
    ann, bob = two
    before = await index(bob)
    held = {
        name: await rows(bob, f"SELECT count(*) FROM quire.{name}") for name in await tables(bob)
    }
    for table, count in held.items():
        await rows(ann, f"DELETE FROM quire.{table} RETURNING 1")
        assert await rows(ann, f"SELECT 1 FROM quire.{table}") == []
        assert await rows(bob, f"SELECT count(*) FROM quire.{table}") == count
    assert await ann.count() == (0, 0)
    assert await index(bob) == before


async def test_a_session_without_a_user_sees_nothing(two: tuple[Library, Library]) -> None:
    nobody = await open_library(two[0].space, "")
    for table in await tables(two[0]):
        assert await rows(nobody, f"SELECT 1 FROM quire.{table}") == []


async def test_nothing_of_a_user_is_left_on_the_connection(two: tuple[Library, Library]) -> None:
    async with two[0].connect() as connection:
        await connection.execute("SELECT 1")
    async with two[0].database.pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT current_setting('quire.user_id', true), current_user = session_user"
        )
        assert await cursor.fetchone() == ("", True)


async def test_a_user_of_any_name_is_only_a_name(opened: None, space: str) -> None:
    library = await open_library(space, "'; DROP SCHEMA quire; -- Zoë 🙂")
    await library.store([page("a", section("cat"))])
    assert await library.count() == (1, 1)


@pytest.mark.slow
async def test_vectors_of_one_user_get_an_index_of_their_own(
    two: tuple[Library, Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("library.index.vectors.INDEXED_FROM", 2)
    ann, bob = two
    for name in ("one", "two"):  # the second model's index takes the place of the first's
        for library in two:
            await speaking(library, name=f"test:{name}").embed_missing()
    found = await rows(
        ann,
        "SELECT substring(indexdef FROM 'WHERE (.*)') FROM pg_indexes "
        "WHERE schemaname = 'quire' AND indexname ~ '^embeddings_of_[0-9]+_64$'",
    )
    spaces = [(await owner(library, "documents"))[1] for library in two]
    if await rows(ann, _OWNS) == [(True,)]:  # one with grants alone makes no index
        assert {(f"(space_id = {space})",) for space in spaces} <= set(found)
    assert [hit.grade for hit in (await ask(bob, "dog")).hits][:1] == ["strong"]
    documents = await ann.load_documents([h.document for h in (await ask(ann, "dog zzz")).hits])
    assert {one.uri for one in documents.values()} <= {"a", "file:///b.py", "kept", "waits"}
