"""Load a saved report: the section to rewrite, and what it can be written from."""

import time
from collections.abc import Sequence
from uuid import uuid4

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from citations.splice import split_off_charts
from connectors.registry import choose_connectors
from connectors.search_all import SearchRequest, search_all
from library.library import Library
from library.saved_reports import SavedReport
from nodes.common.kept_report import load_kept_report
from nodes.common.run import get_context, get_library, make_source, overwrite
from nodes.common.search_events import collect_failures, count_searches, emit_answer
from schema.context import Context
from schema.documents import DocumentInfo
from schema.errors import InputError
from schema.report import UNSUPPORTED_FLAG, Report
from schema.state import (
    PoolEntry,
    Question,
    RevisionRequest,
    RevisionState,
    RevisionUpdate,
    SectionInput,
)
from schema.summary import get_place, has_summary

MAX_INSTRUCTION_CHARACTERS = 2_000


async def load_report(state: RevisionState, runtime: Runtime[Context]) -> RevisionUpdate:
    """Give the section's writer what it had, and what the library holds on the instruction.

    The web is not asked: what a run found there is stored for a while. Sources of the reference
    list keep their numbers, the others get numbers after the last.

    Raises:
        InputError: there is no such report or section, or no instruction.
    """
    context, library = get_context(runtime), await get_library(runtime)
    saved, report = await _load_checked(state, library, context)
    index = state["section"] - 1
    place = get_place(report, index)
    title, instruction = report["sections"][place]["title"], state["instruction"].strip()
    connectors = choose_connectors(
        context.connectors, paths=bool(context.paths), fresh=context.fresh
    )
    answers = await search_all(
        [one for one in connectors if one.kind == "indexed"],
        [f"{title}: {instruction}"],
        SearchRequest(library, context.passages_per_question, paths=tuple(context.paths)),
        lambda answered: emit_answer(runtime, answered),
    )
    found = {hit.chunk: hit.score for answered in answers for hit in answered.hits}
    chunks = list(dict.fromkeys([*saved.material[place]["chunks"], *found]))
    documents, described = await _load_documents(library, chunks)
    numbers = _assign_numbers(report, list(described.values()))
    language, run = report["language"], uuid4().hex
    plan = [
        {"title": section["title"], "questions": held["questions"]}
        for section, held in zip(report["sections"], saved.material, strict=True)
        if section.get("kind") != "summary"
    ]
    return {
        "messages": [HumanMessage(f"Section {state['section']}, “{title}”: {instruction}")],
        "question": Question(
            text=report["question"], asked=report["question"], language=language, queries=[]
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
        "task": SectionInput(
            run=run,
            index=index,
            title=title,
            questions=saved.material[place]["questions"],
            report_question=report["question"],
            language=language,
            plan=plan,
            style=context.style,
            audience=context.audience,
            pool=[
                PoolEntry(chunk=c, number=numbers[documents[c]], score=found.get(c, 0.0))
                for c in chunks
                if c in documents
            ],
            sources=[make_source(numbers[document], info) for document, info in described.items()],
            revision=RevisionRequest(
                instruction=instruction, text=_prepare_draft(report["sections"][place]["text"])
            ),
        ),
    }


def _prepare_draft(text: str) -> str:
    """A section for its writer: without charts, and without flags of unsupported sentences."""
    return split_off_charts(text)[0].replace(f" {UNSUPPORTED_FLAG}", "")


async def _load_checked(
    state: RevisionState, library: Library, context: Context
) -> tuple[SavedReport, Report]:
    """What was saved and the report in it, if its section can be revised."""
    identity = state["report_id"]
    saved, report = await load_kept_report(identity, library, context, "revise")
    summary = has_summary(report)
    sections = len(report["sections"]) - summary
    if not (0 if summary else 1) <= state["section"] <= sections:
        more = " and a summary, 0" if summary else ""
        raise InputError(
            f"The report {identity} has the sections 1 to {sections}{more}: name one of them."
        )
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
    return saved, report


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
