"""Storing much: one batch is analysed here while the database writes the other."""

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType

from library.library import Library
from library.stored_documents import StoreResult
from schema.documents import Document

CONCURRENT_BATCHES = 2
"""Batches on their way; a third would wait for the first two on the same two resources."""


class BatchWriter:
    """Takes batches of documents and stores them; leaving the context waits for the last.

    Use: `async with Writers(library, tell) as writers: await writers.put(batch)`.
    """

    def __init__(
        self, library: Library, tell: Callable[[StoreResult], None] = lambda _: None
    ) -> None:
        """Args: library: where to. tell: called with the outcome of each document."""
        self._library = library
        self._tell = tell
        self._tasks: set[asyncio.Task[None]] = set()
        self._wrote = False

    async def put(self, batch: Sequence[Document]) -> None:
        """Begin to store a batch; waits while two are on their way.

        Raises:
            LibraryError: this batch, or one before it, could not be stored.
        """
        await self._wait_until(CONCURRENT_BATCHES - 1)
        if batch:
            self._wrote = True
            self._tasks.add(asyncio.create_task(self._store(batch)))

    async def drain(self) -> None:
        """Wait until all that was put is stored.

        Raises:
            LibraryError: a batch could not be stored.
        """
        await self._wait_until(0)

    async def __aenter__(self) -> "BatchWriter":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                await self.drain()
                if self._wrote:
                    await self._library.merge_postings()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _wait_until(self, left: int) -> None:
        while len(self._tasks) > left:
            done, self._tasks = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            errors = [error for task in done if (error := task.exception())]  # each is looked at
            if errors:
                raise errors[0]

    async def _store(self, batch: Sequence[Document]) -> None:
        for stored in await self._library.store(batch, more_follow=True):
            self._tell(stored)
