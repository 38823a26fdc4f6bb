"""Limits on work at once, shared by all runs of an event loop."""

import asyncio
from weakref import WeakKeyDictionary

_semaphores: WeakKeyDictionary[
    asyncio.AbstractEventLoop, dict[tuple[str, int], asyncio.Semaphore]
] = WeakKeyDictionary()


def get_semaphore(name: str, size: int) -> asyncio.Semaphore:
    """The semaphore of this name and size; the same for every caller on the running loop."""
    here = _semaphores.setdefault(asyncio.get_running_loop(), {})
    return here.setdefault((name, size), asyncio.Semaphore(size))
