"""Storing much: two batches on their way, an error that is told, and no task left behind."""

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from library_pages import page, uris

from library.batch_writer import CONCURRENT_BATCHES, BatchWriter
from library.library import Library
from library.stored_documents import StoreResult
from schema.documents import Document
from schema.errors import LibraryError


class Gated(Library):
    """A library whose batches wait at a gate, or fail there."""

    def __init__(self, real: Library) -> None:
        super().__init__(real.database, real.user, real.space, None)
        self.gate = asyncio.Event()
        self.here = 0
        self.most = 0
        self.begun: list[str] = []
        self.cancelled: list[str] = []

    async def store(
        self, documents: Sequence[Document], *, more_follow: bool = False
    ) -> list[StoreResult]:
        first = documents[0].uri
        self.begun.append(first)
        self.here += 1
        self.most = max(self.most, self.here)
        try:
            if first.startswith("fails"):
                raise LibraryError(f"{first} cannot be stored.")
            await self.gate.wait()
            return await super().store(documents, more_follow=more_follow)
        except asyncio.CancelledError:
            self.cancelled.append(first)
            raise
        finally:
            self.here -= 1


@pytest.fixture
async def gated(library: Library) -> Gated:
    """A library whose gate is shut."""
    return Gated(library)


@asynccontextmanager
async def no_task_left() -> AsyncIterator[None]:
    """What is run inside comes to an end, and leaves no task behind and no error unread."""
    before, unread = asyncio.all_tasks(), []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, told: unread.append(told))
    try:
        async with asyncio.timeout(30):
            yield
        assert asyncio.all_tasks() <= before
        gc.collect()
        assert not unread
    finally:
        loop.set_exception_handler(None)


async def turns(count: int = 20) -> None:
    """Let all that can run do so."""
    for _ in range(count):
        await asyncio.sleep(0)


def batch(name: str, count: int = 3) -> list[Document]:
    return [page(f"{name}-{i}", f"The heron {name} number {i}.") for i in range(count)]


async def put_all(library: Library, *names: str) -> None:
    """Store a batch of each name."""
    async with BatchWriter(library) as writers:
        for name in names:
            await writers.put(batch(name))


@pytest.mark.slow
async def test_all_is_stored_and_told(library: Library) -> None:
    told: list[StoreResult] = []
    async with no_task_left(), BatchWriter(library, told.append) as writers:
        for name in "abcdefg":
            await writers.put(batch(name))
        await writers.put([])
    assert await library.count() == (21, 21)
    wanted = [one.uri for name in "abcdefg" for one in batch(name)]
    assert sorted(one.uri for one in told) == wanted
    assert {one.outcome for one in told} == {"added"}
    assert set(await uris(library, "heron", limit=50)) == set(wanted)


async def test_at_most_two_batches_are_on_their_way(gated: Gated) -> None:
    async with no_task_left():
        working = asyncio.create_task(put_all(gated, *"abcde"))
        await turns()
        assert gated.begun == ["a-0", "b-0"]  # the third waits
        gated.gate.set()
        await working
    assert gated.most == CONCURRENT_BATCHES == 2
    assert gated.begun == [f"{name}-0" for name in "abcde"]
    assert await gated.count() == (15, 15)


async def test_leaving_waits_for_the_last_batch(gated: Gated) -> None:
    working = asyncio.create_task(put_all(gated, "a"))
    await turns()
    assert not working.done()
    gated.gate.set()
    await working
    assert await gated.count() == (3, 3)


async def test_an_error_is_raised_and_the_other_batch_is_gone(gated: Gated) -> None:
    async with no_task_left():
        with pytest.raises(LibraryError, match="fails-0 cannot be stored"):
            await put_all(gated, "a", "fails")
        assert gated.cancelled == ["a-0"]
    assert await gated.count() == (0, 0)


async def test_a_later_batch_is_told_of_an_earlier_one_s_error(gated: Gated) -> None:
    async with no_task_left():
        with pytest.raises(LibraryError, match="fails-0 cannot be stored"):
            await put_all(gated, "fails", "a", "b")
    assert gated.begun == ["fails-0", "a-0"]


async def test_two_errors_at_once_leave_nothing_behind(gated: Gated) -> None:
    async with no_task_left():
        with pytest.raises(LibraryError, match="cannot be stored"):
            await put_all(gated, "fails", "fails-too")


async def test_leaving_by_an_exception_cancels_what_is_under_way(gated: Gated) -> None:
    async def broken_off() -> None:
        async with BatchWriter(gated) as writers:
            await writers.put(batch("a"))
            await writers.put(batch("b"))
            await turns()
            raise ZeroDivisionError

    async with no_task_left():
        with pytest.raises(ZeroDivisionError):
            await broken_off()
        assert sorted(gated.cancelled) == ["a-0", "b-0"]
    assert await gated.count() == (0, 0)


@pytest.mark.parametrize("batches", ["ab", "abc"])  # while it waits at the end, or for a place
async def test_being_cancelled_cancels_what_is_under_way(gated: Gated, batches: str) -> None:
    async with no_task_left():
        working = asyncio.create_task(put_all(gated, *batches))
        await turns()
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        assert sorted(gated.cancelled) == ["a-0", "b-0"]
    assert gated.begun == ["a-0", "b-0"]
    assert await gated.count() == (0, 0)
    await Library.store(gated, [])  # the library can still be used
