"""Rerankers on this machine, on graphs whose scores are known."""

from pathlib import Path

import pytest
from fakes.tiny_models import INPUTS, embedder_graph, head_graph, lay_out

from models.local.reranker import READ_TEXTS
from models.rerank import Ranking, rerank_texts

TEXTS = ["Bread needs flour", "wind turns blades", "Nothing here", "wind wind"]
WORTH = {"wind": [1.0], "blades": [0.5], "flour": [2.5], "needs": [-4.0]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a reranker is laid out."""
    return tmp_path / "tiny"


async def ranked(folder: Path, texts: list[str] = TEXTS, query: str = "flour wind") -> Ranking:
    return await rerank_texts(query, texts, f"onnx:{folder}")


def chances(*logits: float) -> list[float]:
    return [1 / (1 + 2.718281828**-logit) for logit in logits]


@pytest.mark.parametrize("flat", [False, True])
async def test_a_model_ranks_as_its_weights_say(folder: Path, flat: bool) -> None:
    lay_out(folder, head_graph(WORTH, flat=flat))
    found = await ranked(folder)
    assert found.degraded == []
    assert found.scores == pytest.approx(chances(-1.5, 1.5, 0, 2.0), abs=1e-5)


async def test_a_graph_without_token_types_reads_the_pair_all_the_same(folder: Path) -> None:
    lay_out(folder, head_graph(WORTH, INPUTS[:2]))
    asked = 2.5 + 1.0  # the words of the question count too
    found = await ranked(folder)
    assert found.scores == pytest.approx(
        chances(asked - 1.5, asked + 1.5, asked, asked + 2.0), abs=1e-5
    )


async def test_of_two_labels_the_second_is_the_score(folder: Path) -> None:
    lay_out(folder, head_graph({word: [0.0, worth] for word, [worth] in WORTH.items()}))
    assert (await ranked(folder)).scores == pytest.approx(chances(-1.5, 1.5, 0, 2.0), abs=1e-5)


async def test_what_is_not_among_the_best_by_words_comes_after_them(folder: Path) -> None:
    lay_out(folder, head_graph({"bread": [5.0], "wind": [-3.0]}))
    texts = ["bread", *[f"wind turns number {n}" for n in range(READ_TEXTS)], "bread turns"]
    scores = (await ranked(folder, texts, "wind turns")).scores
    assert scores[1 : READ_TEXTS + 1] == pytest.approx(chances(-3.0) * READ_TEXTS, abs=1e-5)
    assert 0 == scores[0] < scores[-1] < min(scores[1 : READ_TEXTS + 1])


async def test_a_question_in_another_language_is_left_to_the_words(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "ettin-reranker-32m", head_graph(WORTH))
    query = "Wie drehen sich die Flügel einer Windmühle, wenn der Wind weht?"
    assert await ranked(folder, TEXTS, query) == await rerank_texts(query, TEXTS, "words")
    query = "What turns the blades of a mill when there is wind?"
    assert await ranked(folder, TEXTS, query) != await rerank_texts(query, TEXTS, "words")


async def refusal(folder: Path) -> str:
    found = await ranked(folder)
    assert found.scores == (await rerank_texts("flour wind", TEXTS, "words")).scores
    [told] = found.degraded
    assert told["code"] == "reranker_unavailable"
    return told["detail"]


async def test_a_graph_that_ends_at_the_encoder_is_refused(folder: Path) -> None:
    lay_out(folder, embedder_graph())
    assert "has no head" in await refusal(folder)


async def test_a_graph_that_gives_a_vector_is_refused(folder: Path) -> None:
    lay_out(folder, embedder_graph(output="sentence_embedding", whole=True))
    assert "gives 4 numbers for a pair in place of a score" in await refusal(folder)


async def test_a_checker_is_no_reranker(folder: Path) -> None:
    lay_out(folder, head_graph({"wind": [1.0, 2.0, 3.0]}))
    assert "has no head" in await refusal(folder)
