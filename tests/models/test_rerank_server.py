"""Rerankers behind an address, in both forms, and what is told where they fail."""

import pytest
from fakes.rerank_api import MOST, FakeReranker

from models.rerank import Ranking, rerank_texts
from models.rerank_server import TRIES

NAME = "remote:bge-reranker-v2-m3"
KEY = "rr-test-0123456789"
TEXTS = ["Bread needs flour.", "wind, wind and wind", "Nothing here.", "Some wind."]


async def ranked(
    api: FakeReranker, monkeypatch: pytest.MonkeyPatch, texts: list[str] = TEXTS
) -> Ranking:
    monkeypatch.setenv("QUIRE_RERANK_URL", api.address)
    return await rerank_texts("wind", texts, NAME)


async def told(api: FakeReranker, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is told where the words took over."""
    ranking = await ranked(api, monkeypatch)
    assert ranking.scores == (await rerank_texts("wind", TEXTS, "words")).scores
    [one] = ranking.degraded
    assert one["code"] == "reranker_unavailable"
    assert KEY not in one["detail"]
    return one["detail"]


@pytest.mark.parametrize("tei", [False, True])
async def test_scores_come_in_the_order_of_the_texts_in_batches(
    tei: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"text {'wind ' * (place % 5)}" for place in range(2 * MOST + 3)]
    with FakeReranker(tei=tei) as api:
        ranking = await ranked(api, monkeypatch, texts)
    assert ranking.degraded == []
    assert ranking.scores == [place % 5 for place in range(len(texts))]
    assert len(api.requests) == 3


async def test_the_model_and_the_key_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_RERANK_API_KEY", KEY)
    with FakeReranker(api_key=KEY) as api:
        assert (await ranked(api, monkeypatch)).degraded == []
        assert api.requests[0]["model"] == "bge-reranker-v2-m3"
        monkeypatch.setenv("QUIRE_RERANK_API_KEY", KEY + "x")
        assert "refused the key" in await told(api, monkeypatch)


async def test_what_may_pass_is_tried_again_and_no_more_often_than_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with FakeReranker(faults=[429, 503]) as api:
        assert (await ranked(api, monkeypatch)).degraded == []
        api.faults = [503] * (TRIES + 1)
        assert "HTTP 503" in await told(api, monkeypatch)
        assert api.faults == [503]


@pytest.mark.parametrize(
    ("status", "reason"),
    [(413, "too long or too many"), (422, "too long"), (404, "does not know the model")],
)
async def test_a_refusal_is_named_and_not_repeated(
    status: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeReranker(faults=[status, status]) as api:
        assert reason in await told(api, monkeypatch)
        assert api.faults == [status]


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'{"results": 1}', b'{"results": [{"index": 0, "relevance_score": NaN}]}'],
)
async def test_wrong_answers_are_named(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeReranker() as api:
        api.body = body
        reason = await told(api, monkeypatch)
    assert "could not be read" in reason or "no score for 4 of 4" in reason


async def test_a_missing_score_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeReranker() as api:
        api.lost = {2}
        assert "no score for 1 of 4 texts" in await told(api, monkeypatch)


async def test_a_server_that_is_down_or_slow_leaves_it_to_the_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with FakeReranker(latency=5) as api:
        monkeypatch.setenv("QUIRE_MODEL_SECONDS", "0.3")
        assert "did not answer in time" in await told(api, monkeypatch)
        monkeypatch.delenv("QUIRE_MODEL_SECONDS")
    monkeypatch.setenv("QUIRE_RERANK_URL", "http://127.0.0.1:1/rerank")
    ranking = await rerank_texts("wind", TEXTS, NAME)
    assert "cannot be reached" in ranking.degraded[0]["detail"]


@pytest.mark.parametrize("address", ["", "127.0.0.1:8080/rerank", "ftp://127.0.0.1/rerank"])
async def test_an_address_that_is_none_is_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_RERANK_URL", address)
    ranking = await rerank_texts("wind", TEXTS, NAME)
    assert "set QUIRE_RERANK_URL" in ranking.degraded[0]["detail"]
