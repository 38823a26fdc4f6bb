"""Ask the web pages of the reference list whether they still answer, all at once."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from langgraph.runtime import Runtime

from connectors.resolvers.protocol import Resolution
from connectors.resolvers.registry import resolve
from connectors.resolvers.url_reachable import answered
from nodes.run import context_of, degraded
from schema.context import Context
from schema.errors import QuireError
from schema.limits import slots
from schema.report import LinkState, Reference
from schema.state import ReportState

SECONDS = 5.0
"""Deadline of one link, from when it is asked."""

WAITING = 60.0
"""Deadline for all links of a report, behind those of others: the reader waits for it."""

AT_ONCE = 16
"""Links under way, over all runs of a process."""

SURE = 0.9
"""Confidence from which on an answer is believed; below, a link counts as unknown."""


async def check_links(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Mark the references whose link answers, and those whose link surely does not."""
    report = state["report"]
    assert report is not None  # noqa: S101  (`cite` binds it)
    urls = _web_addresses(report["references"])
    if not urls or not context_of(runtime).check_links:
        return {}
    found = await _ask_all(urls)
    if not any(answered(one) for one in found.values()):
        # names that do not exist and hosts that are silent look the same without a network
        detail = (
            "No link of the references could be checked, since no web server answered: check the "
            "network, or set check_links to false."
        )
        lost = [*report["degraded"], degraded("links_not_checked", detail)]
        return {"report": {**report, "degraded": lost}}
    references = [_marked(one, found.get(one["url"])) for one in report["references"]]
    return {"report": {**report, "references": references}}


def _web_addresses(references: Sequence[Reference]) -> list[str]:
    urls = [reference["url"] for reference in references]
    return list(dict.fromkeys(url for url in urls if url.startswith(("http://", "https://"))))


async def _ask_all(urls: Sequence[str]) -> dict[str, Resolution]:
    """What was found out within the deadline, by url."""
    tasks = {asyncio.create_task(_ask(url)): url for url in urls}
    try:
        done, _ = await asyncio.wait(tasks, timeout=WAITING)
        return {tasks[task]: found for task in done if (found := task.result())}
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # their connections are closed


async def _ask(url: str) -> Resolution | None:
    try:
        async with slots("links", AT_ONCE), asyncio.timeout(SECONDS):
            return await resolve("url_reachable", url)
    except (QuireError, TimeoutError):  # may not be asked, or nothing can be said of it
        return None


def _marked(reference: Reference, found: Resolution | None) -> Reference:
    if found is None:
        return reference
    sure = found.confidence >= SURE
    return {
        **reference,
        "reachable": bool(found.value) if sure else None,
        "checked": found.fetched_at.isoformat(timespec="seconds"),
        "link": cast("LinkState", found.detail),
    }
