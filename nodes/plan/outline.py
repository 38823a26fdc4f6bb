"""Plan the report, after a first look at what the sources hold."""

import asyncio
from dataclasses import asdict, replace

from langgraph.runtime import Runtime

from library.library import Library
from library.memory import recall
from models.calls import Role
from models.extractive.chat_model import EXTRACTIVE
from models.structured import ask_structured
from nodes.common.run import (
    emit,
    get_context,
    get_library,
    make_degradation,
    make_role,
)
from nodes.common.search_events import (
    collect_failures,
    count_searches,
    list_queries,
    make_request,
    search_connectors,
    weigh_hits,
)
from prompts.outline import OutlinePrompt
from prompts.template import SourceText
from retrieval.passages.pool import deduplicate_questions, merge_hits
from schema.context import Context
from schema.documents import Hit
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.events import OutlineReady
from schema.report import Outline
from schema.search import Part
from schema.state import Question, ReportState, ReportUpdate

PREVIEW_PASSAGES = 30
"""Passages per connector and query of the first look."""

SHOWN_SOURCES = 12
SHOWN_PASSAGES = 6  # of a source
SHOWN_CHARACTERS = 300  # of a passage
REMEMBERED_CHARACTERS = 600  # of an earlier report
TEMPLATE_CHARACTERS = 3_000


async def outline(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Make as many sections as the research mode asks for.

    A planner that cannot (no usable answer in two tries, or no answer) is stood in for by the
    extractive model, and a code says so.
    """
    context, question = get_context(runtime), state["question"]
    library = await get_library(runtime)
    request = make_request(state, runtime, library)
    preview = replace(request, limit=PREVIEW_PASSAGES, mode="chunks")
    answers, memory, templates = await asyncio.gather(
        search_connectors(runtime, list_queries(question), preview),
        recall(library, "memory", _select_queries(question, "memory"), REMEMBERED_CHARACTERS),
        recall(library, "skill", _select_queries(question, "skill"), TEMPLATE_CHARACTERS),
    )
    hits = merge_hits(weigh_hits(question, answers))
    prompt = OutlinePrompt(
        language=question["language"],
        question=question["text"],
        sections=context.sections,
        memory=memory,
        templates=templates,
        sources=await _load_sources(library, hits),
    )

    def miscounted(made: Outline) -> str | None:
        count = len(made.sections)
        wanted = context.sections
        return None if count == wanted else f"it has {count} sections instead of {wanted}"

    role = make_role(state, runtime, "planner", context.planner_model)
    problems = collect_failures(answers)
    try:
        made, calls = await ask_structured(role, prompt, Outline, check=miscounted)
    except (ModelOutputError, ModelUnavailableError) as error:
        spent = get_error_calls(error)
        problems.append(make_degradation("outline_without_model", error))
        stand_in = Role("planner", EXTRACTIVE)
        made, calls = await ask_structured(stand_in, prompt, Outline)
        calls = [*spent, *calls]
    emit(
        runtime,
        OutlineReady(
            type="outline",
            title=made.title,
            sections=[section.title for section in made.sections],
            questions=sum(len(section.questions) for section in made.sections),
        ),
    )
    return {
        "outline": made.model_dump(),
        "preview_hits": [asdict(hit) for hit in hits],
        "spent": count_searches(answers),
        "calls": calls,
        "degraded": problems,
    }


def _select_queries(question: Question, part: Part) -> list[str]:
    """The question itself, and the queries that are meant for a part of the library."""
    queries = [query["query"] for query in question["queries"] if query["type"] == part]
    return deduplicate_questions([question["text"], *queries])


async def _load_sources(library: Library, hits: list[Hit]) -> list[SourceText]:
    """What a planner sees of the sources: titles, headings, the beginnings of passages."""
    by_document: dict[int, list[int]] = {}
    for hit in hits:
        by_document.setdefault(hit.document, []).append(hit.chunk)
    wanted = dict(list(by_document.items())[:SHOWN_SOURCES])
    described = await library.load_documents(list(wanted))
    chunks = [chunk for found in wanted.values() for chunk in found[:SHOWN_PASSAGES]]
    passages = await library.load_passages(chunks)
    shown = []
    for number, (document, found) in enumerate(wanted.items(), start=1):
        info = described[document]
        here = sorted((passages[chunk] for chunk in found[:SHOWN_PASSAGES]), key=lambda p: p.start)
        shown.append(
            SourceText(
                number=number,
                title=info.title,
                site=info.site,
                published=info.published,
                passages=tuple(passage.text[:SHOWN_CHARACTERS] for passage in here),
                headings=tuple(passage.heading for passage in here),
            )
        )
    return shown
