"""Drives the OpenAI fake with langchain-openai and openai."""

import asyncio
from typing import Literal

import openai
import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel, SecretStr

from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest

Method = Literal["json_schema", "function_calling", "json_mode"]

KEY = "sk-test-0123456789abcdef"


class City(BaseModel):
    """A city."""

    name: str
    people: int


def reply(asked: ChatRequest) -> str:
    """Answers with an echo."""
    return f"You said: {asked.messages[-1]['content']}"


def chat(api: FakeOpenAI, key: str = KEY, retries: int = 0) -> ChatOpenAI:
    """Makes a real client for the fake."""
    return ChatOpenAI(
        model="gpt-4o-mini",
        base_url=api.base_url,
        api_key=SecretStr(key),
        max_retries=retries,
        timeout=10.0,
    )


def test_chat_replies_and_accounts() -> None:
    with FakeOpenAI(reply, api_key=KEY) as api:
        parts: list[str | dict[str, str]] = [{"type": "text", "text": "Hi"}]
        message = chat(api).invoke([SystemMessage("Be brief."), HumanMessage(parts)])
    assert message.content == "You said: Hi"
    assert message.usage_metadata is not None
    assert message.usage_metadata["output_tokens"] == len("You said: Hi") // 4
    assert api.requests[0].messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    ]
    assert api.requests[0].schema is None


def test_chat_streams_with_usage() -> None:
    text = "a long question " * 10
    with FakeOpenAI(reply) as api:
        pieces = list(chat(api).stream(text, stream_usage=True))
    whole = pieces[0]
    for piece in pieces[1:]:
        whole += piece
    assert len(pieces) > 5
    assert whole.content == f"You said: {text}"
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["input_tokens"] == len(text) // 4
    assert api.requests[0].stream


def test_stream_breaks_off() -> None:
    pieces: list[str] = []
    with FakeOpenAI(reply, cut_after=3) as api:
        replies = chat(api).stream("a long question " * 10)
        with pytest.raises(openai.APIConnectionError):
            pieces.extend(piece.text for piece in replies)
    assert "".join(pieces) == f"You said: {'a long question ' * 10}"[:32]


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
def test_structured_output(method: Method) -> None:
    bern = City(name="Bern", people=134_000)
    with FakeOpenAI(lambda _: bern.model_dump_json()) as api:
        model = chat(api).with_structured_output(City, method=method)
        assert model.invoke("Name a city, as JSON.") == bern
        assert list(model.stream("Name a city, as JSON."))[-1] == bern
    schema = api.requests[0].schema
    if method == "json_mode":
        assert schema is None
    else:
        assert schema is not None
        assert set(schema["properties"]) == {"name", "people"}


def test_bad_key_is_refused() -> None:
    with FakeOpenAI(reply, api_key=KEY) as api:
        with pytest.raises(openai.AuthenticationError) as caught:
            chat(api, key="sk-wrong-0123456789").invoke("Hi")
        with pytest.raises(openai.AuthenticationError):
            openai.OpenAI(base_url=api.base_url, api_key="wrong").models.list()
        assert openai.OpenAI(base_url=api.base_url, api_key=KEY).models.list().data
    assert caught.value.code == "invalid_api_key"
    assert "Incorrect API key provided: sk-wrong" in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, openai.BadRequestError),
        (404, openai.NotFoundError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
def test_faults_come_first(status: int, error: type[openai.APIStatusError]) -> None:
    with FakeOpenAI(reply, faults=[status]) as api:
        with pytest.raises(error):
            chat(api).invoke("Hi")
        assert chat(api).invoke("Hi").content == "You said: Hi"
    assert len(api.requests) == 2


def test_client_retries_over_faults() -> None:
    with FakeOpenAI(reply, faults=[429, 503]) as api:
        assert chat(api, retries=2).invoke("Hi").content == "You said: Hi"
    assert len(api.requests) == 3


@pytest.mark.asyncio
async def test_peak_counts_calls_in_flight() -> None:
    with FakeOpenAI(reply, latency=0.2) as api:
        model = chat(api)
        await asyncio.gather(*(model.ainvoke("Hi") for _ in range(4)))
        await model.ainvoke("Hi")
    assert api.peak == 4


# Told nothing, the client asks for base64 and decodes it; told base64, it does not decode.
@pytest.mark.parametrize("options", [{}, {"encoding_format": "float"}])
def test_embeddings(options: dict[str, str]) -> None:
    with FakeOpenAI(reply, dimension=64) as api:
        model = OpenAIEmbeddings(
            base_url=api.base_url,
            api_key=SecretStr(KEY),
            check_embedding_ctx_length=False,
            model_kwargs=options,
        )
        near, far, empty = model.embed_documents(["wind power", "bread and butter", ""])
        query = model.embed_query("power from wind")
    assert len(query) == len(empty) == 64
    assert dot(query, near) > dot(query, far) + 0.3


def dot(left: list[float], right: list[float]) -> float:
    """Multiplies two vectors."""
    return sum(a * b for a, b in zip(left, right, strict=True))
