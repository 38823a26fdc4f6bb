"""How many calls of a model a run makes, one after the other."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.context import register_configure_hook
from langchain_core.tracers.schemas import Run


class CallRecorder(BaseTracer):
    """Keeps the trees of the runs that end while it records."""

    run_inline = True  # in order: from a thread, a step could be told before the one it is part of

    def __init__(self) -> None:
        super().__init__()
        self.trees: list[Run] = []

    def _persist_run(self, run: Run) -> None:
        self.trees.append(run)


_recorder: ContextVar[CallRecorder | None] = ContextVar("golden_call_recorder", default=None)
register_configure_hook(_recorder, inheritable=True)


@contextmanager
def record_calls() -> Iterator[CallRecorder]:
    """Record what LangChain runs in this context and in tasks that begin in it."""
    recorder = CallRecorder()
    token = _recorder.set(recorder)
    try:
        yield recorder
    finally:
        _recorder.reset(token)


def find_longest_chain(runs: Sequence[Run]) -> int:
    """The most calls of chat models of which each began after the one before had ended.

    Steps that overlap run side by side: only the longest of them counts. The chain of a step is
    that of what it runs. Where a limit makes calls wait for each other, they count as a chain.
    """
    found: list[tuple[datetime, datetime, int]] = []
    for run in runs:
        is_call = run.run_type in ("llm", "chat_model")
        length = 1 if is_call else find_longest_chain(run.child_runs)
        if length and run.end_time:
            found.append((run.end_time, run.start_time, length))
    best: list[tuple[datetime, int]] = []
    for end, start, length in sorted(found):
        before = max((total for ended, total in best if ended <= start), default=0)
        best.append((end, before + length))
    return max((total for _, total in best), default=0)
