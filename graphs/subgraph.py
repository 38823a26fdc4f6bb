"""A graph as a step of another graph."""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph


def as_step(
    graph: CompiledStateGraph[Any, Any, Any, Any], *channels: str
) -> Callable[..., Awaitable[Any]]:
    """A node that runs `graph` and hands over what its output schema names, or these `channels`.

    Where a run is streamed as events, LangGraph writes all of the state of a graph that is a node
    itself into the channels of the same names.
    """

    async def run(state: Any, config: RunnableConfig) -> Any:
        output = await graph.ainvoke(state, config)
        return {name: output[name] for name in channels} if channels else output

    return run
