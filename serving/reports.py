"""Reports that are kept: begun, gone on with, revised and removed, from outside a server.

Each is written on a thread of its own, whose checkpoints stand in the library's database, so that
what was done is not done again after a crash.
"""

import os
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from langgraph.types import Overwrite

from graphs.report import builder as report_builder
from graphs.revise_section import builder as revision_builder
from library.library import Library, open_library
from library.reports import KeptReport
from library.threads import checkpointer, newest_only
from nodes.run import checked_question
from schema.context import Context
from schema.errors import InputError, QuireError
from schema.report import Report
from serving.runs import OnEvent, followed, run_ingest

STEPS = 400
"""Supersteps that a run may take."""


@dataclass(frozen=True)
class Outcome:
    """A finished report; or None, and in `why` what the run said instead."""

    report: Report | None
    why: str = ""
    skipped: tuple[str, ...] = ()


async def begin(question: str, context: Context) -> str:
    """Note that a report is to be written; returns its id.

    Raises:
        InputError: there is no question, or it is too long.
        LibraryError: the database cannot be used.
    """
    checked_question(question)
    library = await open_library(context.space)
    return await library.begin_report(question, _run_of(_anywhere(context), ()))


async def write(identity: str, on_event: OnEvent) -> Outcome:
    """Write a report that was begun, or go on where its run stopped; a finished one is returned.

    A step that had come to its end is not done again, whatever ended the run. Of a finished report
    the sections that failed are written, unless it was revised since.

    Raises:
        InputError: there is no such report, or a setting or path of it cannot be used.
        QuireError: the run failed; it can be gone on with.
    """
    library = await open_library((await found(identity)).space)
    async with library.alone("report", identity):  # a second process waits, and takes the report
        kept = await found(identity)
        if kept.report is not None and (kept.version > 1 or not failed_sections(kept.report)):
            return Outcome(kept.report)
        context = _context_of(kept)
        async with checkpointer() as saver:
            graph = report_builder.compile(checkpointer=saver, name="report")
            config: Any = {"configurable": {"thread_id": kept.thread}}
            begun = await graph.aget_state(config)
            skipped: tuple[str, ...] = tuple(kept.run["skipped"])
            given = None
            begun = await _without_failures(graph, config, begun)
            if gone := await _sources_gone(library, begun.values):
                if kept.report is not None:
                    return Outcome(kept.report)
                raise InputError(
                    f"The report {identity} was begun so long ago that {gone} of its sources are "
                    "no longer kept: write it anew."
                )
            if not begun.values:
                skipped = await _read_files(library, kept, context, on_event)
                given = {"messages": [{"role": "user", "content": kept.question}]}
            told = {**config["configurable"], "report_id": identity, "skipped": skipped}
            state = begun.values
            if begun.next or given:
                state = await followed(
                    graph,
                    given,
                    on_event,
                    config={"configurable": told, "recursion_limit": STEPS},
                    context=context,
                    durability="sync",
                )
            if state["report"] is None:
                await library.remove_report(identity)
                await saver.adelete_thread(kept.thread)
                return Outcome(None, str(state["messages"][-1].text), skipped)
            if not failed_sections(state["report"]):  # else they can be written from before
                await newest_only(saver, kept.thread)
    return Outcome(state["report"], skipped=skipped)


async def revise(identity: str, section: int, instruction: str, on_event: OnEvent) -> Report:
    """Have one section of a report written anew, and keep that as its next version.

    Raises:
        InputError: there is no such report or section, or no wish.
        QuireError: the section could not be written; the report stays as it is.
    """
    await finished(identity)  # a revision on the thread of a run under way would end it
    kept = await found(identity)
    library = await open_library(kept.space)
    given = {"report_id": identity, "section": section, "instruction": instruction}
    async with library.alone("report", identity), checkpointer() as saver:
        thread = kept.thread or identity
        state = await followed(
            revision_builder.compile(checkpointer=saver, name="revise_section"),
            given,
            on_event,
            config={"configurable": {"thread_id": thread}, "recursion_limit": STEPS},
            context=_context_of(kept),
        )
        await newest_only(saver, thread)
    report: Report = state["report"]
    return report


async def remove(identity: str) -> int:
    """Forget a report, with its versions and its thread; returns how many versions there were.

    Raises:
        InputError: there is no such report.
    """
    kept = await found(identity)
    library = await open_library(kept.space)
    async with checkpointer() as saver:
        await saver.adelete_thread(kept.thread or identity)
    return await library.remove_report(identity)


async def found(identity: str, version: int | None = None) -> KeptReport:
    """A version of a report, the newest where None.

    Raises:
        InputError: there is none.
    """
    kept = await (await open_library()).report(identity, version)
    if kept is None:
        which = f" in a version {version}" if version else ""
        raise InputError(
            f"There is no report {identity}{which}: quire reports list shows those there are."
        )
    return kept


async def finished(identity: str, version: int | None = None) -> Report:
    """The report itself.

    Raises:
        InputError: there is none.
        QuireError: it is not finished.
    """
    kept = await found(identity, version)
    if kept.report is None:
        raise QuireError(f"The report {identity} is not finished: quire report --resume {identity}")
    return kept.report


def failed_sections(report: Report) -> int:
    """How many sections of a report could not be written."""
    return sum(entry["code"] == "section_failed" for entry in report["degraded"])


async def _without_failures(graph: Any, config: Any, begun: Any) -> Any:
    """Where to go on: before the sections are brought together, those that failed to be written.

    What they had failed with is forgotten, and what was said of it; so are later steps. A run that
    was stopped in a later step goes on there.
    """
    if begun.next not in ((), ("assemble",)):
        return begun
    async for past in graph.aget_state_history(config):
        if past.next == ("assemble",):
            break
    else:
        return begun
    written = [section for section in past.values["sections"] if section["text"]]
    if len(written) == len(past.values["sections"]):
        return begun
    left = [one for one in past.values["degraded"] if one["code"] != "section_failed"]
    again = {"run": uuid4().hex, "sections": Overwrite(written), "degraded": Overwrite(left)}
    await graph.aupdate_state(past.config, again, as_node="fetch")
    return await graph.aget_state(config)


async def _sources_gone(library: Library, state: dict[str, Any]) -> int:
    """How many of a run's sources are no longer there, as pages of the web after their term."""
    found = [state.get("sources", []), *(one["sources"] for one in state.get("sections", []))]
    documents = {source["document"] for sources in found for source in sources}
    return len(documents) - len(await library.documents(list(documents))) if documents else 0


async def _read_files(
    library: Library, kept: KeptReport, context: Context, on_event: OnEvent
) -> tuple[str, ...]:
    """Bring the run's files into the library; returns why some were not read."""
    if not context.paths:
        return ()
    state = await run_ingest(context.paths, context, on_event)
    skipped = tuple(one["reason"] for one in state["skipped"])
    await library.note_run(kept.id, _run_of(context, skipped))
    return skipped


def _anywhere(context: Context) -> Context:
    """The context with paths that mean the same from every folder."""
    paths = [os.path.abspath(os.path.expanduser(path)) for path in context.paths]  # noqa: PTH100, PTH111  (no link is followed)
    return context.model_copy(update={"paths": paths})


def _run_of(context: Context, skipped: tuple[str, ...]) -> dict[str, Any]:
    return {"context": context.model_dump(exclude_defaults=True), "skipped": list(skipped)}


def _context_of(kept: KeptReport) -> Context:
    try:
        return Context(**kept.run["context"])
    except InputError:
        raise InputError(
            f"The report {kept.id} was started with settings that are no longer known: write it "
            "anew."
        ) from None
