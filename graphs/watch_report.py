"""A saved report, brought up to date with its sources.

find_changes → prepare_rewrites → (fix_citations, a section each) → save_changes
"""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from nodes.report.fix_citations import fix_citations
from nodes.watch.find_changes import find_changes
from nodes.watch.prepare_rewrites import prepare_rewrites
from nodes.watch.save_changes import save_changes
from schema.context import Context
from schema.watch import WatchInput, WatchState


def route_after_prepare_rewrites(state: WatchState) -> list[Send] | Literal["save_changes"]:
    """To their writer with the sentences whose evidence changed."""
    return [Send("fix_citations", given) for given in state["repair_inputs"]] or "save_changes"


builder = (
    StateGraph(WatchState, context_schema=Context, input_schema=WatchInput)
    .add_sequence([find_changes, prepare_rewrites])
    .add_node(fix_citations)
    .add_node(save_changes)
    .add_edge(START, "find_changes")
    .add_conditional_edges(
        "prepare_rewrites", route_after_prepare_rewrites, ["fix_citations", "save_changes"]
    )
    .add_edge("fix_citations", "save_changes")
    .add_edge("save_changes", END)
)

graph = builder.compile(name="watch_report").with_config(recursion_limit=50)
