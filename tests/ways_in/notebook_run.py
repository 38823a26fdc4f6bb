"""A graph run in every way that a notebook has, the first of them in a process that is cold.

    python notebook_run.py '{"graph": ..., "inputs": [...], "contexts": [...], "together": ...}'

Prints JSON: for each context the final state of each way, and what was loaded on the event loop
that should not be. A call that blocks the loop fails the run, as in `langgraph dev`.
`together` has all stream modes asked for in one run, not in one each. Runs take the inputs in turn.
"""

import asyncio
import json
import sys
from collections import Counter
from importlib import import_module
from itertools import cycle
from typing import Any

from langgraph_runtime_inmem.queue import _enable_blockbuster

MODES = ("values", "updates", "messages", "custom", "debug", "checkpoints", "tasks")
HEAVY = ("fasttext", "fasttext_pybind")
"""What has to be loaded in a thread."""

_loaded: list[str] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "import" and arguments[0] in HEAVY and asyncio._get_running_loop() is not None:
        _loaded.append(arguments[0])


async def _run(module: Any, asked: dict[str, Any]) -> list[dict[str, Any]]:
    return [await _run_in(module, asked, context) for context in asked["contexts"]]


async def _run_in(module: Any, asked: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    from langgraph.checkpoint.memory import InMemorySaver

    from schema.context import Context

    inputs, context = cycle(asked["inputs"]), Context(**given)
    states = {"ainvoke": await module.graph.ainvoke(next(inputs), context=context)}
    kept = module.builder.compile(checkpointer=InMemorySaver())
    kinds: Counter[str] = Counter()
    for modes in [list(MODES)] if asked["together"] else [[mode] for mode in MODES]:
        way = "+".join(modes)
        config = {"configurable": {"thread_id": way}}
        options = {"stream_mode": modes, "subgraphs": True, "version": "v2"}
        async for part in kept.astream(next(inputs), config, context=context, **options):
            kinds[part["type"]] += 1
        states[way] = (await kept.aget_state(config)).values
    config = {"configurable": {"thread_id": "events"}}
    async for event in kept.astream_events(next(inputs), config, context=context, version="v2"):
        kinds[event["event"]] += 1
    states["events"] = (await kept.aget_state(config)).values
    return {"states": states, "kinds": kinds}


if __name__ == "__main__":
    sys.addaudithook(_watch)
    given = json.loads(sys.argv[1])
    imported = import_module(f"graphs.{given['graph']}")  # a cell of its own, which may block
    _enable_blockbuster()
    runs = asyncio.run(_run(imported, given))
    json.dump({"runs": runs, "loaded_on_loop": _loaded}, sys.stdout, default=str)
