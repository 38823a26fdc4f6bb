"""What `quire doctor` says of models on this machine."""

from pathlib import Path
from typing import Any

import pytest

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
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"x" * 1_500_000)
    (folder / "tokenizer.json").write_text("{}")
    found = await part(space, "reranker")
    assert (found.state, found.detail) == ("ready", f"onnx:{folder}, on this machine (2 MB)")
