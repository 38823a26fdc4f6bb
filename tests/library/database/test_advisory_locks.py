"""A lock is one's own: among the tasks of a process, and among processes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import psycopg
import pytest
from psycopg import AsyncConnection

from library.database.advisory_locks import Locks
from library.database.connections import open_database


@pytest.fixture
async def processes(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Locks, Locks]]:
    """The locks of two processes, each with its connection."""
    monkeypatch.setattr("library.database.advisory_locks.POLL_SECONDS", 0.01)
    url = (await open_database()).pool.conninfo

    async def connect() -> AsyncConnection[tuple[object, ...]]:
        return await AsyncConnection.connect(url, autocommit=True)

    one, other = Locks(connect), Locks(connect)
    yield one, other
    await one.close()
    await other.close()


async def most_at_once(*locks: Locks, name: str) -> int:
    """How many are ever inside, where each of these asks for the same lock five times."""
    inside = most = 0

    async def enter(own: Locks) -> None:
        nonlocal inside, most
        async with own.hold(name, "place"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    async with asyncio.timeout(30):
        await asyncio.gather(*(enter(own) for own in locks for _ in range(5)))
    return most


async def test_tasks_and_processes_take_turns(processes: tuple[Locks, Locks], space: str) -> None:
    one, other = processes
    assert await most_at_once(one, name=space) == 1
    assert await most_at_once(one, other, name=space) == 1


async def test_other_names_wait_for_nobody(processes: tuple[Locks, Locks], space: str) -> None:
    one, other = processes
    async with asyncio.timeout(10), AsyncExitStack() as held:
        for number in range(50):
            await held.enter_async_context(one.hold(space, str(number)))
        await held.enter_async_context(other.hold(space, "50"))


async def test_the_connection_is_closed_with_the_last_lock(
    processes: tuple[Locks, Locks], space: str
) -> None:
    one, _ = processes
    async with one.hold(space), one.hold(space, "b"):
        assert one._connection is not None
        assert not one._connection.closed
    assert one._connection.closed
    async with one.hold(space):
        assert not one._connection.closed


async def test_one_who_gives_up_waiting_holds_nothing(
    processes: tuple[Locks, Locks], space: str
) -> None:
    one, other = processes
    async with one.hold(space):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1), other.hold(space):
                pytest.fail("it was free")
    async with asyncio.timeout(10), other.hold(space), one.hold(space, "b"):
        pass


async def test_locks_outlive_the_connection_that_broke(
    processes: tuple[Locks, Locks], space: str
) -> None:
    one, other = processes
    async with one.hold(space):
        assert one._connection
        with pytest.raises(psycopg.OperationalError):
            await one._connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        async with one.hold(space, "b"):  # which opens another connection
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1), other.hold(space):
                    pytest.fail("it was free")
    async with asyncio.timeout(10), other.hold(space):
        pass
