"""Local models that are fetched: once, whole, and compared with what was fetched first."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import one_sentence, quire
from fakes.model_hub import COMMIT, FakeHub
from fakes.tiny_models import embedder_graph, head_graph, lay_out

from models.embeddings import Embedder, get_embedder
from models.local import fetch
from models.local.known_models import MODELS
from models.local.names import parse_name
from models.rerank import rerank_texts
from schema.errors import ModelUnavailableError

REPOSITORY = "tiny/embedder"
NAME = f"onnx:{REPOSITORY}"
NOBODY = "http://127.0.0.1:1"


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An installation that has nothing yet, with the fetched model as its embedder."""
    monkeypatch.setenv("QUIRE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HF_ENDPOINT", NOBODY)
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", NAME)
    return tmp_path / "data" / "models"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeHub]:
    """A hub with one repository."""
    with FakeHub() as hub:
        hub.files[REPOSITORY] = read(lay_out(tmp_path / "made", embedder_graph()))
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def read(folder: Path) -> dict[str, bytes]:
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return files | {"README.md": b"read me", "model.safetensors": b"other weights"}


def made() -> Embedder:
    found = get_embedder()
    assert found is not None
    return found


async def refusal() -> str:
    with pytest.raises(ModelUnavailableError) as caught:
        await made().embed_query("wind")
    told = str(caught.value)
    assert told.endswith(".")
    assert "\n" not in told
    return told


async def test_a_model_is_fetched_once_and_by_its_commit(hub: FakeHub, data: Path) -> None:
    asked = [made().embed_query("wind") for _ in range(8)]
    vectors = await asyncio.gather(*asked)
    assert all(vector == vectors[0] for vector in vectors)
    wanted = sorted(["tokenizer.json", "model.onnx"])
    assert sorted(path for _, path in hub.sent) == wanted
    [file] = data.glob("*/fetched.json")
    record = json.loads(file.read_text())
    assert (record["revision"], sorted(record["sha256"])) == (COMMIT, wanted)


async def test_weights_beside_the_graph_come_with_it(hub: FakeHub) -> None:
    hub.files[REPOSITORY] = {**hub.files[REPOSITORY], "model.onnx_data": b"weights"}
    await made().prepare()
    assert (REPOSITORY, "model.onnx_data") in hub.sent


async def test_a_file_that_is_not_what_the_hub_says_is_refused(hub: FakeHub, data: Path) -> None:
    hub.tampered["model.onnx"] = b"something else"
    assert "model.onnx of onnx:tiny/embedder is not what it should be" in await refusal()
    assert not list(data.glob("*/model.onnx"))


async def test_a_file_that_changed_since_it_was_fetched_is_refused(
    hub: FakeHub, data: Path
) -> None:
    await fetch.fetch_missing(parse_name(NAME))
    [tokenizer] = data.glob("*/tokenizer.json")
    tokenizer.write_bytes(tokenizer.read_bytes() + b" ")
    told = await refusal()
    assert "tokenizer.json of onnx:tiny/embedder is not what it should be" in told
    assert "quire models remove onnx:tiny/embedder" in told


async def test_a_known_hash_is_compared_whatever_the_hub_says(hub: FakeHub, data: Path) -> None:
    known = replace(MODELS[0], revision=COMMIT, hashes={"tokenizer.json": "0" * 64})
    with pytest.raises(ModelUnavailableError, match="file tokenizer"):
        await fetch.fetch_missing(replace(parse_name(NAME), known=known))
    assert not list(data.glob("*/tokenizer.json"))


async def test_without_the_network_one_sentence_says_so_and_is_not_waited_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = await refusal()
    assert f"{NOBODY} cannot be reached" in told
    assert "quire models fetch onnx:tiny/embedder" in told
    with FakeHub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        assert await refusal() == told


async def test_what_the_hub_does_not_have_or_give_is_told(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.gated.add(REPOSITORY)
    assert "accept their terms" in await refusal()
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "onnx:tiny/other")
    assert "does not have it" in await refusal()
    fetch.forget_failures()
    hub.gated.clear()
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", NAME)
    assert len(await made().embed_query("wind")) == 4


async def test_a_repository_without_a_graph_says_to_export_one(hub: FakeHub) -> None:
    hub.files[REPOSITORY] = {"model.safetensors": b"weights", "tokenizer.json": b"{}"}
    assert "has no ONNX file: export it" in await refusal()


async def test_without_its_weights_a_reranker_leaves_it_to_the_words() -> None:
    texts = ["Bread needs flour.", "Wind turns the blades."]
    ranking = await rerank_texts("wind", texts, "onnx:tiny/reranker")
    assert ranking.scores == (await rerank_texts("wind", texts, "words")).scores
    assert [one["code"] for one in ranking.degraded] == ["reranker_unavailable"]
    assert "cannot be reached" in ranking.degraded[0]["detail"]


def test_models_are_listed_fetched_and_removed(hub: FakeHub, tmp_path: Path) -> None:
    hub.files["cross-encoder/ettin-reranker-32m-v1"] = read(
        lay_out(tmp_path / "ettin", head_graph({"wind": [1.0]}), graph_file="onnx/model.onnx")
    )

    def listed() -> dict[str, bool]:
        return {
            one["name"]: one["there"] for one in json.loads(quire("models", "list", "--json").out)
        }

    assert not any(listed().values())
    assert quire("models", "fetch", "ettin-reranker-32m", NAME).code == 0
    there = {name for name, is_there in listed().items() if is_there}
    assert there == {"onnx:ettin-reranker-32m", NAME}
    shown = quire("models", "list").out
    assert all(
        words in shown for words in ("Apache-2.0", COMMIT[:12], "not fetched", "to be exported")
    )
    assert quire("models", "remove", "ettin-reranker-32m", NAME).code == 0
    assert not any(listed().values())
    assert "is not in the data folder" in one_sentence(quire("models", "remove", NAME))


def test_a_model_that_cannot_be_fetched_ends_the_command_with_a_sentence() -> None:
    assert "cannot be reached" in one_sentence(quire("models", "fetch", "mdbr-leaf-ir"))
