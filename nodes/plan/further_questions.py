"""What the reader could ask next; made while the sections are written."""

from langgraph.runtime import Runtime

from models.structured import ask_structured
from nodes.common.run import get_context, get_library, make_degradation, make_role
from prompts.further_questions import FurtherQuestionsPrompt
from prompts.template import SourceText
from schema.context import Context
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.report import FurtherQuestions
from schema.state import ReportState, ReportUpdate

SHOWN_SOURCES = 12
SHOWN_CHARACTERS = 200


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


async def _load_sources(state: ReportState, runtime: Runtime[Context]) -> list[SourceText]:
    """Each source with its best few passages' headings and beginnings."""
    by_number: dict[int, list[int]] = {}
    for entry in state["pool"]:
        by_number.setdefault(entry["number"], []).append(entry["chunk"])
    titles = {source["number"]: source["title"] for source in state["sources"]}
    wanted = {n: chunks[:4] for n, chunks in list(by_number.items())[:SHOWN_SOURCES]}
    library = await get_library(runtime)
    passages = await library.load_passages(
        [chunk for chunks in wanted.values() for chunk in chunks]
    )
    return [
        SourceText(
            number=number,
            title=titles[number],
            passages=tuple(passages[c].text[:SHOWN_CHARACTERS] for c in chunks if c in passages),
            headings=tuple(passages[c].heading for c in chunks if c in passages),
        )
        for number, chunks in wanted.items()
    ]
