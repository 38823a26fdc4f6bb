"""Reading ahead: in order, no more at once than allowed, nothing left behind."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.http.prefetch import prefetch


@given(st.lists(st.integers(0, 3), max_size=20), st.integers(1, 6))
@settings(max_examples=30, deadline=None)
async def test_results_come_in_order_and_no_more_run_than_allowed(
    delays: list[int], at_once: int
) -> None:
    running = peak = 0

    async def call(item: tuple[int, int]) -> int:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(item[1] / 1000)
        running -= 1
        return item[0]

    found = [one async for one in prefetch(enumerate(delays), call, at_once)]
    assert found == list(range(len(delays)))
    assert peak <= at_once


async def test_slow_items_of_an_iterator_are_awaited() -> None:
    async def numbers() -> AsyncIterator[int]:
        for number in range(5):
            await asyncio.sleep(0)
            yield number

    async def call(number: int) -> int:
        return number * 2

    assert [one async for one in prefetch(numbers(), call, 2)] == [0, 2, 4, 6, 8]


async def test_the_first_error_ends_it_and_leaves_no_task() -> None:
    before = asyncio.all_tasks()

    async def call(number: int) -> int:
        if number == 3:
            raise ValueError(number)
        await asyncio.sleep(0 if number < 3 else 60)
        return number

    found: list[int] = []

    async def taken() -> None:
        async for one in prefetch(range(9), call, 4):
            found.append(one)  # noqa: PERF401  (what came before the error counts)

    with pytest.raises(ValueError, match="3"):
        await taken()
    assert found == [0, 1, 2]
    assert asyncio.all_tasks() == before


async def test_who_stops_taking_stops_the_calls() -> None:
    before = asyncio.all_tasks()

    async def call(number: int) -> int:
        await asyncio.sleep(0 if number == 0 else 60)
        return number

    taking = prefetch(range(9), call, 4)
    assert await anext(taking) == 0
    await taking.aclose()  # type: ignore[attr-defined]
    assert asyncio.all_tasks() == before
