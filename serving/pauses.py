"""Pausing a report that is being written, perhaps by another process: its row says so."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from library.library import Library
from schema.errors import QuireError

Result = TypeVar("Result")

LOOK_SECONDS = 1.0
"""How often a run looks whether it was asked to pause."""


class PausedError(QuireError):
    """A run stopped because it was asked to; it can be gone on with."""


async def run_until_paused(
    library: Library, identity: str, work: Coroutine[Any, Any, Result]
) -> Result:
    """Do the work of a report, and stop where somebody asks for a pause.

    What was asked before it began is over.

    Raises:
        PausedError: it was asked to pause; what was done is kept.
    """
    over = asyncio.Event()
    running = asyncio.ensure_future(work)
    running.add_done_callback(lambda _: over.set())
    looking = asyncio.ensure_future(_look_for_pause(library, identity, over))
    try:
        await asyncio.wait((running, looking), return_when=asyncio.FIRST_COMPLETED)
        if running.done() or looking.exception():
            return await running
    finally:
        over.set()
        running.cancel()
        for task in (running, looking):
            with suppress(asyncio.CancelledError, Exception):
                await task
    raise PausedError(f"The report {identity} is paused: quire report --resume {identity}")


async def _look_for_pause(library: Library, identity: str, over: asyncio.Event) -> None:
    """Return when a pause is asked for, or when the work is over."""
    await library.ask_to_pause(identity, pause=False)
    while not over.is_set() and not await library.is_pause_asked(identity):
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), LOOK_SECONDS)
