"""Objects from a chat model: in whatever wrapping they come, repaired once, else told."""

import json
from collections.abc import Callable
from typing import Any
from unittest.mock import ANY

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from langgraph.graph import START, MessagesState, StateGraph
from odd_openai import NAME, Bare, OddOpenAI, Speaks, one_sentence
from pydantic import BaseModel

from models.calls import Role
from models.structured import ask_structured
from schema.errors import ModelOutputError, ModelUnavailableError
from schema.report import ModelCall


class City(BaseModel):
    """A city."""

    name: str
    people: int


BERN = City(name="Bern", people=134_000)
GOOD = BERN.model_dump_json()


async def city(
    role: Role, check: Callable[[City], str | None] = lambda _: None
) -> tuple[City, list[ModelCall]]:
    return await ask_structured(role, Bare(text="A city?"), City, check=check)


def answers(*said: str) -> Callable[[ChatRequest], str]:
    """One answer after the other."""
    left = list(said)
    return lambda _: left.pop(0)


@pytest.mark.parametrize(
    "said",
    [
        GOOD,
        f"\n  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here you are:\n\n```json\n{GOOD}\n```\nAnything else?",
        f"Here you are: {GOOD} Anything else?",
        f"<think>Bern? {{maybe}}</think>{GOOD}",
    ],
)
async def test_an_object_is_found_in_its_wrapping(role: Role, speaks_to: Speaks, said: str) -> None:
    with FakeOpenAI(lambda _: said) as api:
        speaks_to(api)
        made, calls = await city(role)
    assert made == BERN
    assert len(calls) == len(api.requests) == 1
    assert set((api.requests[0].schema or {})["properties"]) == {"name", "people"}


@pytest.mark.parametrize("name", ["the fence ```json {} ```", "{braces}", "</think>", "[12]"])
async def test_what_stands_inside_an_object_is_left_alone(
    role: Role, speaks_to: Speaks, name: str
) -> None:
    said = json.dumps({"name": name, "people": 1})
    with FakeOpenAI(lambda _: said) as api:
        speaks_to(api)
        made, calls = await city(role)
    assert made.name == name
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ('{"name": "Bern"', "breaks off before its end"),
        ('{"name": "Bern"}', "people: Field required"),
        ('{"name": "Bern", "people": "many"}', "people: Input should be a valid integer"),
        ("I would rather not.", "it has none of the fields"),
        ("```json\n```", "it has none of the fields"),
    ],
)
async def test_a_broken_answer_is_shown_with_its_fault_and_repaired(
    role: Role, speaks_to: Speaks, broken: str, told: str
) -> None:
    with FakeOpenAI(answers(broken, GOOD)) as api:
        speaks_to(api)
        made, calls = await city(role)
    assert made == BERN
    assert len(calls) == len(api.requests) == 2
    question, shown, fault = api.requests[1].messages
    assert question["content"] == "A city?"
    assert shown == {"role": "assistant", "content": broken}
    assert told in fault["content"]
    assert "people: (a whole number)" in fault["content"]  # the schema, in plain words
    assert api.requests[1].schema is None


async def test_an_answer_broken_twice_is_told_in_one_sentence(
    role: Role, speaks_to: Speaks
) -> None:
    with FakeOpenAI(lambda _: '{"name": "Bern"}') as api:
        speaks_to(api)
        with pytest.raises(ModelOutputError) as caught:
            await city(role)
    assert len(api.requests) == 2
    message = str(caught.value)
    assert f"The model {NAME} did not give a usable City in two tries" in message
    assert "people: Field required" in message
    assert one_sentence(message)


async def test_a_check_that_fails_once_is_repaired(role: Role, speaks_to: Speaks) -> None:
    small = City(name="Bern", people=3)
    with FakeOpenAI(answers(small.model_dump_json(), GOOD)) as api:
        speaks_to(api)
        made, calls = await city(role, lambda c: None if c.people > 3 else "it is a hamlet")
    assert made == BERN
    assert len(calls) == 2
    assert "That cannot be used: it is a hamlet." in api.requests[1].text


async def test_a_check_that_fails_twice_is_told(role: Role, speaks_to: Speaks) -> None:
    with FakeOpenAI(lambda _: GOOD) as api:
        speaks_to(api)
        with pytest.raises(ModelOutputError, match="it is not Rome"):
            await city(role, lambda _: "it is not Rome")


@pytest.mark.parametrize("status", [400, 422])
async def test_a_form_that_a_server_refuses_is_not_asked_for_again(
    role: Role, speaks_to: Speaks, status: int
) -> None:
    """Structured output, then a tool, then lines; and from then on lines at once."""
    with FakeOpenAI(lambda _: "name: Bern\npeople: 134000", faults=[status, status]) as api:
        speaks_to(api)
        assert [await city(role), await city(role)] == [(BERN, [ANY]), (BERN, [ANY])]
    structured, tool, *plain = api.requests
    assert "response_format" in structured.raw
    assert "tools" in tool.raw
    for request in plain:
        assert request.schema is None
        [message] = request.messages  # some templates want the roles to alternate
        assert message["content"].startswith("A city?\n\nAnswer with lines of this form")
    assert len(plain) == 2


async def test_a_form_that_a_model_fails_at_is_given_up(role: Role, speaks_to: Speaks) -> None:
    def answer(request: ChatRequest) -> str:
        return "I think it is Bern." if request.schema else "name: Bern\npeople: 134000"

    with FakeOpenAI(answer) as api:
        speaks_to(api)
        for _ in range(6):
            assert (await city(role))[0] == BERN
    asked = ["response_format" in one.raw or "tools" in one.raw for one in api.requests]
    assert asked == [True, False] * 4 + [False] * 2


async def test_an_object_that_breaks_off_twice_is_taken_as_far_as_it_came(
    role: Role, speaks_to: Speaks
) -> None:
    with FakeOpenAI(lambda _: '{"name": "Bern", "people": 134000, "rivers": ["Aa') as api:
        speaks_to(api)
        made, calls = await city(role)
    assert (made, len(calls)) == (BERN, 2)


async def test_an_object_that_the_output_limit_cut_is_asked_for_plainly(
    role: Role, speaks_to: Speaks
) -> None:
    def cut_first(body: dict[str, Any]) -> None:
        if len(api.requests) == 1:
            body["choices"][0].update(finish_reason="length")

    with OddOpenAI(answers('{"name": "Be', GOOD), cut_first) as api:
        speaks_to(api)
        made, _ = await city(role)
    assert made == BERN
    assert len(api.requests) == 2


async def test_a_refused_key_is_not_asked_again(role: Role, speaks_to: Speaks) -> None:
    with FakeOpenAI(lambda _: GOOD, api_key="sk-another") as api:
        speaks_to(api)
        with pytest.raises(ModelUnavailableError, match="refused the key"):
            await city(role)
    assert len(api.requests) == 1


def as_tool_call(body: dict[str, Any]) -> None:
    """The same answer as arguments of a tool, as servers give it that know no response_format."""
    choice = body["choices"][0]
    function = {"name": "City", "arguments": choice["message"]["content"]}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    choice["message"] |= {"content": None, "tool_calls": calls}
    choice["finish_reason"] = "tool_calls"


async def test_an_answer_as_a_tool_call_is_taken(role: Role, speaks_to: Speaks) -> None:
    with OddOpenAI(lambda _: GOOD, as_tool_call) as api:
        speaks_to(api)
        made, calls = await city(role)
    assert made == BERN
    assert len(calls) == 1


async def test_a_broken_tool_call_is_repaired(role: Role, speaks_to: Speaks) -> None:
    with OddOpenAI(answers('{"name": "Bern"', GOOD), as_tool_call) as api:
        speaks_to(api)
        made, calls = await city(role)
    assert made == BERN
    assert len(calls) == 2


@pytest.mark.slow
async def test_tokens_of_structured_answers_stay_out_of_message_streams(
    role: Role, speaks_to: Speaks
) -> None:
    async def node(state: MessagesState) -> dict[str, Any]:
        await city(role)
        return {}

    graph = StateGraph(MessagesState).add_node(node).add_edge(START, "node").compile()
    with FakeOpenAI(answers("{}", GOOD)) as api:
        speaks_to(api)
        pieces = [m async for m, _ in graph.astream({"messages": []}, stream_mode="messages")]
    assert pieces == []
    assert len(api.requests) == 2
