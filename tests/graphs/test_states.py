"""A key that two states share means one thing: LangGraph hands values over by name alone."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NotRequired, Required, get_origin, get_type_hints

import pytest
from langgraph.graph.state import CompiledStateGraph

from schema.context import Context

HANDED = {
    "answer": {"answer", "spent", "calls", "degraded"},
    "revise": {"report", "spent", "calls", "degraded"},
}
"""Graphs whose input is sent to them, and what they hand over, by the node that runs them."""

GRAPHS = ("report", "section", "revise_section", "deep_search", "ingest")


def graph_of(name: str) -> Any:
    return import_module(f"graphs.{name}").graph


def with_inner(
    name: str,
) -> Iterator[tuple[CompiledStateGraph[Any, Any, Any, Any], set[str] | None]]:
    """A graph, and those that run in it; of these the keys that meet, None for all."""
    yield graph_of(name), None
    for node, inner in graph_of(name).get_subgraphs():
        assert isinstance(inner, CompiledStateGraph)
        yield inner, HANDED.get(node)


def declared(schema: type) -> dict[str, Any]:
    """Type and reducer of each key; whether it has to be there is another matter."""
    hints = get_type_hints(schema, include_extras=True)
    return {
        key: hint.__args__[0] if get_origin(hint) in (NotRequired, Required) else hint
        for key, hint in hints.items()
    }


@pytest.mark.parametrize("name", GRAPHS)
def test_a_key_has_one_type_and_one_reducer_in_all_states_that_meet(name: str) -> None:
    told: dict[str, dict[str, Any]] = {}
    for graph, handed in with_inner(name):
        for schema in graph.builder.schemas:
            for key, hint in declared(schema).items():
                if handed is None or key in handed:
                    told.setdefault(key, {})[f"{graph.name}: {schema.__name__}"] = hint
    unlike = {key: by for key, by in told.items() if len({str(hint) for hint in by.values()}) > 1}
    assert not unlike


@pytest.mark.parametrize(
    ("name", "inner"),
    [
        ("report", ["answer", "revise", "section"]),
        ("revise_section", ["rewrite"]),
        ("section", ["deep_search"]),
    ],
)
def test_graphs_inside_a_graph_are_found(name: str, inner: list[str]) -> None:
    assert [found for found, _ in graph_of(name).get_subgraphs()] == inner


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["general", "deep"])
async def test_a_run_streamed_as_events_ends_as_any_other(samples: str, mode: Any) -> None:
    context = Context(research_mode=mode, space=samples, remember=False)
    asked = {"messages": [("user", "How do BM25 and dense vectors work together?")]}
    state: dict[str, Any] = {}
    handed: list[set[str]] = []
    async for event in graph_of("report").astream_events(asked, version="v2", context=context):
        if event["event"] == "on_chain_end" and event["name"] == "section":
            handed.append(set(event["data"]["output"]))
        if event["event"] == "on_chain_end" and not event["parent_ids"]:
            state = event["data"]["output"]
    assert handed
    assert set.union(*handed) == {"sections", "spent", "calls", "degraded"}
    plain = await graph_of("report").ainvoke(asked, context=context)
    assert len(state["sections"]) == context.sections
    assert [s["text"] for s in state["report"]["sections"]] == [
        s["text"] for s in plain["report"]["sections"]
    ]
    assert state["pool"] == plain["pool"]
