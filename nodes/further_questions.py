"""What the reader could ask next; made while the sections are written."""

from typing import Any

from langgraph.runtime import Runtime

from models.structured import ask_structured
from nodes.run import context_of, degraded, library_of, role_of
from prompts.further_questions import FURTHER_QUESTIONS
from prompts.template import SourceText, fence, items, sources
from schema.context import Context
from schema.errors import ModelOutputError, ModelUnavailableError, calls_of
from schema.report import FurtherQuestions
from schema.state import ReportState

SHOWN_SOURCES = 12
SHOWN_CHARACTERS = 200


async def further_questions(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Ask for three to five; a report without them is still a report."""
    role = role_of(state, runtime, "planner", context_of(runtime).planner_model)
    covered = [
        text
        for section in state["outline"]["sections"]
        for text in (section["title"], *section["questions"])
    ]
    messages = FURTHER_QUESTIONS.render(
        language=state["question"]["language"],
        question=fence(state["question"]["text"]),
        covered=items(covered),
        sources=sources(await _shown(state, runtime)),
    )
    try:
        found, calls = await ask_structured(
            role, FURTHER_QUESTIONS.name, messages, FurtherQuestions
        )
    except (ModelOutputError, ModelUnavailableError) as error:
        return {"calls": calls_of(error), "degraded": [degraded("no_further_questions", error)]}
    return {"further_questions": found.questions, "calls": calls}


async def _shown(state: ReportState, runtime: Runtime[Context]) -> list[SourceText]:
    """Each source with its best few passages' headings and beginnings."""
    by_number: dict[int, list[int]] = {}
    for entry in state["pool"]:
        by_number.setdefault(entry["number"], []).append(entry["chunk"])
    titles = {source["number"]: source["title"] for source in state["sources"]}
    wanted = {n: chunks[:4] for n, chunks in list(by_number.items())[:SHOWN_SOURCES]}
    library = await library_of(runtime)
    passages = await library.passages([chunk for chunks in wanted.values() for chunk in chunks])
    return [
        SourceText(
            number=number,
            title=titles[number],
            passages=tuple(passages[c].text[:SHOWN_CHARACTERS] for c in chunks if c in passages),
            headings=tuple(passages[c].heading for c in chunks if c in passages),
        )
        for number, chunks in wanted.items()
    ]
