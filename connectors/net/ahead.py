"""Reading ahead: several slow calls under way, their results in order, in bounded memory."""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


async def ahead(
    items: Iterable[Item] | AsyncIterable[Item],
    call: Callable[[Item], Awaitable[Result]],
    at_once: int,
) -> AsyncIterator[Result]:
    """The result of a call for every item, in the items' order.

    No more than `at_once` calls have begun whose results were not taken. The first error ends it,
    and whoever stops taking stops the calls.
    """
    waiting: deque[asyncio.Future[Result]] = deque()
    try:
        async for item in _each(items):
            if len(waiting) >= at_once:
                yield await waiting.popleft()
            waiting.append(asyncio.ensure_future(call(item)))
        while waiting:
            yield await waiting.popleft()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _each(items: Iterable[Item] | AsyncIterable[Item]) -> AsyncIterator[Item]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
