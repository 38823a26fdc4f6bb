"""Work that goes on behind a page: one of a key at a time, and what failed can be read."""

import asyncio
import logging

import pytest

from schema.errors import InputError, QuireError
from schema.events import Event, PoolReady
from serving.background import Background
from serving.runs import OnEvent


async def work(tell: OnEvent) -> None:
    event: Event = PoolReady(type="pool", sources=2, passages=5)
    tell(event)


async def test_a_job_tells_how_far_it_is_and_is_forgotten_when_it_is_done() -> None:
    background, go_on = Background(), asyncio.Event()

    async def wait(tell: OnEvent) -> None:
        await work(tell)
        await go_on.wait()

    background.start(("report", "a", "ask"), "Asking.", wait)
    seen = await background.wait_for_change(0)
    while not background.find("report", "a")[0].says:
        seen = await background.wait_for_change(seen)
    assert background.find("report", "a")[0].says == "Writing from 5 passages of 2 sources."
    with pytest.raises(InputError):
        background.start(("report", "a", "ask"), "Asking.", work)
    background.start(("report", "b", "ask"), "Asking.", work)
    go_on.set()
    while background.find("report"):
        seen = await background.wait_for_change(seen)


async def test_what_failed_stays_until_it_was_read(caplog: pytest.LogCaptureFixture) -> None:
    background = Background()

    async def refuse(tell: OnEvent) -> None:
        raise QuireError("There is no such section.")

    async def break_down(tell: OnEvent) -> None:
        raise ZeroDivisionError("secret")

    background.start(("report", "a", "1"), "One.", refuse)
    background.start(("report", "a", "2"), "Two.", break_down)
    with caplog.at_level(logging.CRITICAL, "quire"):
        while any(job.state == "running" for job in background.find("report")):
            await asyncio.sleep(0.01)
    said = [job.says for job in background.find("report", "a")]
    assert said[0] == "There is no such section."
    assert "server's log" in said[1]
    background.forget("report", "a")
    assert background.find() == []


async def test_work_that_is_under_way_ends_with_the_server() -> None:
    background = Background()
    background.start(("x",), "Waiting.", lambda _: asyncio.Event().wait())
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await background.close()
