"""What is said next on the thread of a report: answered, done to it, or a report of its own."""

from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, task_of
from graph_runs import QUESTION, asked, get_sections, speaking
from langgraph.checkpoint.memory import InMemorySaver

from graphs.report import builder
from library.library import open_library
from schema.context import Context
from schema.errors import InputError
from schema.state import ReportState

CONFIG: Any = {"configurable": {"thread_id": "1"}}


class Conversation:
    """A thread of the report graph."""

    def __init__(self, space: str, **settings: Any) -> None:
        self.graph = builder.compile(checkpointer=InMemorySaver())
        self.context = Context(space=space, research_mode="deep", **settings)

    async def say(self, message: str) -> ReportState:
        state: ReportState = await self.graph.ainvoke(asked(message), CONFIG, context=self.context)
        return state


def last_text(state: ReportState) -> str:
    return str(state["messages"][-1].text)


@pytest.mark.slow
async def test_a_question_is_answered_from_the_report_and_kept_with_it(samples: str) -> None:
    talk = Conversation(samples)
    report = (await talk.say(QUESTION))["report"]
    state = await talk.say("What is reciprocal rank fusion?")
    assert state["report"] is None
    answer = state["answer"]
    assert answer
    assert (answer["queries"], answer["pages_read"]) == ([], [])
    assert answer["citations"]
    assert last_text(state).startswith("*Taken as a question to the report. It is answered from ")
    assert answer["text"].split("[")[0].strip() in last_text(state)
    assert report
    kept = await (await open_library(samples)).list_answers(report["id"])
    assert [one.answer["text"] for one in kept] == [answer["text"]]


@pytest.mark.slow
async def test_an_edit_becomes_the_next_version_and_changes_nothing_else(samples: str) -> None:
    talk = Conversation(samples)
    first = (await talk.say(QUESTION))["report"]
    assert first
    state = await talk.say("Could you shorten section 2?")
    second = state["report"]
    assert second
    assert (second["id"], second["version"]) == (first["id"], 2)
    assert last_text(state).startswith("*Taken as an edit of section 2.*")
    texts = [[one["text"] for one in get_sections(report)] for report in (first, second)]
    assert texts[0][0] == texts[1][0]
    assert texts[0][2:] == texts[1][2:]
    third = (await talk.say("Add what BM25 leaves out to section 1"))["report"]
    assert third
    assert (third["id"], third["version"]) == (first["id"], 3)


@pytest.mark.slow
async def test_thanks_are_answered_and_what_comes_then_is_still_held_against_the_report(
    samples: str,
) -> None:
    talk = Conversation(samples)
    await talk.say(QUESTION)
    thanks = await talk.say("Thanks!")
    assert thanks["report"] is thanks["answer"] is None
    assert "Taken as" not in last_text(thanks)
    assert (await talk.say("What is reciprocal rank fusion?"))["answer"]


@pytest.mark.slow
async def test_a_report_of_its_own_is_written_where_it_is_asked_for(samples: str) -> None:
    talk = Conversation(samples)
    first = (await talk.say(QUESTION))["report"]
    state = await talk.say("Write a new report on what HNSW is")
    second, indexes = state["report"], [one["index"] for one in state["sections"]]
    assert len(set(indexes)) == len(indexes)  # nothing is left of those before
    assert first
    assert second
    assert second["version"] == 1
    assert second["id"] != first["id"]
    answered = await talk.say("What is reciprocal rank fusion?")
    assert answered["last_report"] == second["id"]


@pytest.mark.slow
async def test_of_a_report_that_was_removed_the_next_message_asks_for_another(
    samples: str,
) -> None:
    talk = Conversation(samples)
    first = (await talk.say(QUESTION))["report"]
    assert first
    await (await open_library(samples)).remove_report(first["id"])
    second = (await talk.say("What is reciprocal rank fusion?"))["report"]
    assert second
    assert second["id"] != first["id"]


@pytest.mark.slow
async def test_a_message_that_says_nothing_leaves_the_report_where_it_was(
    samples: str,
) -> None:
    talk = Conversation(samples)
    first = (await talk.say(QUESTION))["report"]
    assert first
    with pytest.raises(InputError, match="There is no question"):
        await talk.say("?!")
    state = await talk.say("Shorten section 1")
    assert state["report"]
    assert state["report"]["id"] == first["id"]


@pytest.mark.slow
async def test_a_language_model_tells_what_is_wanted_and_does_it(samples: str) -> None:
    tasks: list[str] = []
    writer = Writer()

    def answer(request: ChatRequest) -> str:
        tasks.append(task_of(request))
        return writer(request)

    with speaking(answer):
        talk = Conversation(samples)
        first = (await talk.say(QUESTION))["report"]
        assert "route_follow_up" not in tasks
        tasks.clear()
        state = await talk.say("Shorten section 1")
    assert first
    assert tasks[0] == "route_follow_up"
    assert "reformulate" not in tasks
    assert state["report"] or state["answer"]
