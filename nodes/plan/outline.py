"""Plan the report by what the first look found."""

import asyncio
from datetime import UTC, datetime

from langgraph.runtime import Runtime

from library.memory import recall
from models.calls import Role
from models.extractive.chat_model import EXTRACTIVE
from models.structured import ask_structured
from nodes.common.brief_sources import load_brief_sources
from nodes.common.ceiling import fit_section_limits
from nodes.common.outlines import find_miscount, fit_outline, is_brief
from nodes.common.run import (
    emit,
    get_context,
    get_library,
    make_degradation,
    make_role,
)
from prompts.outline import OutlinePrompt
from retrieval.passages.pool import deduplicate_questions
from schema.context import Context
from schema.documents import Hit
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.events import OutlineReady
from schema.plan import Outline
from schema.report import Degradation, ModelCall
from schema.search import Part
from schema.state import Question, ReportState, ReportUpdate

MORE = 4 / 3
"""Times the usual words that a report may have where what an expert expects of it needs them."""

SHOWN_SOURCES = 12
SHOWN_PASSAGES = 6  # of a source
SHOWN_CHARACTERS = 200  # of a passage
REMEMBERED_CHARACTERS = 600  # of an earlier report
TEMPLATE_CHARACTERS = 3_000


async def outline(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Choose the shape and the sections, within the limits of the research mode.

    A planner that cannot (no usable answer in two tries, or no answer) is stood in for by the
    extractive model, and a code says so. The questions for a next report come with the plan; one
    that names none makes a report without them.
    """
    context, question = get_context(runtime), state["question"]
    library = await get_library(runtime)
    shown = _select_shown([Hit(**hit) for hit in state["preview_hits"]])
    sources, memory, templates = await asyncio.gather(
        load_brief_sources(library, shown, question["text"], SHOWN_CHARACTERS),
        recall(library, "memory", _select_queries(question, "memory"), REMEMBERED_CHARACTERS),
        recall(library, "skill", _select_queries(question, "skill"), TEMPLATE_CHARACTERS),
    )
    fewest, most = fit_section_limits(context)
    prompt = OutlinePrompt(
        language=question["language"],
        question=question["text"],
        points=question.get("points", []),
        sections=min(context.sections, most),
        fewest=fewest,
        most=most,
        words=context.words_in_all,
        most_words=context.words or round(MORE * context.words_in_all),
        shape=context.shape or "",
        style=context.style,
        audience=context.audience,
        date=datetime.now(UTC).date().isoformat(),
        memory=memory,
        templates=templates,
        sources=sources,
    )
    made, calls, problems = await _plan(state, runtime, prompt)
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
        "further_questions": made.further,
        "outlined": [chunk for chunks in shown.values() for chunk in chunks],
        "calls": calls,
        "degraded": problems,
    }


async def _plan(
    state: ReportState, runtime: Runtime[Context], prompt: OutlinePrompt
) -> tuple[Outline, list[ModelCall], list[Degradation]]:
    """The planner's outline, else the extractive model's, as the run's context wants it."""
    context = get_context(runtime)
    role = make_role(state, runtime, "planner", context.planner_model)
    try:
        made, calls = await ask_structured(
            role, prompt, Outline, check=lambda one: find_miscount(one.sections, context)
        )
        problems = [_describe_brief()] if is_brief(made.sections, context) else []
    except (ModelOutputError, ModelUnavailableError) as error:
        made, more = await ask_structured(Role("planner", EXTRACTIVE), prompt, Outline)
        calls = [*get_error_calls(error), *more]
        problems = [make_degradation("outline_without_model", error)]
    return fit_outline(made, context), calls, problems


def _describe_brief() -> Degradation:
    return make_degradation(
        "answered_briefly",
        "The question asks for one fact, so the report is one short section: --words or --shape "
        "(`words`, `shape`) has it written at length.",
    )


def _select_queries(question: Question, part: Part) -> list[str]:
    """The question itself, and the queries that are meant for a part of the library."""
    queries = [query["query"] for query in question["queries"] if query["type"] == part]
    return deduplicate_questions([question["text"], *queries])


def _select_shown(hits: list[Hit]) -> dict[int, list[int]]:
    """The best chunks of the best documents, which are numbered from 1."""
    by_document: dict[int, list[int]] = {}
    for hit in hits:
        by_document.setdefault(hit.document, []).append(hit.chunk)
    best = list(by_document.values())[:SHOWN_SOURCES]
    return {number: chunks[:SHOWN_PASSAGES] for number, chunks in enumerate(best, start=1)}
