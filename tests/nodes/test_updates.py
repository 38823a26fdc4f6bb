"""What a node changes, by its type, which mypy checks: its keys are channels of its graph."""

from importlib import import_module
from typing import Any, get_type_hints

import pytest

GRAPHS = ("report", "section", "revise_section", "deep_search", "ingest")
STEPS = [
    pytest.param(graph, node.runnable.afunc, id=f"{name}-{step}")
    for name in GRAPHS
    for graph in [import_module(f"graphs.{name}").graph.builder]
    for step, node in graph.nodes.items()
]


@pytest.mark.parametrize(("graph", "step"), STEPS)
def test_a_step_updates_only_channels_of_its_graph(graph: Any, step: Any) -> None:
    if (
        step.__module__ == "graphs.subgraph"
    ):  # LangGraph keeps to the output schema of the inner one
        return
    update = get_type_hints(step)["return"]
    assert set(get_type_hints(update)) <= set(graph.channels)
