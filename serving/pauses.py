"""Pausing a report that is being written, perhaps by another process: its row says so."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from library.library import Library, open_library
from schema.access import LOCAL_MEMBER, Member, check_owner
from schema.errors import InputError, QuireError
from serving.stored_reports import load_report

Result = TypeVar("Result")

LOOK_SECONDS = 1.0
"""How often a run looks whether it was asked to pause."""

PAUSE_SECONDS = 30
"""How long a run has to stop in when it is asked to pause."""


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


async def pause_report(identity: str, member: Member = LOCAL_MEMBER) -> bool:
    """Have a report's writing stop, in whichever process it is, and wait until it has.

    Returns:
        Whether it stopped within `PAUSE_SECONDS`.

    Raises:
        InputError: there is no such report, or it is finished.
        AccessError: the member may not write in the group whose report it is.
    """
    kept = await load_report(identity, member=member)
    check_owner(kept.owner, member, "writer")
    if kept.report is not None:
        raise InputError(f"The report {identity} is finished: there is nothing to pause.")
    library = await open_library(kept.space, kept.owner, member.names)
    await library.ask_to_pause(identity, pause=True)
    with suppress(TimeoutError):
        async with asyncio.timeout(PAUSE_SECONDS), library.hold_lock("report", identity):
            return True
    return False
