"""Embedding models by name, behind a real OpenAI client."""

import asyncio
import time

import pytest
from fakes.embedding_server import TextsOnly
from fakes.openai_api import FakeOpenAI
from fakes.vectors import vector
from odd_openai import KEY, Speaks, told_of

from models.embeddings import RETRIES, SERVER_BATCH, Embedder, get_embedder
from schema.errors import InputError, ModelUnavailableError

NAME = "openai:text-embedding-3-small"


@pytest.fixture(autouse=True)
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The installation's embedding model."""
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", NAME)


def made() -> Embedder:
    found = get_embedder()
    assert found is not None
    return found


def provider(**options: object) -> FakeOpenAI:
    return FakeOpenAI(lambda _: "", dimension=64, **options)  # type: ignore[arg-type]


def test_without_a_name_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUIRE_EMBEDDING_MODEL")
    assert get_embedder() is None


async def test_vectors_come_in_the_order_of_the_texts(speaks_to: Speaks) -> None:
    texts = ["wind power", "bread and butter", "", "风力发电"]
    with provider(api_key=KEY) as api:
        speaks_to(api)
        model = made()
        found = await model.embed_documents(texts)
        query = await model.embed_query("wind power")
    assert model.name == NAME
    assert len(found) == len(texts)
    for given, text in zip(found, texts, strict=True):
        assert given == pytest.approx(vector(text, 64), abs=1e-6)
    assert query == pytest.approx(found[0])


async def test_a_model_that_reads_no_pages_embeds_their_pieces(speaks_to: Speaks) -> None:
    pieces = ["Berlin is the capital.", "It has three million people."]
    with provider(api_key=KEY) as api:
        speaks_to(api)
        found = await made().embed_page(pieces)
    for given, piece in zip(found, pieces, strict=True):
        assert given == pytest.approx(vector(piece, 64), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("text-embedding-3-small", "write provider:model"),
        ("openai:", "write provider:model"),
        (":text-embedding-3-small", "write provider:model"),
        ("nonsense:x", "'nonsense' is not supported"),
        ("cohere:embed", "langchain-cohere"),
    ],
)
def test_a_name_that_cannot_be_used_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", name)
    with pytest.raises(InputError) as caught:
        get_embedder()
    message = str(caught.value)
    assert told in message
    assert name in message
    assert "\n" not in message
    assert message.endswith(".")
    assert not message.endswith("..")


async def failure(texts: list[str] | None = None) -> str:
    """What is told of a query, or of texts, that cannot be embedded."""
    asked = made().embed_query("wind") if texts is None else made().embed_documents(texts)
    with pytest.raises(ModelUnavailableError) as caught:
        await asked
    return told_of(caught.value, NAME)


@pytest.mark.parametrize(
    ("status", "told"), [(401, "refused the key"), (404, "does not know the model")]
)
async def test_a_refusal_is_told(speaks_to: Speaks, status: int, told: str) -> None:
    with provider(faults=[status, status]) as api:
        speaks_to(api)
        assert told in await failure()
        assert told in await failure(["wind", "power"])


async def test_a_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert "cannot be reached: check the network and the base URL" in await failure()


async def test_what_may_pass_is_tried_again(speaks_to: Speaks) -> None:
    with provider(faults=[429] * RETRIES) as api:
        speaks_to(api)
        assert len(await made().embed_query("wind")) == 64
        api.faults = [429] * (RETRIES + 1)
        assert "is over its rate limit" in await failure()
    assert api.faults == []


async def test_a_server_that_is_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()  # until the client leaves
        writer.close()

    monkeypatch.setenv("QUIRE_MODEL_SECONDS", "0.3")
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
        started = time.monotonic()
        assert "did not answer in time" in await failure()
    assert time.monotonic() - started < 30


def test_a_model_serves_one_event_loop_after_another(speaks_to: Speaks) -> None:
    async def size() -> int:
        return len(await made().embed_query("wind"))

    with provider() as api:
        speaks_to(api)
        assert [asyncio.run(size()) for _ in range(3)] == [64] * 3


def test_a_model_of_the_provider_s_own_needs_a_key() -> None:
    with pytest.raises(InputError, match="needs a key: set OPENAI_API_KEY"):
        get_embedder()


async def test_a_server_of_one_s_own_gets_few_texts_at_once_and_no_key_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with TextsOnly(dimension=8) as api:
        monkeypatch.setenv("QUIRE_EMBEDDING_BASE_URL", api.base_url)
        texts = [f"text {place}" for place in range(2 * SERVER_BATCH + 1)]
        found = await made().embed_documents(texts)
        monkeypatch.setenv("QUIRE_EMBEDDING_API_KEY", "own-key")
        await made().embed_query("wind")
    for given, text in zip(found, texts, strict=True):
        assert given == pytest.approx(vector(text, 8), abs=1e-6)
    assert [len(one["input"]) for one in api.bodies[:3]] == [SERVER_BATCH, SERVER_BATCH, 1]
    assert api.keys[0] != KEY
    assert api.keys[-1] == "own-key"


@pytest.mark.parametrize("status", [413, 422])
async def test_texts_that_are_too_long_are_named(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    with TextsOnly(faults=[status]) as api:
        monkeypatch.setenv("QUIRE_EMBEDDING_BASE_URL", api.base_url)
        assert "too long" in await failure(["wind " * 9_000])
    assert api.faults == []


async def test_vectors_of_another_length_and_missing_ones_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with TextsOnly(dimension=8) as api:
        monkeypatch.setenv("QUIRE_EMBEDDING_BASE_URL", api.base_url)
        assert len(await made().embed_query("wind")) == 8
        api.dimension = 6
        assert "a vector of 6 numbers after those of 8" in await failure(["wind"])
        api.dimension, api.lost = 8, 1
        assert "sent 1 vectors for 2 texts" in await failure(["wind", "power"])
