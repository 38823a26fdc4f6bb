"""Prefetch: several slow calls under way, their results in order, in bounded memory."""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


async def prefetch(
    items: Iterable[ItemT] | AsyncIterable[ItemT],
    call: Callable[[ItemT], Awaitable[ResultT]],
    at_once: int,
) -> AsyncIterator[ResultT]:
    """The result of a call for every item, in the items' order.

    No more than `at_once` calls have begun whose results were not taken. The first error ends it,
    and whoever stops taking stops the calls.
    """
    waiting: deque[asyncio.Future[ResultT]] = deque()
    try:
        async for item in _iterate(items):
            if len(waiting) >= at_once:
                yield await waiting.popleft()
            waiting.append(asyncio.ensure_future(call(item)))
        while waiting:
            yield await waiting.popleft()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _iterate(items: Iterable[ItemT] | AsyncIterable[ItemT]) -> AsyncIterator[ItemT]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
