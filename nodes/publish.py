"""Hand the finished report over: as Markdown to the conversation, as an event to who streams."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from exports.markdown import report_markdown
from nodes.run import close_run, emit
from schema.context import Context
from schema.events import ReportReady
from schema.state import ReportState


async def publish(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Say the report."""
    report = state["report"]
    assert report is not None  # noqa: S101  (`cite` binds it)
    emit(
        runtime,
        ReportReady(
            type="report",
            title=report["title"],
            citations=len(report["citations"]),
            references=len(report["references"]),
        ),
    )
    await close_run(state, runtime)
    return {"messages": [AIMessage(report_markdown(report))]}
