"""What the reader could ask next; made while the sections are written."""

from langgraph.runtime import Runtime

from models.structured import ask_structured
from nodes.common.brief_sources import load_brief_sources
from nodes.common.run import get_context, get_library, make_degradation, make_role
from prompts.further_questions import FurtherQuestionsPrompt, NamedSource
from schema.context import Context
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.plan import FurtherQuestions
from schema.state import ReportState, ReportUpdate

SHOWN_SOURCES = 12
SHOWN_PASSAGES = 6  # of a source, whose headings tell what it answers
SHOWN_CHARACTERS = 200  # of a passage


async def further_questions(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Ask for three to five; a report without them is still a report."""
    role = make_role(state, runtime, "planner", get_context(runtime).planner_model)
    covered = [
        text
        for section in state["outline"]["sections"]
        for text in (section["title"], *section["questions"])
    ]
    prompt = FurtherQuestionsPrompt(
        language=state["question"]["language"],
        question=state["question"]["text"],
        covered=covered,
        sources=await _load_sources(state, runtime),
    )
    try:
        found, calls = await ask_structured(role, prompt, FurtherQuestions)
    except (ModelOutputError, ModelUnavailableError) as error:
        return {
            "calls": get_error_calls(error),
            "degraded": [make_degradation("no_further_questions", error)],
        }
    return {"further_questions": found.questions, "calls": calls}


async def _load_sources(state: ReportState, runtime: Runtime[Context]) -> list[NamedSource]:
    """Each of the first sources with the beginnings of its best passages, to rank it by."""
    found: dict[int, list[int]] = {}
    for entry in state["pool"]:
        found.setdefault(entry["number"], []).append(entry["chunk"])
    best = {n: chunks[:SHOWN_PASSAGES] for n, chunks in list(found.items())[:SHOWN_SOURCES]}
    library = await get_library(runtime)
    asked = state["question"]["text"]
    sources = await load_brief_sources(library, best, asked, SHOWN_CHARACTERS)
    return [NamedSource(**vars(one)) for one in sources]
