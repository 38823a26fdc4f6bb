"""Where a graph runs: on a GPU where onnxruntime has one, else on the processor."""

import logging
from pathlib import Path

import onnxruntime
import pytest
from fakes.tiny_models import embedder_graph, lay_out

from models.local.session import CPU, CUDA, Graph, _tell_fallback, choose_providers, open_session


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([CUDA, CPU], [CUDA, CPU]),
        (["TensorrtExecutionProvider", CUDA, CPU], [CUDA, CPU]),
        (["AzureExecutionProvider", CPU], [CPU]),
    ],
)
def test_cuda_comes_first_where_it_is_offered(offered: list[str], chosen: list[str]) -> None:
    assert choose_providers(offered) == chosen


@pytest.mark.skipif(CUDA in onnxruntime.get_available_providers(), reason="this build has CUDA")
def test_without_cuda_a_graph_runs_on_the_processor_and_the_log_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lay_out(tmp_path, embedder_graph()) / "model.onnx"
    _tell_fallback.cache_clear()
    with caplog.at_level(logging.WARNING, "quire"):
        for _ in range(2):
            session = open_session(path, onnxruntime.SessionOptions(), [CUDA, CPU])
            assert session.get_providers() == [CPU]
    [told] = caplog.messages
    assert told.startswith("CUDA cannot be used")
    assert capsys.readouterr().out == ""


def test_a_session_that_cannot_be_made_with_cuda_is_made_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = lay_out(tmp_path, embedder_graph()) / "model.onnx"
    _tell_fallback.cache_clear()
    # a provider that no build knows is refused, as one whose driver fails is
    session = open_session(path, onnxruntime.SessionOptions(), [CUDA, ("Nonsense", "x"), CPU])  # type: ignore[list-item]
    assert session.get_providers() == [CPU]
    assert "CUDA cannot be used" in caplog.text


def test_a_graph_says_what_it_runs_with(tmp_path: Path) -> None:
    path = lay_out(tmp_path, embedder_graph()) / "model.onnx"
    assert Graph("tiny", path).provider in (CUDA, CPU)
