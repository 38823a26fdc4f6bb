"""Few connections, whatever is under way: shared, given back, and told apart when they run out."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from library_pages import ask, page
from served_databases import as_role, made, run, served
from test_statements import use_everything

from library.database.checkpoints import open_checkpointer
from library.database.connections import (
    CHECKPOINT_CONNECTIONS,
    SESSION_CONNECTIONS,
    Database,
    close_databases,
    open_database,
)
from library.library import Library, open_library
from library.saved_reports import RunStart
from schema.errors import LibraryError

RUNS = 40


@pytest.fixture
async def admin(data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A database of one's own is configured; the url of one who can look at its connections."""
    async with served("owner", data_dir, space.replace("-", "_"), monkeypatch) as url:
        yield url


async def connections(admin: str) -> int:
    """How many the processes of Quire have to the database."""
    async with await psycopg.AsyncConnection.connect(admin) as connection:
        cursor = await connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        [count] = await cursor.fetchone() or (0,)
        return int(count)


def in_use(opened: Database) -> int:
    """Connections of the pools that somebody has, or that are being made."""
    stats = (opened.pool.get_stats(), opened.checkpoints.get_stats())
    return sum(one.get("pool_size", 0) - one.get("pool_available", 0) for one in stats)


async def wait_until_none_is_in_use(opened: Database) -> None:
    """One that is being made for tasks that have long got another is soon in its pool."""
    async with asyncio.timeout(10):
        while in_use(opened):
            await asyncio.sleep(0.01)


async def test_a_run_holds_no_connection_while_a_model_thinks(admin: str) -> None:
    """What `quire report` does, with a model that answers when all runs have asked it."""
    library, opened = await open_library(), await open_database()
    await library.store([page("a", "Some text about otters.")])
    asked, answer = asyncio.Semaphore(0), asyncio.Event()

    async def report() -> bool:
        run = RunStart(context={}, skipped=[])
        identity = (await library.begin_report("What do otters eat?", run)).id
        async with library.hold_lock("report", identity), open_checkpointer() as saver:
            config: Any = {"configurable": {"thread_id": identity, "checkpoint_ns": ""}}
            await ask(library, "otters")
            asked.release()
            await answer.wait()
            found = [one async for one in saver.alist(config)]
            return not found and await library.remove_report(identity) == 1

    runs = [asyncio.create_task(report()) for _ in range(RUNS)]
    for _ in runs:
        await asked.acquire()
    await wait_until_none_is_in_use(opened)
    assert await connections(admin) <= SESSION_CONNECTIONS + CHECKPOINT_CONNECTIONS + 1
    answer.set()
    assert all(await asyncio.gather(*runs))
    assert await connections(admin) <= SESSION_CONNECTIONS + CHECKPOINT_CONNECTIONS


@pytest.mark.slow
async def test_no_task_needs_a_second_connection(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await close_databases()
    for pool in ("SESSION_CONNECTIONS", "CHECKPOINT_CONNECTIONS"):
        monkeypatch.setattr(f"library.database.connections.{pool}", 1)
    async with asyncio.timeout(60):
        await use_everything(f"user-of-{space}")
        async with open_checkpointer() as saver:
            await saver.aget_tuple({"configurable": {"thread_id": space}})
    await close_databases()


async def test_who_is_cancelled_gives_connections_and_locks_back(library: Library) -> None:
    opened = library.database
    begun = asyncio.Semaphore(0)

    async def hang(number: int) -> None:
        async with (
            library.hold_lock("report", str(number % 20)),
            opened.session("ann") as connection,
        ):
            begun.release()
            await connection.execute("SELECT pg_sleep(60)")

    tasks = [asyncio.create_task(hang(number)) for number in range(RUNS)]
    for _ in range(SESSION_CONNECTIONS):
        await begun.acquire()
    for task in tasks:
        task.cancel()
    assert set(map(type, await asyncio.gather(*tasks, return_exceptions=True))) == {
        asyncio.CancelledError
    }
    async with asyncio.timeout(10):
        await asyncio.gather(*(ask(library, "text") for _ in range(RUNS)))
        async with library.hold_lock("report", "7"):
            pass
    await wait_until_none_is_in_use(opened)


async def test_a_pool_that_is_all_in_use_is_not_called_broken(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = library.database
    monkeypatch.setattr("library.database.pool.QUEUE_SECONDS", 0.1)
    begun, done = asyncio.Semaphore(0), asyncio.Event()

    async def hold() -> None:
        async with opened.session("ann"):
            begun.release()
            await done.wait()

    holding = [asyncio.create_task(hold()) for _ in range(SESSION_CONNECTIONS)]
    for _ in holding:
        await begun.acquire()
    with pytest.raises(
        LibraryError, match=f"^All {SESSION_CONNECTIONS} connections that this process has"
    ):
        await library.count()
    done.set()
    await asyncio.gather(*holding)
    assert await library.count() == (0, 0)


@pytest.mark.slow
async def test_a_server_without_connections_left_is_named(
    data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = space.replace("-", "_")
    admin = await made(data_dir, name)
    await run(admin, "ALTER ROLE {} CONNECTION LIMIT 1", name=name)
    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(admin, name))
    monkeypatch.setattr("library.database.pool.PROBE_SECONDS", 0.5)
    monkeypatch.setattr("library.database.pool.QUEUE_SECONDS", 1.0)
    library = await open_library()
    async with library.database.session("ann"):
        for use in (library.count, lambda: library.hold_lock("report").__aenter__()):
            with pytest.raises(LibraryError, match="takes no more connections") as caught:
                await use()
            assert "max_connections" in str(caught.value)
            assert "\n" not in str(caught.value)
    assert await library.count() == (0, 0)
    await close_databases()
