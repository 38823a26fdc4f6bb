"""Small programs that a row runs in a process of their own, where the command line has no way.

python programs.py begin QUESTION CONTEXT           prints the id of a report that is begun
python programs.py streamed QUESTION CONTEXT FILE   streams the graph's every mode, as a server
python programs.py graph NAME INPUT CONTEXT         runs a graph
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


async def begin(question: str, context: str) -> None:
    """Begin a report, to be gone on with by `quire report --resume`."""
    from schema.context import Context
    from serving.reports import begin_report

    print((await begin_report(question, Context(**json.loads(context)))).id)


async def streamed(question: str, context: str, target: str) -> None:
    """Run the report graph as a server does whose client streams."""
    from langchain_core.messages import HumanMessage

    from graphs.report import graph
    from schema.context import Context

    state: Any = None
    options: Any = {"stream_mode": ["messages", "custom", "updates", "values"]}
    async for part in graph.astream(
        {"messages": [HumanMessage(question)]},
        context=Context(**json.loads(context)),
        subgraphs=True,
        version="v2",
        **options,
    ):
        if part["type"] == "values" and not part["ns"]:
            state = part["data"]
    with open(target, "w") as file:  # noqa: ASYNC230, PTH123  (nothing else runs)
        json.dump(state["report"], file)


async def graph(name: str, given: str, context: str) -> None:
    """Run a graph with an input and a context of JSON, as a notebook does."""
    import importlib

    made = importlib.import_module(f"graphs.{name}").graph
    await made.ainvoke(json.loads(given), context=json.loads(context))


PROGRAMS: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
    "begin": begin,
    "streamed": streamed,
    "graph": graph,
}


async def _main() -> None:
    from library.database.connections import close_databases

    try:
        await PROGRAMS[sys.argv[1]](*sys.argv[2:])
    finally:
        await close_databases()


if __name__ == "__main__":
    from schema.errors import QuireError

    try:
        asyncio.run(_main())
    except QuireError as error:
        print(f"quire: {error}", file=sys.stderr)
        sys.exit(1)
