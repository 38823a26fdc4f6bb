"""Rerankers by name: the words, a real local model, and the words again where it fails."""

import asyncio
import logging
import math
from pathlib import Path

import pytest
from tiny_reranker import MODEL, lay_out

from models.rerank import Ranking, rerank_texts

NAME = f"flashrank:{MODEL}"
TEXTS = ["Bread needs flour.", "Wind turns the blades.", "Nothing here.", "Wind and more wind."]


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where flashrank looks for weights; the network is a port where nobody listens."""
    monkeypatch.setenv("QUIRE_RERANK_CACHE", str(tmp_path / "weights"))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    return tmp_path / "weights"


def best_first(ranking: Ranking) -> list[int]:
    return sorted(range(len(ranking.scores)), key=lambda i: -ranking.scores[i])


async def words_took_over(name: str, query: str = "wind power") -> str:
    """What is told of a reranker that cannot be used; the words' scores stand in."""
    ranking = await rerank_texts(query, TEXTS, name)
    assert ranking.scores == (await rerank_texts(query, TEXTS, "words")).scores
    [told] = ranking.degraded
    assert told["code"] == "reranker_unavailable"
    opening, closing = f"The reranker {name} could not be used (", "); words ranked instead."
    assert told["detail"].startswith(opening)
    assert told["detail"].endswith(closing)
    assert "\n" not in told["detail"]
    return told["detail"][len(opening) : -len(closing)]


async def test_words_put_what_speaks_of_the_query_first() -> None:
    ranking = await rerank_texts("How does the wind turn blades?", TEXTS, "words")
    assert best_first(ranking)[:2] == [1, 3]
    assert ranking.scores[2] == 0
    assert ranking.degraded == []


async def test_words_are_what_an_installation_has() -> None:
    assert await rerank_texts("wind", TEXTS) == await rerank_texts("wind", TEXTS, "words")


async def test_the_installation_s_reranker_is_taken(
    monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    lay_out(cache, {"flour": 3.0, "wind": -1.0})
    monkeypatch.setenv("QUIRE_RERANK_MODEL", NAME)
    assert best_first(await rerank_texts("wind", TEXTS))[0] == 0


@pytest.mark.parametrize("name", ["words", NAME, "nonsense:x"])
async def test_nothing_to_rank_is_no_ranking(name: str) -> None:
    assert await rerank_texts("wind", [], name) == Ranking([])


async def test_a_local_model_ranks_as_its_weights_say(cache: Path) -> None:
    lay_out(cache, {"wind": 1.0, "blades": 0.5, "flour": 2.5, "nothing": -2.0})
    ranking = await rerank_texts("wind wind wind", TEXTS, NAME)
    expected = [1 / (1 + math.exp(-worth)) for worth in (2.5, 1.5, -2.0, 2.0)]
    assert ranking.scores == pytest.approx(expected, abs=1e-6)
    assert ranking.degraded == []
    assert best_first(ranking) != best_first(await rerank_texts("wind", TEXTS, "words"))


async def test_rankings_at_once_do_not_mix(cache: Path) -> None:
    lay_out(cache, {"wind": 1.0, "flour": 2.0})
    asked = [TEXTS, TEXTS[::-1], TEXTS[:1], TEXTS[1:3]] * 5
    rankings = await asyncio.gather(*(rerank_texts("wind", texts, NAME) for texts in asked))
    whole = dict(zip(TEXTS, rankings[0].scores, strict=True))
    for texts, ranking in zip(asked, rankings, strict=True):
        assert ranking.scores == pytest.approx([whole[text] for text in texts])


async def test_loading_a_model_leaves_the_logging_alone(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flashrank sets up the root logger, and every library would then log to the terminal."""
    lay_out(cache, {"wind": 1.0})
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", logging.WARNING)
    await rerank_texts("wind", TEXTS, NAME)
    assert root.handlers == []
    assert root.level == logging.WARNING


async def test_a_score_that_is_no_number_hands_over_to_the_words(cache: Path) -> None:
    lay_out(cache, {"wind": 1.0, "flour": math.nan})
    assert await words_took_over(NAME) == "it returned no score for some passages"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("flashrank", "write it as type:model"),
        ("flashrank:", "write it as type:model"),
        (":x", "write it as type:model"),
        ("nonsense:x", "rerankers knows no type nonsense"),
        ("cross-encoder:x", "pip install 'rerankers[transformers]'"),
        ("rankllm:x", "pip install 'rerankers[rankllm]'"),
    ],
)
async def test_a_name_that_cannot_be_used_says_why(name: str, told: str) -> None:
    assert told in await words_took_over(name)


async def test_weights_that_cannot_be_downloaded_are_told_of(cache: Path) -> None:
    told = await words_took_over(NAME)
    assert told == "its weights could not be downloaded: check the network"


async def test_broken_weights_are_told_of(cache: Path) -> None:
    lay_out(cache, {"wind": 1.0})
    (cache / MODEL / "flashrank-TinyBERT-L-2-v2.onnx").write_bytes(b"<html>Not found</html>")
    assert await words_took_over(NAME)


async def test_a_reranker_that_is_there_later_is_used_then(cache: Path) -> None:
    await words_took_over(NAME)
    lay_out(cache, {"flour": 1.0})
    assert best_first(await rerank_texts("wind", TEXTS, NAME))[0] == 0
