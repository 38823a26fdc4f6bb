"""Embedding models on this machine, on graphs whose numbers are known."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes.tiny_models import INPUTS, embedder_graph, hidden_states, lay_out

from library.library import open_library
from models.embeddings import Embedder, get_embedder
from models.local.encode import BATCH_TEXTS, BATCH_TOKENS, plan_batches
from schema.documents import Document
from schema.errors import InputError, ModelUnavailableError

TEXT = "wind turns blades"
TOKENS = ["[CLS]", *TEXT.split(), "[SEP]"]


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the installation's embedding model is."""
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", f"onnx:{tmp_path / 'tiny'}")
    return tmp_path / "tiny"


def made() -> Embedder:
    found = get_embedder()
    assert found is not None
    return found


def unit(vector: np.ndarray) -> Any:
    return pytest.approx(vector / np.linalg.norm(vector), abs=1e-5)


POOLINGS = {
    "mean": ({"pooling_mode_mean_tokens": True}, hidden_states(TOKENS).mean(axis=0)),
    "cls": ({"pooling_mode_cls_token": True}, hidden_states(TOKENS)[0]),
    "last": ({"pooling_mode_lasttoken": True}, hidden_states(TOKENS)[-1]),
    "named": ({"pooling_mode": "cls"}, hidden_states(TOKENS)[0]),
    "unsaid": ({}, hidden_states(TOKENS).mean(axis=0)),
}


@pytest.mark.parametrize("told", POOLINGS)
async def test_the_vector_of_a_text_is_pooled_as_the_model_s_files_say(
    folder: Path, told: str
) -> None:
    config, expected = POOLINGS[told]
    lay_out(folder, embedder_graph(), {"1_Pooling/config.json": config})
    longer = f"{TEXT} bread needs flour"  # padding stands behind the shorter one
    [vector, _] = await made().embed_documents([TEXT, longer])
    assert vector == unit(expected)


async def test_a_vector_that_the_graph_pools_itself_is_taken_as_it_is(folder: Path) -> None:
    files = {"1_Pooling/config.json": {"pooling_mode_cls_token": True}}
    lay_out(folder, embedder_graph(output="sentence_embedding", whole=True), files)
    [vector] = await made().embed_documents([TEXT])
    assert vector == unit(hidden_states(TOKENS).mean(axis=0))


async def test_queries_and_passages_have_prefixes_of_their_own(folder: Path) -> None:
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    lay_out(folder, embedder_graph(), {"config_sentence_transformers.json": prompts})
    query, [passage] = await made().embed_query(TEXT), await made().embed_documents([TEXT])
    for vector, word in ((query, "query"), (passage, "passage")):
        tokens = ["[CLS]", word, ":", *TEXT.split(), "[SEP]"]
        assert vector == unit(hidden_states(tokens).mean(axis=0))


async def test_a_graph_is_given_the_inputs_that_it_takes(folder: Path) -> None:
    lay_out(folder, embedder_graph((*INPUTS, "position_ids")))
    [vector] = await made().embed_documents([TEXT])
    assert vector == unit(hidden_states(TOKENS).mean(axis=0))


@pytest.mark.parametrize("coarse", [False, True])
async def test_texts_in_batches_have_the_vectors_that_they_have_alone(
    folder: Path, coarse: bool
) -> None:
    lay_out(folder, embedder_graph(coarse=coarse))
    words = ["wind", "turns", "blades", "bread", "needs", "flour"]
    texts = [" ".join(words[i % 6] for i in range(n * 7 % 23)) for n in range(3 * BATCH_TEXTS)]
    together = await made().embed_documents(texts)
    alone = [(await made().embed_documents([text]))[0] for text in texts]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert len({tuple(vector) for vector in alone}) > 10


def test_batches_hold_texts_of_like_lengths_and_no_more_than_fits() -> None:
    lengths = [5, 900, 3, 880, *[40] * 100, 1, 2000, 2000, 2000]
    batches = plan_batches(lengths)
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    in_order = [lengths[place] for batch in batches for place in batch]
    assert in_order == sorted(lengths, reverse=True)
    for batch in batches:
        assert len(batch) == 1 or lengths[batch[0]] * len(batch) <= BATCH_TOKENS
        assert len(batch) <= BATCH_TEXTS
    assert len(batches) <= 20


async def test_what_is_longer_than_a_model_reads_is_cut_off_and_told_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lay_out(folder, embedder_graph(), {"sentence_bert_config.json": {"max_seq_length": 4}})
    with caplog.at_level(logging.WARNING, "quire"):
        [vector, _] = await made().embed_documents([TEXT, "bread"])
        await made().embed_query(TEXT)
    assert vector == unit(hidden_states(["[CLS]", "wind", "turns", "[SEP]"]).mean(axis=0))
    [told] = caplog.messages
    assert "reads 4 tokens" in told
    assert "1 of 2" in told


async def test_the_plain_methods_give_the_same_within_a_running_loop(folder: Path) -> None:
    from models.local.embedder import LocalEmbeddings

    lay_out(folder, embedder_graph())
    model = LocalEmbeddings(f"onnx:{folder}")
    assert model.embed_documents([TEXT]) == await model.aembed_documents([TEXT])
    assert model.embed_query(TEXT) == await model.aembed_query(TEXT)


def test_a_model_serves_one_event_loop_after_another(folder: Path) -> None:
    lay_out(folder, embedder_graph())

    async def size() -> int:
        return len(await made().embed_query(TEXT))

    assert [asyncio.run(size()) for _ in range(3)] == [4] * 3


async def test_a_query_has_its_turn_between_the_batches_of_others(folder: Path) -> None:
    lay_out(folder, embedder_graph())
    await made().prepare()
    many = asyncio.create_task(made().embed_documents([TEXT] * 400 * BATCH_TEXTS))
    await asyncio.sleep(0)
    await made().embed_query(TEXT)
    assert not many.done()
    many.cancel()
    with pytest.raises(asyncio.CancelledError):
        await many


async def refusal() -> str:
    with pytest.raises(ModelUnavailableError) as caught:
        await made().embed_query(TEXT)
    told = str(caught.value)
    assert told.endswith(".")
    assert "\n" not in told
    return told


async def test_a_graph_without_the_model_s_last_layers_is_refused(folder: Path) -> None:
    modules = [{"type": f"sentence_transformers.models.{n}"} for n in ("Transformer", "Dense")]
    lay_out(folder, embedder_graph(), {"modules.json": modules})
    assert "ends before the model's last layers (Dense)" in await refusal()


async def test_a_graph_that_wants_more_than_tokens_is_refused(folder: Path) -> None:
    lay_out(folder, embedder_graph((*INPUTS[:2], "past_key_values.0.key")))
    assert "wants past_key_values.0.key beside tokens" in await refusal()


async def test_a_folder_says_what_it_lacks(folder: Path) -> None:
    assert "there is no folder" in await refusal()
    lay_out(folder, embedder_graph())
    (folder / "tokenizer.json").unlink()
    assert "has no tokenizer.json" in await refusal()
    (folder / "model.onnx").unlink()
    assert "has no ONNX file" in await refusal()
    for name in ("a.onnx", "b.onnx"):
        (folder / name).touch()
    assert "several ONNX files (a.onnx, b.onnx)" in await refusal()
    lay_out(folder, embedder_graph())
    (folder / "model.onnx").write_bytes(b"<html>Not found</html>")
    assert "model.onnx" in await refusal()


async def test_one_file_of_a_folder_can_be_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = lay_out(tmp_path / "tiny", embedder_graph(), graph_file="onnx/model_int8.onnx")
    lay_out(folder, embedder_graph(), graph_file="onnx/model_q4.onnx")
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", f"onnx:{folder}/onnx/model_int8.onnx")
    assert await made().embed_query(TEXT) == unit(hidden_states(TOKENS).mean(axis=0))


async def test_a_folder_called_like_a_known_model_is_asked_as_that_one_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = lay_out(tmp_path / "granite-embedding-97m-multilingual-r2", embedder_graph())
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", f"onnx:{folder}")
    assert await made().embed_query(TEXT) == unit(hidden_states(TOKENS)[0])


@pytest.mark.parametrize(
    "name", ["onnx:nonsense", "onnx:a/../b", "onnx:", "onnx:a/b/c", "onnx:../../etc/passwd"]
)
async def test_a_name_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", name)
    with pytest.raises((InputError, ModelUnavailableError)) as caught:
        await made().embed_query(TEXT)
    assert name.partition(":")[2] in str(caught.value)


def test_a_known_model_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "onnx:ettin-reranker-32m")
    with pytest.raises(InputError, match="is a reranker, and gives no vectors"):
        get_embedder()


def test_the_table_says_which_languages_a_model_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "onnx:mdbr-leaf-ir")
    assert (made().supports_language("en"), made().supports_language("zh")) == (True, False)
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "onnx:granite-embedding-97m-multilingual-r2")
    assert made().supports_language("zh")


async def test_without_its_weights_a_library_is_searched_by_words(
    space: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "onnx:tiny/embedder")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    library = await open_library(space)
    await library.store(
        [Document(uri="file:///a.md", title="a", text="Wind turns.", connector="files")]
    )
    with caplog.at_level(logging.WARNING, "quire"):
        assert await library.embed_missing() == 0
    [told] = caplog.messages
    assert "could not be fetched" in told
    assert told.endswith("only words are searched.")
    found = await library.search("wind blades")
    assert [one["code"] for one in found.degraded] == ["embedding_unavailable"]
    assert len(found.hits) == 1
