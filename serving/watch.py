"""Keeping a saved report up to date: its sources synced, its claims held against them."""

from dataclasses import dataclass
from typing import Any

from graphs.watch_report import graph as watch_graph
from library.library import Library, open_library
from library.saved_reports import SavedReport
from schema.access import LOCAL_MEMBER, Member, check_owner, name_space
from schema.context import Context
from schema.errors import QuireError
from schema.report import Report
from serving.runs import OnEvent, name_member, run_graph
from serving.sources import sync_sources
from serving.stored_reports import load_report, restore_context


@dataclass(frozen=True)
class WatchOutcome:
    """What came of one look: the report's new version, None where nothing changed.

    `said` is that in one line; `failures` name sources and pages that could not be looked at.
    """

    report: Report | None
    said: str
    failures: tuple[str, ...] = ()


async def watch_report(
    identity: str, on_event: OnEvent, member: Member | None = None
) -> WatchOutcome:
    """Sync the sources that a report rests on, and save a version where its claims changed.

    Args:
        identity: of the report.
        on_event: progress.
        member: in whose name, where people sign in.

    Raises:
        InputError: there is no such report, or it is not finished.
        AccessError: the member may not write in the group whose report it is.
        QuireError: its sentences could not be written; the report stays as it is.
    """
    kept = await load_report(identity, member=member or LOCAL_MEMBER)
    check_owner(kept.owner, member or LOCAL_MEMBER, "writer")
    library = await open_library(kept.space, kept.owner, (member or LOCAL_MEMBER).names)
    failures = await _sync(library, kept, on_event, member)
    context = _keep_models(restore_context(kept))
    async with library.hold_lock("report", identity):
        state: dict[str, Any] = await run_graph(
            watch_graph,
            {"report_id": identity},
            on_event,
            config={"configurable": name_member(member)},
            context=context,
        )
    unread = [one["detail"] for one in state["degraded"]]
    made = state["report"] if state["changes"] else None
    return WatchOutcome(made, str(state["messages"][-1].text), (*failures, *unread))


async def _sync(
    library: Library, kept: SavedReport, on_event: OnEvent, member: Member | None
) -> list[str]:
    """Bring the sources up to date that hold cited documents; returns why some could not be."""
    cited = {one["document"] for one in kept.report["citations"]} if kept.report else set()
    wanted = [
        one.name
        for one in await library.list_sources()
        if one.root and any(uri.startswith(one.root) for uri in cited)
    ]
    if not wanted:
        return []
    space = name_space(kept.owner, kept.space)
    results = sync_sources(wanted, space, on_event, member=member)
    return [f"{one.name}: {one.failure}" async for one in results if one.failure]


def _keep_models(context: Context) -> Context:
    """The context that a report was begun with; its paths were read by the sync."""
    return context.model_copy(update={"paths": [], "run_seconds": max(600, context.run_seconds)})


def check_watchable(kept: SavedReport) -> None:
    """Raise `QuireError` where a report cannot be watched, as one that is not finished."""
    if kept.report is None:
        raise QuireError(f"The report {kept.id} is not finished: quire report --resume {kept.id}")
