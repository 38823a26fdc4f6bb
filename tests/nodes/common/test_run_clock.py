"""A run's time: it begins when the run is first seen, and not while its reader thinks."""

from typing import Any
from uuid import uuid4

import pytest
from graph_runs import QUESTION, asked
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.runtime import Runtime
from langgraph.types import Command

from graphs.report import builder
from nodes.common import run as clock
from schema.context import Context


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The monotonic clock, which stands until it is moved."""
    moment = [1000.0]
    monkeypatch.setattr(clock.time, "monotonic", lambda: moment[0])
    return moment


def test_a_run_ends_run_seconds_after_it_was_first_seen(now: list[float]) -> None:
    state = {"run": uuid4().hex}
    runtime = Runtime(context=Context(run_seconds=60))
    assert clock.get_deadline(state, runtime) == 1060
    now[0] += 30
    assert clock.get_deadline(state, runtime) == 1060
    clock.restart_clock(state)
    assert clock.get_deadline(state, runtime) == 1090


async def test_the_time_before_an_outline_is_approved_does_not_count(space: str) -> None:
    graph = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "one"}}
    context = Context(space=space, approve_outline=True, run_seconds=600)
    await graph.ainvoke(asked(QUESTION), config, context=context)
    run = (await graph.aget_state(config)).values["run"]
    begun = clock._run_starts[run] = clock._run_starts[run] - 10_000
    await graph.ainvoke(Command(resume="accept"), config, context=context)
    assert clock._run_starts.get(run, 0) > begun or run not in clock._run_starts
