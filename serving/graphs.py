"""The graphs as a LangGraph server runs them; `langgraph.json` names them.

A server leaves unknown settings out of a run's context without a word, but only after it has asked
for the graph: here they are refused. Notebooks take the graphs themselves, which refuse them too.
"""

from collections.abc import Callable, Mapping
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph_sdk.runtime import ServerRuntime

from graphs.deep_search import graph as deep_search_graph
from graphs.ingest import graph as ingest_graph
from graphs.report import graph as report_graph
from graphs.revise_section import graph as revise_section_graph
from graphs.section import graph as section_graph
from graphs.watch_report import graph as watch_report_graph
from schema.context import Context
from schema.settings import get_settings
from schema.turns import share_turns
from serving.telemetry import start_traces
from team.turns import SharedTurns

Graph = CompiledStateGraph[Any, Any, Any, Any]

SERVER_PREFIXES = (
    "__", "assistant_id", "checkpoint_", "cron_id", "graph_id", "langgraph_", "run_id", "thread_id",
    "user_id",
)  # fmt: skip
"""How names begin that LangGraph puts beside the settings, where a client gave `configurable`."""


def _make_factory(graph: Graph) -> Callable[[ServerRuntime[Any]], Graph]:
    """A graph as the server asks for it, before each run and each look at its state."""

    def serve(runtime: ServerRuntime[Any]) -> Graph:
        if running := runtime.execution_runtime:
            _check_settings(running.context or {})
        return graph

    return serve


def _check_settings(given: Mapping[str, Any]) -> None:
    Context(**{name: given[name] for name in given if not name.startswith(SERVER_PREFIXES)})


start_traces()
if get_settings().shared_turns:
    share_turns(SharedTurns())

report = _make_factory(report_graph)
section = _make_factory(section_graph)
revise_section = _make_factory(revise_section_graph)
watch_report = _make_factory(watch_report_graph)
deep_search = _make_factory(deep_search_graph)
ingest = _make_factory(ingest_graph)
