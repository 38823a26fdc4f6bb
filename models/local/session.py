"""An ONNX graph that is open, and the one thread that computes: local models share the cores."""

import asyncio
import contextlib
import io
import logging
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from schema.errors import ModelUnavailableError

if TYPE_CHECKING:
    import numpy as np

Given = ParamSpec("Given")
Result = TypeVar("Result")

_log = logging.getLogger("quire")

CPU = "CPUExecutionProvider"
CUDA = "CUDAExecutionProvider"

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
        provider: what onnxruntime runs it with, `CUDAExecutionProvider` or `CPUExecutionProvider`.
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
        wanted = choose_providers(onnxruntime.get_available_providers())
        try:
            self._session = open_session(path, options, wanted)
        except Exception as error:
            raise ModelUnavailableError(
                f"The file {path.name} of {name} cannot be used as an ONNX graph "
                f"({_shorten(error)}): fetch or export it again."
            ) from error
        self.inputs = tuple(one.name for one in self._session.get_inputs())
        self.outputs = tuple(one.name for one in self._session.get_outputs())
        self.provider: str = self._session.get_providers()[0]
        self.mixes = _holds(path, b"DynamicQuantize")

    def run(self, given: Mapping[str, "np.ndarray"], outputs: list[str]) -> list["np.ndarray"]:
        """The named outputs for one batch."""
        found: list[np.ndarray] = self._session.run(outputs, dict(given))
        return found


def choose_providers(offered: Sequence[str]) -> list[str]:
    """The providers to open a graph with, the best first, of those that onnxruntime offers.

    It offers CUDA where it was built for it, whether or not the machine has a GPU.
    """
    return [CUDA, CPU] if CUDA in offered else [CPU]


def open_session(path: Path, options: Any, providers: Sequence[str]) -> Any:
    """A graph's session with these providers, or on the processor where the GPU cannot be used.

    Raises what onnxruntime raises where it can be opened on neither.
    """
    import onnxruntime  # noqa: PLC0415  (an extra; 0.2 s)

    if CUDA in providers:
        try:
            # onnxruntime prints and warns of what it lacks: the log has one line of it
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                onnxruntime.preload_dlls()
                session = onnxruntime.InferenceSession(
                    str(path), options, providers=list(providers), enable_fallback=0
                )
        except Exception as error:  # noqa: BLE001  (of a driver, of memory: the processor is left)
            _tell_fallback(_shorten(error))
        else:
            if session.get_providers()[0] != CUDA:
                _tell_fallback("its libraries or a device are missing")
            return session
    return onnxruntime.InferenceSession(str(path), options, providers=[CPU])


@lru_cache(maxsize=8)
def _tell_fallback(reason: str) -> None:
    """Say that the GPU is not used; once for each reason."""
    _log.warning("CUDA cannot be used (%s): local models run on the processor", reason)


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
