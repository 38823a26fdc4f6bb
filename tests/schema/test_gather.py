"""Several at once: in order, one error, nothing left running, nothing left unread."""

import asyncio
import gc
from contextlib import suppress

import pytest

from schema.errors import LibraryError
from schema.gather import end_tasks, run_concurrently


async def later(value: int, ended: list[int]) -> int:
    try:
        await asyncio.sleep(0.001 * value)
    finally:
        await asyncio.sleep(0)  # closing takes a moment
        ended.append(value)
    return value


async def fails(text: str) -> int:
    await asyncio.sleep(0)
    raise LibraryError(text)


async def fails_when_stopped(text: str) -> int:
    try:
        await asyncio.sleep(60)
    finally:
        raise LibraryError(text)
    return 0


async def test_results_come_in_order() -> None:
    assert await run_concurrently(later(value, []) for value in (3, 1, 2)) == [3, 1, 2]
    assert await run_concurrently([]) == []


async def test_where_one_fails_the_others_have_ended() -> None:
    ended: list[int] = []
    with pytest.raises(LibraryError, match=r"^first$") as caught:
        await run_concurrently([later(60_000, ended), fails("first"), fails_when_stopped("second")])
    assert ended == [60_000]
    assert caught.value.__cause__ is None


def test_what_fails_while_it_is_stopped_is_no_complaint_at_the_end() -> None:
    """As when the database of all of them ends: asyncio tells the errors that nobody read."""
    complaints: list[str] = []
    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(lambda _, told: complaints.append(told["message"]))
        with pytest.raises(LibraryError, match=r"^first$"):
            runner.run(run_concurrently([fails("first"), fails_when_stopped("second")]))
    gc.collect()
    assert complaints == []


async def test_whoever_stops_it_stops_all() -> None:
    ended: list[int] = []
    running = asyncio.create_task(run_concurrently([later(60_000, ended), later(70_000, ended)]))
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sorted(ended) == [60_000, 70_000]


async def test_a_task_that_loses_a_cancellation_is_ended_by_the_next() -> None:
    async def forgetful() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await asyncio.sleep(60)

    tasks = [asyncio.create_task(forgetful()), asyncio.create_task(asyncio.sleep(60))]
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await end_tasks(tasks, seconds=0.05)
    assert all(one.cancelled() for one in tasks)
    await end_tasks([], seconds=0.05)
