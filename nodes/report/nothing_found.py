"""Say that no source speaks of the question, instead of a report that pretends."""

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from nodes.common.run import close_run
from schema.context import Context
from schema.error_text import join_sentences
from schema.state import ReportState, ReportUpdate


async def nothing_found(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """End the run without a report, in one sentence that says why or what to do."""
    question = state["question"]["text"][:300]
    failures = [d["detail"] for d in state["degraded"] if d["code"].startswith("connector")]
    reasons = join_sentences(failure.rpartition("”: ")[2] for failure in failures)
    why = reasons or "add sources that speak of it, or ask in other words"
    text = f"Nothing was found about “{question}”, so no report was written: {why}."
    await close_run(state, runtime)
    return {"messages": [AIMessage(text)], "report": None}
