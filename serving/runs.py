"""Running the graphs outside a server."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from graphs.deep_search import graph as deep_search_graph
from graphs.ingest import graph as ingest_graph
from graphs.report import graph as report_graph
from schema.access import Member
from schema.context import Context
from schema.deep_search import DeepAnswer, DeepSearchInput
from schema.events import Event
from schema.state import IngestState, ReportState

OnEvent = Callable[[Event], None]


def name_member(member: Member | None) -> dict[str, Any]:
    """What tells a run who asked for it, as a LangGraph server does; nothing where nobody signs in.

    A run that knows it is held to what a server's clients may read, as well.
    """
    return {"langgraph_auth_user": member} if member else {}


async def run_report(question: str, context: Context, on_event: OnEvent) -> ReportState:
    """Write a report; every event of the run, sections included, reaches `on_event`.

    Returns:
        The final state. `report` is None where nothing was found or nothing was asked; the last
        message then says why.
    """
    asked = {"messages": [{"role": "user", "content": question}]}
    return cast("ReportState", await run_graph(report_graph, asked, on_event, context=context))


async def run_deep_search(
    question: str,
    context: Context,
    on_event: OnEvent,
    member: Member | None = None,
    thread: str = "",
    *,
    report_id: str = "",
    may_search: bool = True,
) -> DeepAnswer:
    """Answer one question; every event of the search reaches `on_event`.

    Args:
        question: what is asked.
        context: settings of the run.
        on_event: progress.
        member: who asks.
        thread: under which it is noted what the run was shown; not at all where empty.
        report_id: of a saved report whose sources are asked first.
        may_search: whether others may be asked then.
    """
    given: DeepSearchInput = {
        "question": question,
        "report_id": report_id,
        "may_search": may_search,
    }
    config = {"configurable": {**name_member(member), **({"thread_id": thread} if thread else {})}}
    state = await run_graph(deep_search_graph, given, on_event, context=context, config=config)
    return cast("DeepAnswer", state["answer"])


async def run_ingest(
    sources: Sequence[str],
    context: Context,
    on_event: OnEvent,
    *,
    full: bool = False,
    member: Member | None = None,
) -> IngestState:
    """Bring sources into the library; see `schema.state.IngestInput`."""
    given = {"sources": list(sources), "full": full}
    config = {"configurable": name_member(member)}
    state = await run_graph(ingest_graph, given, on_event, context=context, config=config)
    return cast("IngestState", state)


async def run_graph(graph: Any, given: Any, on_event: OnEvent, **options: Any) -> Any:
    """Run a graph; its events reach `on_event`.

    Args:
        graph: a compiled graph.
        given: its input; None goes on with what its thread has begun.
        on_event: progress.
        options: of the graph's `astream`.

    Returns:
        The final state.
    """
    state: Any = None
    async for part in graph.astream(
        given, stream_mode=["custom", "values"], subgraphs=True, version="v2", **options
    ):
        if part["type"] == "custom":
            on_event(part["data"])
        elif not part["ns"]:
            state = part["data"]
    return state
