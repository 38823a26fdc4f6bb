"""The way from checked citations back to the writers, which the graphs of reports share."""

from typing import Literal

from langgraph.types import Send

from schema.state import ReportState


def route_after_check_citations(state: ReportState) -> list[Send] | Literal["checked"]:
    """Back to its writer with each section that holds what is not supported; once."""
    return [Send("fix_citations", given) for given in state["repair_inputs"]] or "checked"
