"""One section of a report: rank the pool for it, then write it."""

from langgraph.graph import END, START, StateGraph

from nodes.rerank import rerank
from nodes.write import write
from schema.context import Context
from schema.state import SectionInput, SectionOutput, SectionState

builder = (
    StateGraph(
        SectionState,
        context_schema=Context,
        input_schema=SectionInput,
        output_schema=SectionOutput,
    )
    .add_node("rerank", rerank)
    .add_node("write", write)
    .add_edge(START, "rerank")
    .add_edge("rerank", "write")
    .add_edge("write", END)
)

graph = builder.compile(name="section")
