"""Chat models by name: what a name may be, and what is told of one that cannot be used."""

import asyncio

import pytest
from fakes.openai_api import FakeOpenAI
from odd_openai import NAME, Bare, Speaks, one_sentence

from models.calls import Answer, Role, ask
from models.chat import choose_model, get_chat_model
from schema.errors import InputError


async def hello(name: str = NAME) -> Answer:
    return await ask(Role("writer", name), Bare(text="Hi"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gpt-4.1-mini", "write provider:model"),
        ("openai:", "write provider:model"),
        (":gpt-4.1-mini", "write provider:model"),
        ("nonsense:gpt-4.1-mini", "Unsupported provider='nonsense'"),
        ("anthropic:claude", "needs the package langchain-anthropic"),
        ("google_genai:gemini", "needs the package langchain-google-genai"),
        # a package is not always called after its provider
        ("bedrock:claude", "needs the package langchain-aws"),
    ],
)
def test_a_name_that_cannot_be_used_is_told_in_one_sentence(name: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        get_chat_model(name)
    message = str(caught.value)
    assert told in message
    assert name in message
    assert one_sentence(message)


def test_openai_with_neither_key_nor_server_says_what_to_set() -> None:
    with pytest.raises(InputError, match="set OPENAI_API_KEY, or OPENAI_BASE_URL"):
        get_chat_model(NAME)


async def test_a_call_with_an_unusable_name_is_an_input_error_too() -> None:
    with pytest.raises(InputError, match="write provider:model"):
        await hello("gpt-4.1-mini")


async def test_the_base_url_is_asked_with_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI(lambda _: "Hello!", api_key="sk-right") as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-right")
        assert (await hello()).text == "Hello!"
    assert [asked.model for asked in api.requests] == ["gpt-4.1-mini"]


async def test_a_server_that_needs_no_key_is_asked_without(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI(lambda _: "Hello!") as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        assert (await hello()).text == "Hello!"


async def test_a_changed_base_url_is_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI(lambda _: "one") as first, FakeOpenAI(lambda _: "two") as second:
        for api, said in ((first, "one"), (second, "two"), (first, "one")):
            monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
            assert (await hello()).text == said


def test_a_model_serves_one_event_loop_after_another(speaks_to: Speaks) -> None:
    """A script may call asyncio.run twice; connections belong to the loop that opened them."""
    with FakeOpenAI(lambda _: "Hello!") as api:
        speaks_to(api)
        assert [asyncio.run(hello()).text for _ in range(3)] == ["Hello!"] * 3


def test_the_run_chooses_before_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_model(None) == "extractive"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert choose_model(None) == NAME
    monkeypatch.setenv("QUIRE_MODEL", "openai:other")
    assert choose_model(None) == "openai:other"
    assert choose_model("openai:chosen") == "openai:chosen"
