"""An ONNX graph that is open, and the one thread that computes: local models share the cores."""

import asyncio
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from schema.errors import ModelUnavailableError

if TYPE_CHECKING:
    import numpy as np

Given = ParamSpec("Given")
Result = TypeVar("Result")

_computer = ThreadPoolExecutor(1, thread_name_prefix="quire-local-model")
"""A graph takes all cores by itself. What is asked of several takes turns, a batch at a time."""


async def compute(
    work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
) -> Result:
    """Do work in the thread of the local models. What is cancelled before its turn is not done."""
    return await asyncio.get_running_loop().run_in_executor(
        _computer, lambda: work(*given, **named)
    )


class Graph:
    """An ONNX graph that can be run.

    Attributes:
        inputs: the names of what it takes.
        outputs: the names of what it gives.
        mixes: whether what it gives for a text depends on the others of its batch.
    """

    def __init__(self, name: str, path: Path) -> None:
        """Open a graph, on a GPU where this onnxruntime has one.

        Args:
            name: of the model, for errors.
            path: of the file.

        Raises:
            ModelUnavailableError: it cannot be opened.
        """
        import onnxruntime  # noqa: PLC0415  (an extra; 0.2 s)

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = _count_cores()
        # threads that wait sleep: spinning takes a third of the time of a machine that does more
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3  # errors, which come as exceptions too
        there = onnxruntime.get_available_providers()
        wanted = [p for p in ("CUDAExecutionProvider", "CPUExecutionProvider") if p in there]
        try:
            self._session: Any = onnxruntime.InferenceSession(str(path), options, providers=wanted)
        except Exception as error:
            raise ModelUnavailableError(
                f"The file {path.name} of {name} cannot be used as an ONNX graph "
                f"({_shorten(error)}): fetch or export it again."
            ) from error
        self.inputs = tuple(one.name for one in self._session.get_inputs())
        self.outputs = tuple(one.name for one in self._session.get_outputs())
        self.mixes = _holds(path, b"DynamicQuantize")

    def run(self, given: Mapping[str, "np.ndarray"], outputs: list[str]) -> list["np.ndarray"]:
        """The named outputs for one batch."""
        found: list[np.ndarray] = self._session.run(outputs, dict(given))
        return found


def _holds(path: Path, operator: bytes) -> bool:
    """Whether a graph has an operator. Those of 8 bits take one scale for a whole batch."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(operator) >= 0


def _count_cores() -> int:
    """Cores that this process may use: a container has fewer than its machine."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _shorten(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".")[:160]
