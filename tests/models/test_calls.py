"""Calling a chat model: errors in plain words, one shared limit, usage, what is cut or stripped."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest, tokens
from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from odd_openai import KEY, NAME, Bare, OddOpenAI, Speaks, told_of

from models.answers import extract_text, find_loop
from models.calls import TRIES, Answer, Role, Run, ask
from models.chat import RETRIES
from schema.errors import ModelUnavailableError

LONG = " ".join(f"Hello, number {n}!" for n in range(20))


async def hello(role: Role, text: str = "Hi") -> Answer:
    return await ask(role, Bare(text=text))


async def failure(role: Role) -> str:
    """What is told of a call that fails."""
    with pytest.raises(ModelUnavailableError) as caught:
        await hello(role)
    return told_of(caught.value, NAME)


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "refused the request"),
        (401, "refused the key: check the API key"),
        (402, "wants payment"),
        (403, "refuses this key the model"),
        (404, "does not know the model: check its name and the base URL"),
        (418, "failed with APIStatusError"),
    ],
)
async def test_a_refusal_is_told_at_once(
    role: Role, speaks_to: Speaks, status: int, told: str
) -> None:
    with FakeOpenAI(lambda _: "Hello!", faults=[status] * 9) as api:
        speaks_to(api)
        assert told in await failure(role)
    assert len(api.requests) == 1


async def test_a_wrong_key_is_not_repeated_in_the_message(role: Role, speaks_to: Speaks) -> None:
    with FakeOpenAI(lambda _: "Hello!", api_key="sk-another") as api:
        speaks_to(api)
        message = await failure(role)
    assert "refused the key" in message
    assert "sk-" not in message


@pytest.mark.parametrize(
    ("status", "told"),
    [(429, "is over its rate limit: wait, or lower QUIRE_MODEL_CONCURRENCY"), (503, "(HTTP 503)")],
)
async def test_what_may_pass_is_tried_again_and_then_told(
    role: Role, speaks_to: Speaks, status: int, told: str
) -> None:
    with FakeOpenAI(lambda _: "Hello!", faults=[status] * 9) as api:
        speaks_to(api)
        assert told in await failure(role)
    assert len(api.requests) == 1 + RETRIES


async def test_a_passing_failure_is_not_noticed(role: Role, speaks_to: Speaks) -> None:
    with FakeOpenAI(lambda _: "Hello!", faults=[500, 429]) as api:
        speaks_to(api)
        assert (await hello(role)).text == "Hello!"
    assert len(api.requests) == 3


async def test_a_server_that_is_not_there(role: Role, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert "cannot be reached: check the network and the base URL" in await failure(role)


@pytest.mark.slow
async def test_a_server_that_is_too_slow_is_asked_once_more(
    role: Role, speaks_to: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL_SECONDS", "0.3")
    with FakeOpenAI(lambda _: "Hello!", latency=5) as api:
        speaks_to(api)
        assert "did not answer in time" in await failure(role)
    assert len(api.requests) == TRIES


@pytest.mark.slow
async def test_a_server_that_was_too_slow_once_is_not_noticed(
    role: Role, speaks_to: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL_SECONDS", "0.5")
    with FakeOpenAI(lambda _: "Hello!") as api:
        api.hang = lambda _: 5 if len(api.requests) == 1 else 0
        speaks_to(api)
        assert (await hello(role)).text == "Hello!"


async def test_an_empty_answer_is_asked_for_once_more_and_both_are_counted(
    role: Role, speaks_to: Speaks
) -> None:
    with FakeOpenAI(lambda _: "" if len(api.requests) == 1 else "Hello!") as api:
        speaks_to(api)
        answer = await hello(role)
    assert (answer.text, len(answer.calls)) == ("Hello!", 2)


async def test_two_empty_answers_are_one(role: Role, speaks_to: Speaks) -> None:
    with FakeOpenAI(lambda _: "") as api:
        speaks_to(api)
        assert (await hello(role)).text == ""
    assert len(api.requests) == TRIES


async def streamed(role: Role) -> Answer:
    """As in a graph whose `messages` are streamed."""
    answers: list[Answer] = []

    async def node(state: MessagesState) -> dict[str, Any]:
        answers.append(await hello(role))
        return {}

    graph = StateGraph(MessagesState).add_node(node).add_edge(START, "node").compile()
    async for _ in graph.astream({"messages": []}, stream_mode="messages"):
        pass
    return answers[0]


async def test_a_stream_that_breaks_off_is_asked_for_once_more(
    role: Role, speaks_to: Speaks
) -> None:
    def answer(_: ChatRequest) -> str:
        api.cut_after = 3 if len(api.requests) == 1 else None
        return LONG

    with FakeOpenAI(answer) as api:
        speaks_to(api)
        assert (await streamed(role)).text == LONG
    assert len(api.requests) == 2


async def test_a_stream_that_breaks_off_again_is_told(role: Role, speaks_to: Speaks) -> None:
    with FakeOpenAI(lambda _: LONG, cut_after=3) as api:
        speaks_to(api)
        with pytest.raises(ModelUnavailableError, match="broke off in the middle of its answer"):
            await streamed(role)
    assert len(api.requests) == TRIES


async def test_an_answer_without_an_end_is_asked_for_once_more_then_taken_as_cut(
    role: Role, speaks_to: Speaks
) -> None:
    """Some proxies close a broken stream as if it had come to its end."""
    with OddOpenAI(
        lambda _: "So it", lambda body: body["choices"][0].update(finish_reason=None)
    ) as api:
        speaks_to(api)
        answer = await hello(role)
    assert (answer.text, answer.truncated, len(api.requests)) == ("So it", True, TRIES)


class Memory:
    """A record."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}

    async def once(self, asked: str, make: Callable[[], Awaitable[Any]]) -> Any:
        if asked not in self.answers:
            self.answers[asked] = json.loads(json.dumps(await make()))
        return self.answers[asked]


def in_run(role: Role, memory: Memory, *, seconds: float = 60, step: int = 0) -> Role:
    return replace(role, run=Run(memory, time.monotonic() + seconds, step))


async def test_an_answer_on_record_is_not_asked_for_again(role: Role, speaks_to: Speaks) -> None:
    memory = Memory()
    with FakeOpenAI(lambda _: "Hello!") as api:
        speaks_to(api)
        first = await hello(in_run(role, memory))
        assert await hello(in_run(role, memory)) == first
        assert len(api.requests) == 1
        await hello(in_run(role, memory, step=1))
        await hello(in_run(role, memory), "Hi again")
    assert len(api.requests) == 3
    assert first.calls[0]["output_tokens"] == tokens("Hello!")


async def test_when_the_runs_time_is_over_no_model_is_asked(
    role: Role, speaks_to: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL_CONCURRENCY", "1")
    with FakeOpenAI(lambda _: "Hello!", latency=5) as api:
        speaks_to(api)
        busy = asyncio.create_task(hello(role))
        while not api.requests:
            await asyncio.sleep(0.01)
        with pytest.raises(ModelUnavailableError, match="the run's time is over") as caught:
            await hello(in_run(role, Memory(), seconds=0.2))
        assert caught.value.__cause__ is None  # its own cause, it would be no end of causes
        busy.cancel()
        await asyncio.gather(busy, return_exceptions=True)
    assert len(api.requests) == 1


async def test_calls_at_once_are_limited_and_all_are_answered(
    speaks_to: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two roles share the limit: it is the provider's, not the role's."""
    monkeypatch.setenv("QUIRE_MODEL_CONCURRENCY", "3")
    roles = [Role("writer", NAME), Role("planner", "openai:other")] * 6
    with FakeOpenAI(lambda asked: asked.text, latency=0.1) as api:
        speaks_to(api)
        answers = await asyncio.gather(*(hello(r, str(i)) for i, r in enumerate(roles)))
    assert api.peak == 3
    assert [answer.text for answer in answers] == [str(i) for i in range(12)]


@pytest.mark.slow
async def test_waiting_for_a_turn_is_not_counted_as_the_call_s_time(
    role: Role, speaks_to: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL_CONCURRENCY", "1")
    monkeypatch.setenv("QUIRE_MODEL_SECONDS", "3")
    with FakeOpenAI(lambda _: "Hello!", latency=1) as api:
        speaks_to(api)
        answers = await asyncio.gather(*(hello(role) for _ in range(5)))
    assert all(1 <= answer.calls[0]["seconds"] < 3 for answer in answers)


async def test_the_provider_s_token_counts_are_taken(role: Role, speaks_to: Speaks) -> None:
    def counted(body: dict[str, Any]) -> None:
        body["usage"] = {"prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290}

    with OddOpenAI(lambda _: "Hello!", counted) as api:
        speaks_to(api)
        [call] = (await hello(role)).calls
    assert (call["input_tokens"], call["output_tokens"]) == (1234, 56)
    assert (call["role"], call["model"]) == ("writer", NAME)
    assert call["seconds"] > 0


async def test_a_provider_that_does_not_count_is_counted_for(role: Role, speaks_to: Speaks) -> None:
    with OddOpenAI(lambda _: LONG, lambda body: body.pop("usage")) as api:
        speaks_to(api)
        [call] = (await hello(role, "word " * 400)).calls
    assert 300 < call["input_tokens"] < 700
    assert 70 < call["output_tokens"] < 150


async def test_a_streamed_answer_comes_in_pieces_and_is_counted(
    role: Role, speaks_to: Speaks
) -> None:
    """As in a graph whose `messages` are streamed: the same call then streams by itself."""
    said, answers = LONG, []

    async def node(state: MessagesState) -> dict[str, Any]:
        answers.append(await hello(role, "word " * 100))
        return {}

    graph = StateGraph(MessagesState).add_node(node).add_edge(START, "node").compile()
    with FakeOpenAI(lambda _: said) as api:
        speaks_to(api)
        pieces = [m.text async for m, _ in graph.astream({"messages": []}, stream_mode="messages")]
    assert api.requests[0].stream
    assert len(pieces) > 10
    assert "".join(pieces) == said
    assert answers[0].text == said.strip()
    assert answers[0].calls[0]["input_tokens"] == tokens("word " * 100)
    assert answers[0].calls[0]["output_tokens"] == tokens(said)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("<think>\nLet me see.\n</think>\n\nSo it is.", "So it is."),
        ("  <think></think>So it is.", "So it is."),
        # many servers keep the opening tag for themselves
        ("Let me see.\n</think>\n\nSo it is.", "So it is."),
        ("<thinking>Hm.</thinking><think>Well.</think>So it is.", "So it is."),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>"
            "So it is.<|return|>",
            "So it is.",
        ),
        ("analysisHm, let me see.assistantfinalSo it is.", "So it is."),
        ("So it is.</s>\n<|im_end|>", "So it is."),
        ("The tag <think>x</think> is one.", "The tag <think>x</think> is one."),
        ("  So it is.\n", "So it is."),
    ],
)
async def test_thoughts_before_an_answer_are_no_part_of_it(
    role: Role, speaks_to: Speaks, said: str, text: str
) -> None:
    with FakeOpenAI(lambda _: said) as api:
        speaks_to(api)
        assert (await hello(role)).text == text


@pytest.mark.parametrize("said", ["<think>Hm, let me", "<|channel|>analysis<|message|>Hm."])
async def test_thoughts_that_never_end_are_no_answer(
    role: Role, speaks_to: Speaks, said: str
) -> None:
    with FakeOpenAI(lambda _: said if len(api.requests) == 1 else "So it is.") as api:
        speaks_to(api)
        assert (await hello(role)).text == "So it is."


def test_blocks_of_reasoning_are_no_part_of_an_answer() -> None:
    blocks: list[str | dict[str, Any]] = [
        {"type": "reasoning", "reasoning": "Hm."},
        {"type": "text", "text": "So it is."},
    ]
    assert extract_text(AIMessage(blocks)) == "So it is."


CIRCLES = "Wind turns the blades. " + "Then it goes on and on without an end. " * 30


async def test_an_answer_that_goes_round_in_circles_is_asked_for_once_more(
    role: Role, speaks_to: Speaks
) -> None:
    with FakeOpenAI(lambda _: CIRCLES if len(api.requests) == 1 else LONG) as api:
        speaks_to(api)
        answer = await hello(role)
    assert (answer.text, answer.truncated, len(answer.calls)) == (LONG, False, 2)


async def test_an_answer_that_does_so_again_is_cut_where_it_repeats_itself(
    role: Role, speaks_to: Speaks
) -> None:
    with FakeOpenAI(lambda _: CIRCLES) as api:
        speaks_to(api)
        answer = await hello(role)
    assert answer.text == "Wind turns the blades. Then it goes on and on without an end."
    assert answer.truncated


@pytest.mark.parametrize(
    "text",
    [
        "A sentence that is said thrice, as models do. " * 3,
        "| town | people |\n| --- | --- |\n" + "\n".join(f"| {n} | {n * 7} |" for n in range(90)),
        "The end\n" + "-" * 300,
    ],
)
def test_a_text_that_comes_to_an_end_goes_round_in_no_circle(text: str) -> None:
    assert find_loop(text) is None


def test_half_an_emoji_is_no_part_of_an_answer() -> None:
    """It could neither be printed nor kept."""
    assert extract_text(AIMessage("So it is \ud83d.")) == "So it is \ufffd."


@pytest.mark.parametrize(("reason", "cut"), [("length", True), ("stop", False)])
async def test_an_answer_at_the_output_limit_is_marked_as_cut(
    role: Role, speaks_to: Speaks, reason: str, cut: bool
) -> None:
    with OddOpenAI(
        lambda _: "So it", lambda body: body["choices"][0].update(finish_reason=reason)
    ) as api:
        speaks_to(api)
        assert (await hello(role)).truncated is cut
