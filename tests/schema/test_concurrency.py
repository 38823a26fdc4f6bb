"""Turns: what somebody waits for goes first, and none is lost."""

import asyncio
import contextlib

from schema.concurrency import Turns, is_waited_for


async def test_what_somebody_waits_for_goes_before_what_came_earlier() -> None:
    turns, order = Turns(1), list[str]()

    async def work(name: str, waited_for: bool) -> None:
        is_waited_for.set(waited_for)
        await turns.acquire()
        order.append(name)
        turns.release()

    await turns.acquire()
    asked = [("run 1", False), ("run 2", False), ("page 1", True), ("page 2", True)]
    tasks = [asyncio.create_task(work(*one)) for one in asked]
    await asyncio.sleep(0)
    turns.release()
    await asyncio.gather(*tasks)
    assert order == ["page 1", "page 2", "run 1", "run 2"]


async def test_who_goes_while_their_turn_comes_hands_it_on() -> None:
    turns = Turns(1)
    await turns.acquire()
    first, second = (asyncio.create_task(turns.acquire()) for _ in range(2))
    await asyncio.sleep(0)
    turns.release()  # the turn is the first one's, who has not heard of it yet
    first.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await first
    async with asyncio.timeout(5):
        await second
    turns.release()
    async with asyncio.timeout(5):
        await turns.acquire()


async def test_who_gives_up_is_passed_over() -> None:
    turns = Turns(1)
    await turns.acquire()
    waiting = asyncio.create_task(turns.acquire())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    turns.release()
    async with asyncio.timeout(5):
        await turns.acquire()
