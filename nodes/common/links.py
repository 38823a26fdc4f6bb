"""Asking web pages whether they still answer, all at once."""

import asyncio
from collections.abc import Sequence
from typing import cast

from connectors.resolvers.protocol import Resolution
from connectors.resolvers.registry import resolve
from connectors.resolvers.url_reachable import answered
from schema.concurrency import get_semaphore
from schema.errors import QuireError
from schema.report import LinkCheck, LinkState

LINK_SECONDS = 5.0
"""Deadline of one link, from when it is asked."""

TOTAL_SECONDS = 60.0
"""Deadline for all links of a report, behind those of others: the reader waits for it."""

MAX_CONCURRENT = 16
"""Links under way, over all runs of a process."""

MIN_CONFIDENCE = 0.9
"""Confidence from which on an answer is believed; below, a link counts as unknown."""


def list_web_urls(urls: Sequence[str]) -> list[str]:
    """Those that can be asked, each once."""
    return list(dict.fromkeys(url for url in urls if url.startswith(("http://", "https://"))))


async def check_urls(urls: Sequence[str]) -> dict[str, LinkCheck | None]:
    """What was found out, by url; None of one that gave no usable answer within the deadline."""
    tasks = {asyncio.create_task(_check_link(url)): url for url in urls}
    if not tasks:
        return {}
    try:
        done, _ = await asyncio.wait(tasks, timeout=TOTAL_SECONDS)
        return {url: task.result() if task in done else None for task, url in tasks.items()}
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # their connections are closed


async def _check_link(url: str) -> LinkCheck | None:
    try:
        async with get_semaphore("links", MAX_CONCURRENT), asyncio.timeout(LINK_SECONDS):
            return _describe(await resolve("url_reachable", url))
    except (QuireError, TimeoutError):  # may not be asked, or gave no usable answer
        return None


def _describe(found: Resolution) -> LinkCheck:
    sure = found.confidence >= MIN_CONFIDENCE
    return LinkCheck(
        reachable=bool(found.value) if sure else None,
        checked=found.fetched_at.isoformat(timespec="seconds"),
        link=cast("LinkState", found.detail),
        answered=answered(found),
    )
