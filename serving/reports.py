"""Saved reports: begun, gone on with and revised, from outside a server.

Each is written on a thread of its own, whose checkpoints stand in the library's database, so that
what was done is not done again after a crash.
"""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any
from uuid import uuid4

from langgraph.types import Command, Overwrite

from graphs.report import builder as report_builder
from library.database.checkpoints import open_checkpointer, prune_checkpoints
from library.library import Library, open_library
from library.saved_reports import RunStart, SavedReport
from nodes.common.run import check_question
from schema.access import LOCAL_MEMBER, Member, find_owner
from schema.context import Context
from schema.errors import InputError
from schema.report import Report
from serving.conversation import Turn, shorten_conversation
from serving.pauses import run_until_paused
from serving.runs import OnEvent, name_member, run_graph, run_ingest
from serving.stored_reports import (
    list_messages,
    make_unknown_error,
    remove_report,
    restore_context,
)

MAX_STEPS = 400
"""Supersteps that a run may take."""

_ASK_AGAIN = "ask again to have them written"


@dataclass(frozen=True)
class ReportOutcome:
    """A finished report, or None; `reason`: what the run said instead, or of missing sections.

    `asks` is set where the run waits for its reader: the outline, how to answer, and what was wrong
    with the answer before, see `nodes.plan.approve_outline`.
    """

    report: Report | None
    reason: str = ""
    skipped: tuple[str, ...] = ()
    asks: dict[str, Any] | None = None


async def begin_report(
    question: str,
    context: Context,
    member: Member = LOCAL_MEMBER,
    thread: str = "",
    *,
    conversation: Sequence[Turn] = (),
    webhook: str = "",
) -> SavedReport:
    """Note that a report is to be written, on a thread of a LangGraph server where one is named.

    Args:
        question: what it answers.
        context: settings of its run.
        member: who asks.
        thread: of the server that writes it; one of its own where empty.
        conversation: what was said before, which the question may speak of.
        webhook: address that is told of its end.

    Raises:
        InputError: there is no question, it is too long, or the space is not the member's.
        LibraryError: the database cannot be used.
    """
    check_question(question)
    owner, space = find_owner(context.space, member, "writer")
    library = await open_library(space, owner, member.names)
    run = _describe_run(_resolve_paths(context), ())
    if conversation:
        run["conversation"] = shorten_conversation(conversation)
    if webhook:
        run["webhook"] = webhook
    return await library.begin_report(question, run, thread)


async def create_report(question: str, context: Context, on_event: OnEvent) -> ReportOutcome:
    """Begin a report and write it; of one whose input cannot be used nothing is left.

    Raises:
        InputError: there is no question, or a setting or path cannot be used.
        QuireError: the run failed; it can be gone on with.
    """
    begun = await begin_report(question, context)
    try:
        return await write_report(begun, on_event)
    except InputError:
        await remove_report(begun.id)
        raise


async def write_report(
    begun: SavedReport,
    on_event: OnEvent,
    member: Member | None = None,
    answer: object = None,
) -> ReportOutcome:
    """Write a report that was begun, or go on where its run stopped; a finished one is returned.

    A step that had come to its end is not done again, whatever ended the run. Of a finished report
    the sections that failed are written, unless it was revised since.

    Args:
        begun: the report.
        on_event: progress.
        member: who has it written, where people sign in: the run is held to what they may do.
        answer: to the outline that an earlier outcome asked about.

    Raises:
        InputError: it was removed, or a setting or path of it cannot be used.
        QuireError: the run failed; it can be gone on with.
    """
    names = (member or LOCAL_MEMBER).names
    library = await open_library(begun.space, begun.owner, names)
    async with library.hold_lock("report", begun.id):  # a second process waits, and takes it
        kept = await library.load_report(begun.id)
        if kept is None:
            raise make_unknown_error(begun.id)
        if kept.report is not None and not count_failed_sections(kept.report):
            return ReportOutcome(kept.report)
        if kept.report is not None and kept.version > 1:
            return ReportOutcome(kept.report, f"it was revised since; {_ASK_AGAIN}")
        async with open_checkpointer() as saver:
            run = _Run(library, kept, restore_context(kept), saver, on_event, member)
            return await run_until_paused(library, begun.id, run.go_on(answer))


@dataclass(frozen=True)
class _Run:
    """A report that is being written, with its lock held."""

    library: Library
    kept: SavedReport
    context: Context
    saver: Any
    on_event: OnEvent
    member: Member | None

    async def go_on(self, answer: object) -> ReportOutcome:
        kept, saver = self.kept, self.saver
        graph = await asyncio.to_thread(  # it takes 0.05 s, in which others go on
            report_builder.compile, checkpointer=saver, name="report"
        )
        config: Any = {"configurable": {"thread_id": kept.thread}}
        reached = await _rewind_failures(graph, config, await graph.aget_state(config))
        if gone := await _count_missing_sources(self.library, reached.values):
            if kept.report is not None:
                why = f"{gone} of its sources are no longer kept; {_ASK_AGAIN}"
                return ReportOutcome(kept.report, why)
            raise InputError(
                f"The report {kept.id} was begun so long ago that {gone} of its sources are "
                "no longer kept: write it again."
            )
        skipped: tuple[str, ...] = tuple(kept.run["skipped"])
        given: Any = None if answer is None else Command(resume=answer)
        if not reached.values:
            skipped = await _read_files(
                self.library, kept, self.context, self.on_event, self.member
            )
            given = {"messages": list_messages(kept)}
        if reached.interrupts and given is None:
            return ReportOutcome(None, skipped=skipped, asks=reached.interrupts[0].value)
        if reached.next or given:
            told = {"report_id": kept.id, "skipped": skipped, **name_member(self.member)}
            await run_graph(
                graph,
                given,
                self.on_event,
                config={
                    "configurable": config["configurable"] | told,
                    "recursion_limit": MAX_STEPS,
                },
                context=self.context,
                durability="sync",
            )
            reached = await graph.aget_state(config)
        if reached.interrupts:
            return ReportOutcome(None, skipped=skipped, asks=reached.interrupts[0].value)
        return await self._finish(reached.values, skipped)

    async def _finish(self, state: dict[str, Any], skipped: tuple[str, ...]) -> ReportOutcome:
        if state["report"] is None:
            await self.library.remove_report(self.kept.id)
            await self.saver.adelete_thread(self.kept.thread)
            return ReportOutcome(None, str(state["messages"][-1].text), skipped)
        if not count_failed_sections(state["report"]):  # else they can be written from before
            await prune_checkpoints(self.saver, self.kept.thread)
        return ReportOutcome(state["report"], skipped=skipped)


def count_failed_sections(report: Report) -> int:
    """How many sections of a report could not be written."""
    return sum(entry["code"] == "section_failed" for entry in report["degraded"])


async def _rewind_failures(graph: Any, config: Any, begun: Any) -> Any:
    """Where to go on: before the sections are brought together, those that failed to be written.

    What they had failed with is forgotten, and what was said of it; so are later steps. A run that
    was stopped in a later step goes on there.
    """
    if begun.next not in ((), ("merge_sections",)):
        return begun
    async for past in graph.aget_state_history(config):
        if past.next == ("merge_sections",):
            break
    else:
        return begun
    written = [section for section in past.values["sections"] if section["text"]]
    if len(written) == len(past.values["sections"]):
        return begun
    left = [one for one in past.values["degraded"] if one["code"] != "section_failed"]
    again = {"run": uuid4().hex, "sections": Overwrite(written), "degraded": Overwrite(left)}
    await graph.aupdate_state(past.config, again, as_node="search_open_questions")
    return await graph.aget_state(config)


async def _count_missing_sources(library: Library, state: dict[str, Any]) -> int:
    """How many of a run's sources are no longer there, as pages of the web after their term."""
    found = [state.get("sources", []), *(one["sources"] for one in state.get("sections", []))]
    documents = {source["document"] for sources in found for source in sources}
    return len(documents) - len(await library.load_documents(list(documents))) if documents else 0


async def _read_files(
    library: Library,
    kept: SavedReport,
    context: Context,
    on_event: OnEvent,
    member: Member | None,
) -> tuple[str, ...]:
    """Bring the run's files into the library; returns why some were not read."""
    if not context.paths:
        return ()
    state = await run_ingest(context.paths, context, on_event, member=member)
    skipped = tuple(one["reason"] for one in state["skipped"])
    await library.note_run(kept.id, {**kept.run, **_describe_run(context, skipped)})
    return skipped


def _resolve_paths(context: Context) -> Context:
    """The context with paths that mean the same from every folder."""
    paths = [os.path.abspath(os.path.expanduser(path)) for path in context.paths]  # noqa: PTH100, PTH111  (no link is followed)
    return context.model_copy(update={"paths": paths})


def _describe_run(context: Context, skipped: tuple[str, ...]) -> RunStart:
    chosen = context.model_dump(exclude_defaults=True)
    return RunStart(context=chosen, skipped=list(skipped), quire=metadata.version("quire"))
