"""What becomes of a section that could not be written: a gap that is named, not the run's end."""

from typing import Any

from langgraph.errors import NodeError

from nodes.run import degraded
from schema.errors import QuireError, calls_of
from schema.report import Section
from schema.state import SectionState


async def section_failed(state: SectionState, error: NodeError) -> dict[str, Any]:
    """Record the failure in place of the section; its siblings go on."""
    cause = error.error
    reason = str(cause) if isinstance(cause, QuireError) else type(cause).__name__
    title = state["title"]
    detail = f"The section “{title}” could not be written: {reason}"
    section = Section(
        index=state.get("index", 0), title=title, text="", sources=[], passages=[], error=reason
    )
    failed = degraded("section_failed", detail)
    return {"sections": [section], "calls": calls_of(cause), "degraded": [failed]}
