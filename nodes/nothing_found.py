"""Say that no source speaks of the question, instead of a report that pretends."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from nodes.run import close_run
from schema.context import Context
from schema.faults import joined
from schema.state import ReportState


async def nothing_found(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """End the run without a report, in one sentence that says why or what to do."""
    question = state["question"]["text"][:300]
    losses = [d["detail"] for d in state["degraded"] if d["code"].startswith("connector")]
    reasons = joined(loss.rpartition("”: ")[2] for loss in losses)
    why = reasons or "add sources that speak of it, or ask in other words"
    text = f"Nothing was found about “{question}”, so no report was written: {why}."
    await close_run(state, runtime)
    return {"messages": [AIMessage(text)], "report": None}
