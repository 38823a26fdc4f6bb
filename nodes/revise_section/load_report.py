"""Load a saved report: the sections to rewrite, and what they can be written from."""

import time
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any
from uuid import uuid4

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from citations.splice import split_off_charts
from connectors.registry import choose_connectors
from connectors.search_all import SearchRequest, search_all
from library.library import Library
from library.saved_reports import SavedReport
from nodes.common.kept_report import load_kept_report
from nodes.common.run import get_context, get_library, is_outermost, make_source, overwrite
from nodes.common.search_events import collect_failures, count_searches, emit_answer
from schema.context import Context
from schema.documents import DocumentInfo
from schema.errors import InputError
from schema.report import UNSUPPORTED_FLAG, Report, Source
from schema.state import (
    PoolEntry,
    Question,
    RevisionRequest,
    RevisionState,
    RevisionUpdate,
    SectionInput,
)
from schema.summary import get_place, has_summary, list_section_numbers

MAX_INSTRUCTION_CHARACTERS = 2_000


async def load_report(state: RevisionState, runtime: Runtime[Context]) -> RevisionUpdate:
    """Give each section's writer what it had, and what the library holds on the instruction.

    The web is not asked, unless it may be: what a run found there is stored for a while. Sources of
    the reference list keep their numbers, the others get numbers after the last.

    Raises:
        InputError: there is no such report or section, or no instruction.
    """
    context, library = get_context(runtime), await get_library(runtime)
    saved, report = await load_kept_report(state["report_id"], library, context, "revise")
    numbers = _check_sections(state, report)
    instruction = _check_instruction(state)
    places = {number: get_place(report, number - 1) for number in numbers}
    titles = {number: report["sections"][places[number]]["title"] for number in numbers}
    connectors = choose_connectors(
        context.connectors, paths=bool(context.paths), fresh=context.fresh
    )
    queries = {number: f"{titles[number]}: {instruction}" for number in numbers}
    answers = await search_all(
        [one for one in connectors if one.kind == "indexed" or state.get("may_search")],
        list(dict.fromkeys(queries.values())),
        SearchRequest(library, context.passages_per_question, paths=tuple(context.paths)),
        lambda answered: emit_answer(runtime, answered),
    )
    found = {
        number: {h.chunk: h.score for one in answers if one.question == query for h in one.hits}
        for number, query in queries.items()
    }
    chunks = {
        number: list(dict.fromkeys([*saved.material[places[number]]["chunks"], *found[number]]))
        for number in numbers
    }
    every = list(dict.fromkeys(chain.from_iterable(chunks.values())))
    documents, described = await _load_documents(library, every)
    called = _assign_numbers(report, list(described.values()))
    sources = [make_source(called[document], info) for document, info in described.items()]
    run = uuid4().hex if is_outermost(runtime) else state.get("run", "")
    tasks = [
        SectionInput(
            run=run,
            index=number - 1,
            title=titles[number],
            questions=saved.material[places[number]]["questions"],
            report_question=report["question"],
            language=report["language"],
            plan=_list_plan(saved, report),
            style=context.style,
            audience=context.audience,
            pool=[
                PoolEntry(chunk=c, number=called[documents[c]], score=found[number].get(c, 0.0))
                for c in chunks[number]
                if c in documents
            ],
            sources=_choose_sources(sources, [documents.get(c) for c in chunks[number]]),
            revision=RevisionRequest(
                instruction=instruction,
                text=_prepare_draft(report["sections"][places[number]]["text"]),
                passages=saved.material[places[number]]["chunks"],
            ),
        )
        for number in numbers
    ]
    return {
        "messages": [HumanMessage(f"{_name_sections(titles)}: {instruction}")],
        "question": Question(
            text=report["question"],
            asked=report["question"],
            language=report["language"],
            queries=[],
        ),
        "run": run,
        "report": report,
        "sources": [],
        "links": {},
        "sections": overwrite([]),
        "repairs": overwrite([]),
        "started": time.time(),
        "spent": overwrite(count_searches(answers)),
        "calls": overwrite([]),
        "degraded": overwrite(collect_failures(answers)),
        "tasks": tasks,
    }


def _list_plan(saved: SavedReport, report: Report) -> list[dict[str, Any]]:
    """The titles and questions of the sections that answer the question."""
    return [
        {"title": section["title"], "questions": held["questions"]}
        for section, held in zip(report["sections"], saved.material, strict=True)
        if section.get("kind") != "summary"
    ]


def _choose_sources(sources: Sequence[Source], documents: Collection[int | None]) -> list[Source]:
    return [one for one in sources if one["document"] in documents]


def _name_sections(titles: dict[int, str]) -> str:
    if len(titles) == 1:
        [(number, title)] = titles.items()
        return f"Section {number}, “{title}”"
    return f"Sections {', '.join(map(str, titles))}"


def _prepare_draft(text: str) -> str:
    """A section for its writer: without charts, and without flags of unsupported sentences."""
    return split_off_charts(text)[0].replace(f" {UNSUPPORTED_FLAG}", "")


def _check_sections(state: RevisionState, report: Report) -> list[int]:
    """The numbers of the sections to revise, in order; all of them where none is named."""
    there = list_section_numbers(report)
    wanted = sorted(set(state.get("section_numbers") or there))
    if not set(wanted) <= set(there):
        more = " and a summary, 0" if has_summary(report) else ""
        raise InputError(
            f"The report {state['report_id']} has the sections 1 to {there[-1]}{more}: name "
            "some of them."
        )
    return wanted


def _check_instruction(state: RevisionState) -> str:
    instruction = state["instruction"]
    if not any(character.isalnum() for character in instruction):
        raise InputError(
            "There is no instruction: say in a few words what is to change in the section."
        )
    if len(instruction) > MAX_INSTRUCTION_CHARACTERS:
        raise InputError(
            f"The instruction has {len(instruction):,} characters, more than "
            f"{MAX_INSTRUCTION_CHARACTERS:,}: shorten it."
        )
    return instruction.strip()


async def _load_documents(
    library: Library, chunks: Sequence[int]
) -> tuple[dict[int, int], dict[int, DocumentInfo]]:
    """The document of each chunk that is still there, and what is known of each document."""
    passages = await library.load_passages(chunks)
    documents = {chunk: passages[chunk].document for chunk in chunks if chunk in passages}
    described = await library.load_documents(list(dict.fromkeys(documents.values())))
    return documents, {one: described[one] for one in dict.fromkeys(documents.values())}


def _assign_numbers(report: Report, documents: Sequence[DocumentInfo]) -> dict[int, int]:
    """A number for each document: that of the reference list, or one after the last."""
    listed = {citation["document"]: citation["number"] for citation in report["citations"]}
    last = max((reference["number"] for reference in report["references"]), default=0)
    new = [document.id for document in documents if document.uri not in listed]
    fresh = {document: last + step for step, document in enumerate(new, start=1)}
    return {one.id: fresh[one.id] if one.id in fresh else listed[one.uri] for one in documents}
