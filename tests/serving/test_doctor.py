"""What `quire doctor` says of models on this machine."""

from pathlib import Path
from typing import Any

import pytest
from fakes.embedding_server import TextsOnly
from fakes.rerank_api import FakeReranker
from fakes.tiny_models import embedder_graph, head_graph, lay_out

from serving.doctor import check_installation


async def part(space: str, name: str) -> Any:
    [found] = [one for one in await check_installation(space) if one.part == name]
    return found


async def test_who_has_no_models_is_told_which_to_take_and_what_they_weigh(space: str) -> None:
    for name, model, size in (
        ("embedding model", "onnx:granite-embedding-97m-multilingual-r2", "115 MB"),
        ("reranker", "onnx:ettin-reranker-32m", "135 MB"),
        ("citation checker", "onnx:nli-deberta-v3-small", "575 MB"),
    ):
        found = await part(space, name)
        assert found.state == "absent"
        assert model in found.detail
        assert size in found.detail
        assert found.cost


async def test_a_model_that_is_not_there_yet_is_told_to_come(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "onnx:mdbr-leaf-ir")
    found = await part(space, "embedding model")
    assert (found.state, found.cost != "") == ("absent", True)
    assert found.detail == "onnx:mdbr-leaf-ir is fetched on first use, about 95 MB"


async def test_a_folder_is_ready_or_broken(
    space: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    monkeypatch.setenv("QUIRE_RERANK_MODEL", f"onnx:{folder}")
    assert (await part(space, "reranker")).state == "broken"
    lay_out(folder, head_graph({"wind": [1.0]}))
    found = await part(space, "reranker")
    assert found.state == "ready"
    assert found.detail.startswith(f"onnx:{folder}, on this machine (1 MB), on its ")
    assert "ExecutionProvider" in found.detail
    assert found.detail.endswith(" ms")
    (folder / "model.onnx").write_bytes(b"x")
    monkeypatch.setenv("QUIRE_RERANK_MODEL", f"onnx:{folder}/model.onnx")
    assert (await part(space, "reranker")).state == "broken"


async def test_a_local_embedder_is_tried(
    space: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lay_out(tmp_path / "own", embedder_graph())
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", f"onnx:{tmp_path / 'own'}")
    found = await part(space, "embedding model")
    assert found.state == "ready"
    assert "ExecutionProvider); 4 numbers a text, " in found.detail


async def test_servers_are_asked_for_one_text(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_EMBEDDING_MODEL", "openai:bge-m3")
    monkeypatch.setenv("QUIRE_RERANK_MODEL", "remote:bge-reranker-v2-m3")
    with TextsOnly(dimension=8) as embedder, FakeReranker(tei=True) as reranker:
        monkeypatch.setenv("QUIRE_EMBEDDING_BASE_URL", embedder.base_url)
        monkeypatch.setenv("QUIRE_RERANK_URL", reranker.address)
        found = await part(space, "embedding model")
        assert found.state == "ready"
        assert found.detail.startswith("openai:bge-m3; 8 numbers a text, ")
        assert (await part(space, "reranker")).state == "ready"
        assert [len(one["texts"]) for one in reranker.requests] == [1] * len(reranker.requests)
    for name in ("embedding model", "reranker"):
        found = await part(space, name)
        assert found.state == "broken"
        assert "cannot be reached" in found.detail
        assert found.cost
