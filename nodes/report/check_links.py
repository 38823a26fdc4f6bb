"""Ask the web pages of the reference list whether they still answer, all at once."""

import asyncio
from collections.abc import Sequence
from typing import cast

from langgraph.runtime import Runtime

from connectors.resolvers.protocol import Resolution
from connectors.resolvers.registry import resolve
from connectors.resolvers.url_reachable import answered
from nodes.common.run import get_context, get_report, make_degradation
from schema.concurrency import get_semaphore
from schema.context import Context
from schema.errors import QuireError
from schema.report import LinkState, Reference
from schema.state import ReportState, ReportUpdate

LINK_SECONDS = 5.0
"""Deadline of one link, from when it is asked."""

TOTAL_SECONDS = 60.0
"""Deadline for all links of a report, behind those of others: the reader waits for it."""

MAX_CONCURRENT = 16
"""Links under way, over all runs of a process."""

MIN_CONFIDENCE = 0.9
"""Confidence from which on an answer is believed; below, a link counts as unknown."""


async def check_links(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Mark the references whose link answers, and those whose link surely does not."""
    report = get_report(state)
    urls = _list_web_urls(report["references"])
    if not urls or not get_context(runtime).check_links:
        return {}
    found = await _check_all(urls)
    if not any(answered(one) for one in found.values()):
        # names that do not exist and hosts that are silent look the same without a network
        detail = (
            "No link of the references could be checked, since no web server answered: check the "
            "network, or set check_links to false."
        )
        degraded = [*report["degraded"], make_degradation("links_not_checked", detail)]
        return {"report": {**report, "degraded": degraded}}
    references = [_add_link_state(one, found.get(one["url"])) for one in report["references"]]
    return {"report": {**report, "references": references}}


def _list_web_urls(references: Sequence[Reference]) -> list[str]:
    urls = [reference["url"] for reference in references]
    return list(dict.fromkeys(url for url in urls if url.startswith(("http://", "https://"))))


async def _check_all(urls: Sequence[str]) -> dict[str, Resolution]:
    """What was found out within the deadline, by url."""
    tasks = {asyncio.create_task(_check_link(url)): url for url in urls}
    try:
        done, _ = await asyncio.wait(tasks, timeout=TOTAL_SECONDS)
        return {tasks[task]: found for task in done if (found := task.result())}
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # their connections are closed


async def _check_link(url: str) -> Resolution | None:
    try:
        async with get_semaphore("links", MAX_CONCURRENT), asyncio.timeout(LINK_SECONDS):
            return await resolve("url_reachable", url)
    except (QuireError, TimeoutError):  # may not be asked, or gave no usable answer
        return None


def _add_link_state(reference: Reference, found: Resolution | None) -> Reference:
    if found is None:
        return reference
    sure = found.confidence >= MIN_CONFIDENCE
    return {
        **reference,
        "reachable": bool(found.value) if sure else None,
        "checked": found.fetched_at.isoformat(timespec="seconds"),
        "link": cast("LinkState", found.detail),
    }
