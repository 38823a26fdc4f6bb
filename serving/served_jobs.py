"""The queue of jobs in a process that serves pages: opened once, worked on where it is embedded."""

import asyncio
import logging
from contextlib import AsyncExitStack

from procrastinate.exceptions import ConnectorException

from schema.errors import LibraryError
from serving.jobs import STALLED_SECONDS, Jobs, find_job_member, open_jobs

_log = logging.getLogger("quire")


class JobQueue:
    """The queue of a process that serves, opened when it is first asked for."""

    def __init__(self) -> None:
        self._held = AsyncExitStack()
        self._opened: Jobs | None = None
        self._opening = asyncio.Lock()

    async def get(self) -> Jobs:
        """The queue.

        Raises:
            LibraryError: the database cannot be used.
        """
        async with self._opening:
            if self._opened is None:
                self._opened = await self._held.enter_async_context(open_jobs())
            return self._opened

    async def work(self) -> None:
        """Be a worker until cancelled; where the database is away, again when it is back."""
        while True:
            try:
                await (await self.get()).work(find_job_member)
            except (LibraryError, ConnectorException) as error:
                _log.warning("no jobs are done: %s", error)
                await asyncio.sleep(STALLED_SECONDS)

    async def close(self) -> None:
        """Let the database go."""
        await self._held.aclose()
