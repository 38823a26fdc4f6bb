"""The record of a run: what was answered is not asked again, by whoever goes on with it."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library.journal import Journal


class Oracle:
    """Answers, and counts how often it was asked."""

    def __init__(self, answer: Any = "forty-two", *, slow: bool = False) -> None:
        self.asked = 0
        self.answer = answer
        self.stopped = False
        self.go_on = asyncio.Event()
        if not slow:
            self.go_on.set()

    async def __call__(self) -> Any:
        self.asked += 1
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        return self.answer


@pytest.fixture
def run() -> str:
    return uuid4().hex


async def test_a_run_that_is_gone_on_with_asks_nothing_twice(run: str) -> None:
    oracle = Oracle()
    assert await Journal("ann", run).once("What?", oracle) == "forty-two"
    assert await Journal("ann", run).once("What?", oracle) == "forty-two"
    assert oracle.asked == 1


async def test_other_questions_runs_and_users_have_answers_of_their_own(run: str) -> None:
    oracle = Oracle()
    await Journal("ann", run).once("What?", oracle)
    await Journal("ann", run).once("Why?", oracle)
    await Journal("ann", uuid4().hex).once("What?", oracle)
    await Journal("bob", run).once("What?", oracle)
    assert oracle.asked == 4


async def test_two_that_ask_the_same_at_once_ask_once(run: str) -> None:
    oracle = Oracle(slow=True)
    both = [asyncio.create_task(Journal("ann", run).once("What?", oracle)) for _ in range(2)]
    await asyncio.sleep(0.05)
    oracle.go_on.set()
    assert await asyncio.gather(*both) == ["forty-two", "forty-two"]
    assert oracle.asked == 1


async def test_who_stops_waiting_stops_the_asking_unless_another_waits(run: str) -> None:
    oracle = Oracle(slow=True)
    first, second = (
        asyncio.create_task(Journal("ann", run).once("What?", oracle)) for _ in range(2)
    )
    while not oracle.asked:
        await asyncio.sleep(0.01)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert not oracle.stopped
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert oracle.stopped
    oracle.go_on.set()
    assert await Journal("ann", run).once("What?", oracle) == "forty-two"


async def test_a_failure_is_not_recorded(run: str) -> None:
    async def fail() -> None:
        raise RuntimeError("no answer")

    with pytest.raises(RuntimeError, match="no answer"):
        await Journal("ann", run).once("What?", fail)
    assert await Journal("ann", run).once("What?", Oracle()) == "forty-two"


async def test_a_run_that_ended_is_forgotten(run: str) -> None:
    oracle = Oracle()
    await Journal("ann", run).once("What?", oracle)
    await Journal("bob", run).close()
    await Journal("ann", run).once("What?", oracle)
    assert oracle.asked == 1
    await Journal("ann", run).close()
    await Journal("ann", run).once("What?", oracle)
    assert oracle.asked == 2


TEXTS = st.text(st.characters(exclude_categories=[]))  # NUL and half pairs among them


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answer=st.recursive(TEXTS | st.integers() | st.none(), st.lists, max_leaves=5), asked=TEXTS)
async def test_an_answer_comes_back_as_it_was(answer: Any, asked: str) -> None:
    run = uuid4().hex
    for _ in range(2):
        assert await Journal("ann", run).once(asked, Oracle(answer)) == answer
