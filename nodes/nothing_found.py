"""Say that no source speaks of the question, instead of a report that pretends."""

from typing import Any

from langchain_core.messages import AIMessage

from schema.state import ReportState


async def nothing_found(state: ReportState) -> dict[str, Any]:
    """End the run without a report, naming what was lost on the way."""
    lines = [
        f"Nothing was found about “{state['question']['text'][:300]}”: no report was written. "
        "Add sources that speak of it, or ask in other words."
    ]
    losses = [d for d in state["degraded"] if d["code"].startswith("connector")]
    lines += [f"- {loss['detail']}" for loss in losses]
    return {"messages": [AIMessage("\n".join(lines))], "report": None}
