"""What one user pushes costs others nothing, and ends when nobody waits for it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import hostile_documents as hostile
import httpx
import psutil
import pytest
from fakes.server import Served
from pushing import at, guarded, outcomes, page

from connectors.indexed import captures
from library import sandbox
from serving import captures as serving
from serving.captures import app

SLOW = hostile.slow_page().decode()


def slow(number: int) -> dict[str, object]:
    return page(number, text=None, html=SLOW)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.05)


def reading() -> list[psutil.Process]:
    """The children that are busy."""
    found = []
    for one in psutil.Process().children():
        with suppress(psutil.Error):
            found += [one] if "sandbox.serve" in " ".join(one.cmdline()) else []
    return [one for one in found if one.cpu_times().user > 1]


@pytest.mark.slow
async def test_who_leaves_ends_the_reading(space: str) -> None:
    sandbox.end_idle()
    with Served(app) as server:
        async with httpx.AsyncClient(base_url=server.url) as client:
            push = client.post("/captures", params={"space": space}, json=slow(1), timeout=30)
            pushing = asyncio.create_task(push)
            await until(lambda: bool(reading()))
            pushing.cancel()
        await until(lambda: not reading())


@pytest.mark.slow
async def test_others_are_answered_while_one_user_s_pages_are_read(space: str) -> None:
    async with at(guarded()) as client:
        pushes = [
            asyncio.create_task(
                client.post("/captures", params={"space": f"{space}{number}"}, json=slow(number),
                            headers={"X-Name": "mallory"})
            )
            for number in range(4)
        ]  # fmt: skip
        await asyncio.sleep(0.5)
        html = f"<html><body><p>{'The wind turns it. ' * 20}</p></body></html>"
        answer = await client.post(
            "/captures",
            params={"space": space},
            json=page(9, text=None, html=html),
            headers={"X-Name": "ada"},
        )
        assert outcomes(answer) == ["added"]
        assert not any(push.done() for push in pushes)
        for push in pushes:
            push.cancel()
        await asyncio.gather(*pushes, return_exceptions=True)


@pytest.mark.slow
async def test_a_page_that_takes_too_long_is_left_out(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captures, "CAPTURE_READER", replace(captures.CAPTURE_READER, seconds=1))
    async with at() as client:
        answer = await client.post("/captures", params={"space": space}, json=[slow(1), page(2)])
    assert outcomes(answer) == ["skipped", "added"]
    assert answer.json()["outcomes"][0]["reason"] == "reading it takes longer than 1 s"


@pytest.mark.parametrize(
    "content",
    [
        {"text": None, "html": "<p>wind</p>" * 100_000},
        {"text": "wind " * 250_000},
        {"text": None, "markdown": "# wind\n" * 200_000},
    ],
    ids=["html", "text", "markdown"],
)
async def test_a_page_that_is_too_large_is_left_out(
    content: dict[str, Any], space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captures, "LARGEST", 2**20)
    async with at() as client:
        pushed = page(1, **content)
        answer = await client.post("/captures", params={"space": space}, json=pushed)
    assert answer.json()["outcomes"][0]["reason"] == "its content is larger than 1 MB"


@pytest.mark.slow
async def test_who_would_wait_too_long_is_told(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "WAIT_SECONDS", 1.0)
    async with at() as client:
        answer = await client.post("/captures", params={"space": space}, json=slow(1))
    assert answer.status_code == 503
    assert answer.json() == {"faults": ["Too many pages are being read: push again in a minute."]}
