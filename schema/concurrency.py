"""Limits on work at once, shared by all runs of an event loop."""

import asyncio
from collections import deque
from contextvars import ContextVar
from weakref import WeakKeyDictionary

is_waited_for: ContextVar[bool] = ContextVar("is_waited_for", default=False)
"""Whether somebody sits before what is being done, such as a page: it goes before other work.

Set for a request; work that goes on behind it takes it back.
"""

_semaphores: WeakKeyDictionary[
    asyncio.AbstractEventLoop, dict[tuple[str, int], asyncio.Semaphore]
] = WeakKeyDictionary()


def get_semaphore(name: str, size: int) -> asyncio.Semaphore:
    """The semaphore of this name and size; the same for every caller on the running loop."""
    here = _semaphores.setdefault(asyncio.get_running_loop(), {})
    return here.setdefault((name, size), asyncio.Semaphore(size))


class Turns:
    """A semaphore that lets in first what somebody waits for, else who came first."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    async def acquire(self) -> None:
        """Wait for a turn, and take it."""
        if self._free:
            self._free -= 1
            return
        queue = self._first if is_waited_for.get() else self._others
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # the turn had just come
                self.release()
            raise

    def release(self) -> None:
        """Give a turn back, to whoever is next."""
        for queue in (self._first, self._others):
            while queue:
                if not (following := queue.popleft()).done():
                    following.set_result(None)
                    return
        self._free += 1
