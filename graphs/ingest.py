"""Sources into the library: check, read what changed, embed it."""

from langgraph.graph import END, START, StateGraph

from nodes.ingest.check_sources import check_sources
from nodes.ingest.embed import embed
from nodes.ingest.sync import sync
from schema.context import Context
from schema.state import IngestInput, IngestState

builder = (
    StateGraph(IngestState, context_schema=Context, input_schema=IngestInput)
    .add_sequence([check_sources, sync, embed])
    .add_edge(START, "check_sources")
    .add_edge("embed", END)
)

graph = builder.compile(name="ingest").with_config(recursion_limit=20)
