"""Several coroutines at once, none of which is left behind."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

Result = TypeVar("Result")


async def run_concurrently(calls: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """The results in order.

    Where one fails, the others are stopped and waited for, and its error is raised. `gather` would
    leave them running; asyncio would report a later failure as an exception never retrieved.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in calls]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


async def end_tasks(tasks: Iterable["asyncio.Task[Any]"], *, seconds: float) -> None:
    """Cancel tasks, and again each time that so many seconds have not ended them.

    A client of a database may lose a cancellation that comes while it connects.
    """
    tasks = list(tasks)
    left = {one for one in tasks if not one.done()}
    while left:
        for one in left:
            one.cancel()
        _, left = await asyncio.wait(left, timeout=seconds)
    await asyncio.gather(*tasks, return_exceptions=True)  # reads what they failed with
