"""Reflect: questions that have to be answered first join the queue."""

from typing import Any

from langgraph.runtime import Runtime

from models.embeddings import embedder
from nodes.deep_search.desk import Bill, at_hand, told
from nodes.deep_search.novelty import novel
from retrieval.agenda import MOST_OPEN, after
from schema.context import Context
from schema.deep_search import DeepSearchState


async def reflect(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Take the questions that nobody asked before, as many as the queue has room for."""
    bill, asked = Bill(), state["asked"]
    questions = state["choice"]["questions"]
    room = MOST_OPEN - len(state["agenda"]["queue"])
    raised = [questions[place] for place in await novel(questions, asked, embedder())][:room]
    said = (
        f"Before “{at_hand(state)}” can be answered I need to know: {' '.join(raised)}"
        if raised
        else f"Thinking about “{at_hand(state)}” raised no question that is new."
    )
    return {
        **told(runtime, state, bill, "reflect", said),
        "agenda": after(state["agenda"], "reflect", gained=bool(raised), raised=raised),
        "asked": [*asked, *raised],
    }
