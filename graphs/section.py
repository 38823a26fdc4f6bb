"""One section of a report: search what is missing, rank the pool, note what is too long, write."""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from graphs.deep_search import graph as deep_search
from graphs.subgraph import as_step
from nodes.section.add_sources import add_sources
from nodes.section.deep_search_failed import deep_search_failed
from nodes.section.rerank import rerank
from nodes.section.take_notes import take_notes
from nodes.section.write import write
from schema.context import Context
from schema.state import SectionInput, SectionOutput, SectionState


def route_after_start(state: SectionState) -> list[Send] | Literal["rerank"]:
    """One deep search for each question that the pool leaves open."""
    return [Send("deep_search", one) for one in state.get("follow_up_searches") or []] or "rerank"


builder = (
    StateGraph(
        SectionState,
        context_schema=Context,
        input_schema=SectionInput,
        output_schema=SectionOutput,
    )
    .add_node("deep_search", as_step(deep_search), error_handler=deep_search_failed)
    .add_node(add_sources)
    .add_sequence([rerank, take_notes, write])
    .add_conditional_edges(START, route_after_start, ["deep_search", "rerank"])
    .add_edge("deep_search", "add_sources")
    .add_edge("__error_handler__deep_search", "add_sources")  # where all of them failed
    .add_edge("add_sources", "rerank")
    .add_edge("write", END)
)

graph = builder.compile(name="section").with_config(recursion_limit=400)
