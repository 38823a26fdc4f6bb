"""What becomes of a section that could not be written: a gap that is named, not the run's end."""

from langgraph.errors import NodeError

from nodes.common.run import make_degradation
from schema.errors import QuireError, get_error_calls
from schema.report import Section
from schema.state import ReportUpdate, SectionState


async def section_failed(state: SectionState, error: NodeError) -> ReportUpdate:
    """Record the failure in place of the section; its siblings go on."""
    cause = error.error
    reason = str(cause) if isinstance(cause, QuireError) else type(cause).__name__
    title = state["title"]
    detail = f"The section “{title}” could not be written: {reason}"
    section = Section(
        index=state.get("index", 0), title=title, text="", sources=[], passages=[], error=reason
    )
    failed = make_degradation("section_failed", detail)
    return {"sections": [section], "calls": get_error_calls(cause), "degraded": [failed]}
