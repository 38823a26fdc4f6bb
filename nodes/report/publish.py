"""Hand the finished report over: as Markdown to the conversation, as an event to who streams."""

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from exports.markdown import render_markdown
from nodes.common.run import close_run, emit, get_report
from schema.context import Context
from schema.events import ReportReady
from schema.state import ReportState, ReportUpdate


async def publish(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Say the report."""
    report = get_report(state)
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
    return {"messages": [AIMessage(render_markdown(report))]}
