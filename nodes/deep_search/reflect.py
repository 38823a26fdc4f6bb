"""Reflect: questions that have to be answered first join the queue."""

from langgraph.runtime import Runtime

from models.embeddings import get_embedder
from nodes.common.query_novelty import find_new
from nodes.deep_search.evidence import StepCost, get_current_question, record_step
from nodes.deep_search.task_queue import MAX_OPEN_QUESTIONS, advance_queue
from schema.context import Context
from schema.deep_search import DeepSearchState, DeepSearchUpdate


async def reflect(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Take the questions that nobody asked before, as many as the queue has room for."""
    bill, asked = StepCost(), state["asked"]
    questions = state["choice"]["questions"]
    room = MAX_OPEN_QUESTIONS - len(state["task_queue"]["questions"])
    raised = [questions[place] for place in await find_new(questions, asked, get_embedder())][:room]
    outcome = (
        f"Before “{get_current_question(state)}” can be answered I need to know: {' '.join(raised)}"
        if raised
        else f"Thinking about “{get_current_question(state)}” raised no question that is new."
    )
    return {
        **record_step(runtime, state, bill, "reflect", outcome),
        "task_queue": advance_queue(
            state["task_queue"], "reflect", gained=bool(raised), raised=raised
        ),
        "asked": [*asked, *raised],
    }
