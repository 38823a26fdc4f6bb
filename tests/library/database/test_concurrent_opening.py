"""Opening the library while others use it, as a second process does."""

import asyncio
from pathlib import Path

import psycopg
import pytest
from library_pages import index, page, sections
from served_databases import served

from library.database.connections import _prepare_schema, open_database
from library.library import Library, open_library


@pytest.mark.slow
async def test_opening_disturbs_nobody_who_stores(library: Library, fresh: Library) -> None:
    opened = await open_database()
    url = opened.pool.conninfo

    async def store_often() -> None:
        for turn in range(25):
            await library.store([page(f"u{i}", sections(f"w{turn}", "same")) for i in range(4)])

    await asyncio.gather(store_often(), *(_open_often(url) for _ in range(2)))
    await fresh.store([page(f"u{i}", sections("w24", "same")) for i in range(4)])
    assert await index(library) == await index(fresh)


async def _open_often(url: str) -> None:
    for _ in range(25):
        await _prepare_schema(url)


async def test_opening_does_not_wait_for_a_transaction(library: Library) -> None:
    await library.store([page("a", sections("cat"))])
    opened = await open_database()
    async with opened.session(library.user) as connection:
        await connection.execute("UPDATE quire.spaces SET chunks = chunks")
        await connection.execute("UPDATE quire.chunks SET heading = heading")
        async with asyncio.timeout(5):
            assert await _prepare_schema(opened.pool.conninfo)


async def test_the_schema_may_run_again(
    data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a database of its own: it locks whole tables, and would end others' work by a deadlock."""
    async with (
        served("superuser", data_dir, space.replace("-", "_"), monkeypatch) as admin,
        await psycopg.AsyncConnection.connect(admin) as connection,
    ):
        await open_library()
        query = (
            "SELECT relname, relrowsecurity, relforcerowsecurity, "
            "(SELECT count(*) FROM pg_policies WHERE tablename = relname) FROM pg_class "
            "WHERE relnamespace = 'quire'::regnamespace AND relkind = 'r' ORDER BY 1"
        )
        before = await (await connection.execute(query)).fetchall()
        await connection.execute("COMMENT ON SCHEMA quire IS NULL")  # as if it were another
        await connection.commit()
        await _prepare_schema(admin)
        assert await (await connection.execute(query)).fetchall() == before
    assert [row[1:3] for row in before] == [(True, True)] * len(before)
    kept = {name for name, _, _, policies in before if policies == 2}  # for readers of their own
    assert kept == {
        *("documents", "names", "links", "chunks", "symbols", "embeddings"),
        *("reader_sets", "reports", "answers"),
    }
    assert {row[3] for row in before} == {1, 2}
