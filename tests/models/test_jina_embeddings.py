"""Jina's embedding models: what is asked, what comes back, what is told when it does not."""

import asyncio
from typing import Any

import pytest
from fakes.jina_embedding_api import FakeJinaEmbeddings
from fakes.vectors import vector
from hypothesis import given
from hypothesis import strategies as st
from odd_openai import one_sentence, told_of

from models.embeddings import RETRIES, Embedder, get_embedder
from models.http_retries import MAX_WAIT
from models.jina_embeddings import (
    BATCH_SIZE,
    CONTEXT_TOKENS,
    MAX_CONCURRENT,
    JinaEmbeddings,
    _split_batches,
)
from retrieval.passages.context_window import estimate_tokens
from schema.errors import InputError, ModelUnavailableError

NAME = "jina:jina-embeddings-v3"
KEY = "jina_test_0123456789abcdef"
SPEAKS = "QUIRE_JINA_EMBEDDINGS_BASE_URL"


@pytest.fixture(autouse=True)
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The installation's embedding model, and its key."""
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", NAME)
    monkeypatch.setenv("JINA_API_KEY", KEY)


def made(api: FakeJinaEmbeddings) -> Embedder:
    """The embedder that the settings name, at this server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SPEAKS, api.base_url)
        found = get_embedder()
    assert found is not None
    return found


def as_list(numbers: list[float]) -> Any:
    return pytest.approx(numbers, abs=1e-6)


async def failure(api: FakeJinaEmbeddings) -> str:
    """What is told of a query that cannot be embedded: one sentence, without the key."""
    with pytest.raises(ModelUnavailableError) as caught:
        await made(api).embed_query("wind")
    chain: list[BaseException] = [caught.value]
    while before := chain[-1].__cause__ or chain[-1].__context__:
        assert before not in chain
        chain.append(before)
    assert KEY not in repr(chain)
    return told_of(caught.value, NAME)


async def test_a_question_and_passages_are_different_tasks() -> None:
    texts = ["wind", "bread and butter", "风力发电"]
    with FakeJinaEmbeddings(api_key=KEY) as api:
        model = made(api)
        found = await model.embed_documents(texts)
        query = await model.embed_query("wind")
    assert found == [as_list(vector(text, 64)) for text in texts]
    assert query == as_list(found[0])
    assert [one["task"] for one in api.requests] == ["retrieval.passage", "retrieval.query"]
    assert not any(one["late_chunking"] for one in api.requests)
    assert {f"jina:{one['model']}" for one in api.requests} == {model.name} == {NAME}


async def test_pieces_of_a_page_are_read_together() -> None:
    pieces = ["Berlin is the capital.", "It has three million people.", "The city is old."]
    with FakeJinaEmbeddings(api_key=KEY) as api:
        found = await made(api).embed_page(pieces)
    (asked,) = api.requests
    assert (asked["task"], asked["late_chunking"]) == ("retrieval.passage", True)
    assert asked["truncate"] is False  # rather refused than without its last pieces
    assert asked["input"] == pieces
    assert found == [as_list(vector(f"{one} {' '.join(pieces)}", 64)) for one in pieces]


async def test_a_page_longer_than_the_model_reads_is_read_in_stretches() -> None:
    """The fake refuses what is too long; these pieces have twice the tokens of prose."""
    pieces = [f"{number} " + "w " * 1_000 for number in range(20)]
    with FakeJinaEmbeddings() as api:
        found = await made(api).embed_page(pieces)
    assert len(api.requests) > 1
    assert sorted(text for one in api.requests for text in one["input"]) == sorted(pieces)
    assert len(found) == len(pieces)


async def test_a_piece_longer_than_the_model_reads_is_cut_off() -> None:
    pieces = ["first", "w " * 10_000, "last"]
    with FakeJinaEmbeddings() as api:
        assert len(await made(api).embed_page(pieces)) == 3
    assert [one["truncate"] for one in api.requests] == [True, True, True]


async def test_documents_are_sent_in_batches() -> None:
    texts = [f"text {number}" for number in range(2 * BATCH_SIZE + 1)]
    with FakeJinaEmbeddings() as api:
        found = await made(api).embed_documents(texts)
    assert sorted(len(one["input"]) for one in api.requests) == [1, BATCH_SIZE, BATCH_SIZE]
    assert found == [as_list(vector(text, 64)) for text in texts]


async def test_a_few_requests_are_made_at_once_and_the_order_is_kept() -> None:
    texts = [f"text {number}" for number in range(10 * BATCH_SIZE)]
    with FakeJinaEmbeddings(latency=0.05) as api:
        found = await made(api).embed_documents(texts)
    assert found == [as_list(vector(text, 64)) for text in texts]
    assert 1 < api.peak <= MAX_CONCURRENT


async def test_where_one_request_fails_no_other_is_made() -> None:
    texts = [f"text {number}" for number in range(10 * MAX_CONCURRENT * BATCH_SIZE)]
    with FakeJinaEmbeddings(faults=[404], latency=0.05) as api:
        with pytest.raises(ModelUnavailableError, match="does not know the model"):
            await made(api).embed_documents(texts)
        await asyncio.sleep(0.2)
    assert len(api.requests) < 2 * MAX_CONCURRENT


async def test_of_nothing_nothing_is_asked() -> None:
    with FakeJinaEmbeddings() as api:
        model = made(api)
        assert await model.embed_documents([]) == []
        assert await model.embed_page([]) == []
    assert api.requests == []


@given(st.lists(st.text(max_size=9_000) | st.just("風力" * 1_000), max_size=12))
def test_every_text_is_in_one_batch_and_none_is_over_the_bounds(texts: list[str]) -> None:
    batches = [list(batch) for batch in _split_batches(texts, CONTEXT_TOKENS)]
    assert [text for batch in batches for text in batch] == texts
    for batch in batches:
        assert 0 < len(batch) <= BATCH_SIZE
        assert len(batch) == 1 or sum(map(estimate_tokens, batch)) <= CONTEXT_TOKENS


@pytest.mark.parametrize("missing", ["lost", "blank"])
async def test_a_missing_vector_is_an_error(missing: str) -> None:
    with FakeJinaEmbeddings() as api:
        setattr(api, missing, {1})
        with pytest.raises(ModelUnavailableError) as caught:
            await made(api).embed_documents(["one", "two", "three"])
    assert "sent no vector for 1 of 3 texts" in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        b'{"da',
        b"[]",
        b'{"data": null}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}',
        b'{"data": [{"index": 0, "embedding": "AACAPw=="}]}',
    ],
)
async def test_an_answer_that_is_none_is_told(body: bytes) -> None:
    with FakeJinaEmbeddings() as api:
        api.body = body
        assert "sent an answer that could not be read" in await failure(api)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_what_may_pass_is_tried_again(status: int) -> None:
    with FakeJinaEmbeddings(faults=[status]) as api:
        assert await made(api).embed_query("wind") == as_list(vector("wind", 64))
    assert api.faults == []


async def test_tries_are_counted() -> None:
    with FakeJinaEmbeddings(faults=[429] * (RETRIES + 2)) as api:
        assert "is over its rate limit" in await failure(api)
    assert api.faults == [429]


async def test_a_wait_that_is_too_long_is_not_waited_for() -> None:
    with FakeJinaEmbeddings(faults=[429, 429]) as api:
        api.retry_after = str(round(MAX_WAIT) + 1)
        assert "is over its rate limit" in await failure(api)
    assert api.faults == [429]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, "refused the request"),
        (401, "refused the key"),
        (403, "refuses this key the model"),
        (404, "does not know the model"),
        (422, "refused the request"),
    ],
)
async def test_a_refusal_is_told_at_once(status: int, told: str) -> None:
    with FakeJinaEmbeddings(faults=[status, 500]) as api:
        assert told in await failure(api)
    assert api.faults == [500]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "127.0.0.1/v1"])
async def test_a_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setattr(FakeJinaEmbeddings, "base_url", url)
    assert "cannot be reached" in await failure(FakeJinaEmbeddings())


async def test_a_server_that_is_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_MODEL_SECONDS", "0.2")
    with FakeJinaEmbeddings(latency=5) as api:
        assert "did not answer in time" in await failure(api)


@pytest.mark.parametrize("key", ["", "jina_\N{HORIZONTAL ELLIPSIS}", "jina_\n1"])
def test_a_key_that_cannot_be_sent_is_told_without_it(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("JINA_API_KEY", key)
    with pytest.raises(InputError, match="needs a key: set JINA_API_KEY") as caught:
        get_embedder()
    assert one_sentence(str(caught.value))
    assert not key or key not in str(caught.value)


def test_an_address_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SPEAKS, "http://user:secret@jina.test:port")
    with pytest.raises(InputError, match=f"{SPEAKS} is no web address") as caught:
        get_embedder()
    assert "secret" not in str(caught.value)


def test_a_model_serves_one_event_loop_after_another() -> None:
    async def size() -> int:
        return len(await made(api).embed_query("wind"))

    with FakeJinaEmbeddings() as api:
        assert [asyncio.run(size()) for _ in range(3)] == [64] * 3


def test_the_other_methods_say_which_to_use() -> None:
    model = JinaEmbeddings("m", KEY, "http://jina.test/v1", seconds=1, retries=0)
    with pytest.raises(NotImplementedError, match="use aembed_query"):
        model.embed_query("wind")
    with pytest.raises(NotImplementedError, match="use aembed_documents"):
        model.embed_documents(["wind"])
