"""Plan the report, after a first look at what the sources hold."""

import asyncio
from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from connectors.ask import Search, ask_all
from connectors.registry import chosen
from library.library import Library
from library.recall import recalled
from models.calls import Role
from models.extractive.model import EXTRACTIVE
from models.structured import ask_structured
from nodes.run import context_of, degraded, emit, journal_of, library_of, role_of
from nodes.searching import announce, lost, searched, wanted_queries, weighed
from prompts.outline import OUTLINE
from prompts.template import SourceText, fence, items, sources
from retrieval.pool import best_hits, distinct_questions
from schema.context import Context
from schema.documents import Hit
from schema.errors import ModelOutputError, ModelUnavailableError, calls_of
from schema.events import OutlineReady
from schema.report import Outline
from schema.search import Part
from schema.state import Question, ReportState

LOOK_PASSAGES = 30
"""Passages per connector and query of the first look."""

SHOWN_SOURCES = 12
SHOWN_PASSAGES = 6  # of a source
SHOWN_CHARACTERS = 300  # of a passage
REMEMBERED_CHARACTERS = 600  # of an earlier report
TEMPLATE_CHARACTERS = 3_000


async def outline(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Make as many sections as the research mode asks for.

    A planner that cannot (no usable answer in two tries, or no answer) is stood in for by the
    extractive model, and a code says so.
    """
    context, question = context_of(runtime), state["question"]
    connectors = chosen(context.connectors, paths=bool(context.paths), fresh=context.fresh)
    library = await library_of(runtime)
    search = Search(
        library,
        LOOK_PASSAGES,
        paths=tuple(context.paths),
        hierarchy=context.hierarchy,
        seconds=context.search_seconds,
        journal=journal_of(state, runtime),
        fresh=context.fresh,
    )
    asked = wanted_queries(question)
    answers, memory, templates = await asyncio.gather(
        ask_all(connectors, asked, search, lambda answered: announce(runtime, answered)),
        recalled(library, "memory", _typed(question, "memory"), REMEMBERED_CHARACTERS),
        recalled(library, "skill", _typed(question, "skill"), TEMPLATE_CHARACTERS),
    )
    hits = best_hits(weighed(question, answers))
    messages = OUTLINE.render(
        language=question["language"],
        question=fence(question["text"]),
        sections=str(context.sections),
        memory=items(memory),
        templates=items(templates),
        sources=sources(await _shown(library, hits)),
    )

    def miscounted(made: Outline) -> str | None:
        count = len(made.sections)
        wanted = context.sections
        return None if count == wanted else f"it has {count} sections instead of {wanted}"

    role = role_of(state, runtime, "planner", context.planner_model)
    problems = lost(answers)
    try:
        made, calls = await ask_structured(role, OUTLINE.name, messages, Outline, check=miscounted)
    except (ModelOutputError, ModelUnavailableError) as error:
        spent = calls_of(error)
        problems.append(degraded("outline_without_model", error))
        stand_in = Role("planner", EXTRACTIVE)
        made, calls = await ask_structured(stand_in, OUTLINE.name, messages, Outline)
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
        "look": [asdict(hit) for hit in hits],
        "spent": searched(answers),
        "calls": calls,
        "degraded": problems,
    }


def _typed(question: Question, part: Part) -> list[str]:
    """The question itself, and the queries that are meant for a part of the library."""
    queries = [query["query"] for query in question["queries"] if query["type"] == part]
    return distinct_questions([question["text"], *queries])


async def _shown(library: Library, hits: list[Hit]) -> list[SourceText]:
    """What a planner sees of the sources: titles, headings, the beginnings of passages."""
    by_document: dict[int, list[int]] = {}
    for hit in hits:
        by_document.setdefault(hit.document, []).append(hit.chunk)
    wanted = dict(list(by_document.items())[:SHOWN_SOURCES])
    described = await library.documents(list(wanted))
    chunks = [chunk for found in wanted.values() for chunk in found[:SHOWN_PASSAGES]]
    passages = await library.passages(chunks)
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
