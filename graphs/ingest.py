"""Sources into the library: check, read what changed, embed it."""

from langgraph.graph import END, START, StateGraph

from nodes.embed import embed
from nodes.index import index
from nodes.scan import scan
from schema.context import Context
from schema.state import IngestInput, IngestState

builder = (
    StateGraph(IngestState, context_schema=Context, input_schema=IngestInput)
    .add_node("scan", scan)
    .add_node("index", index)
    .add_node("embed", embed)
    .add_edge(START, "scan")
    .add_edge("scan", "index")
    .add_edge("index", "embed")
    .add_edge("embed", END)
)

graph = builder.compile(name="ingest").with_config(recursion_limit=20)
