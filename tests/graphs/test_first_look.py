"""The first look: the sources are asked while the question is being understood, and none twice."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.sites.little_web import LittleWeb
from fakes.writer import Writer
from graph_runs import asked, run_report, searching, speaking
from langchain_core.messages import AIMessage, HumanMessage
from starlette.requests import Request
from starlette.responses import Response

from graphs.report import graph
from schema.context import Context

QUESTION = "What does Brask Robotics build?"
MORE = "sorting machines of Brask Robotics"
PAGES = {
    "/brask": (
        "Brask Robotics",
        ["Brask Robotics builds machines that sort glass, and sells its machines in the north."],
    ),
}
SECONDS = 20.0  # that a test waits for what must come


def understood(text: str, *queries: str) -> Callable[[ChatRequest], str]:
    """A planner that understands a question so."""
    listed = [{"query": query, "type": "resource", "priority": 1} for query in queries]
    return lambda _: json.dumps({"question": text, "language": "en", "queries": listed})


class WaitingWeb(LittleWeb):
    """Tells of its first search, and answers none before `answering` is set."""

    def __init__(self) -> None:
        super().__init__(PAGES)
        self.asked = threading.Event()
        self.answering = threading.Event()

    async def _search(self, request: Request) -> Response:
        self.asked.set()
        await asyncio.to_thread(self.answering.wait, SECONDS)
        return await super()._search(request)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[WaitingWeb]:
    """A search engine that waits to be told to answer."""
    with WaitingWeb() as web:
        monkeypatch.setenv("QUIRE_SEARXNG_BASE_URL", web.url)
        monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
        yield web
        web.answering.set()


async def test_sources_are_asked_before_the_planner_has_answered(
    space: str, waiting: WaitingWeb
) -> None:
    came: list[bool] = []

    def plan(request: ChatRequest) -> str:
        came.append(waiting.asked.wait(SECONDS))
        waiting.answering.set()
        return understood(QUESTION, MORE)(request)

    with speaking(Writer({"reformulate": plan})):
        state = await run_report(space, QUESTION, connectors=["searxng"])
    assert came == [True]
    assert sorted(waiting.searches[:2]) == sorted([QUESTION, MORE])
    assert state["report"]


async def test_a_provider_is_asked_once_what_the_planner_only_repeats(space: str) -> None:
    with searching(PAGES) as web:
        planner = understood("what does Brask Robotics build", MORE, QUESTION)
        with speaking(Writer({"reformulate": planner})):
            state = await run_report(space, QUESTION, connectors=["searxng"])
    assert sorted(web.searches[:2]) == sorted([QUESTION, MORE])
    assert len(web.searches) == len(set(map(str.casefold, web.searches)))
    assert state["spent"]["searches"] == len(web.searches)


@pytest.mark.parametrize(
    "messages",
    [
        [HumanMessage("Thank you!")],
        [HumanMessage(QUESTION), AIMessage("Machines."), HumanMessage("I see, that is enough.")],
    ],
)
async def test_what_may_need_no_research_is_sent_to_no_provider(
    space: str, messages: list[Any]
) -> None:
    with searching(PAGES) as web, speaking(Writer({"reformulate": understood("Thanks")})):
        context = Context(space=space, connectors=["searxng"])
        state = await graph.ainvoke({"messages": messages}, context=context)
    assert state["messages"][-1].text == "Hello! Ask me something."
    assert web.searches == []


async def test_a_reply_waits_for_no_search(space: str, waiting: WaitingWeb) -> None:
    def plan(request: ChatRequest) -> str:
        assert waiting.asked.wait(SECONDS)
        return understood("A poem")(request)

    with speaking(Writer({"reformulate": plan})):
        context = Context(space=space, connectors=["searxng"], search_seconds=2 * SECONDS)
        state = await graph.ainvoke(asked("Write a poem of spring"), context=context)
    assert state["messages"][-1].text == "Hello! Ask me something."
    assert waiting.searches == []  # it had answered none
