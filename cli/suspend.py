"""Ctrl-Z while a report is written: the time until `fg` does not count as the run's."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stop_clocks_while_suspended() -> Iterator[None]:
    """Give a run the time back that its process was suspended for."""
    if not hasattr(signal, "SIGTSTP"):  # Windows
        yield
        return
    before = signal.signal(signal.SIGTSTP, _suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


def _suspend(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """Stop as without a handler; the next line runs when the process goes on."""
    from nodes.common.run import shift_clocks

    since = time.monotonic()
    signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, _suspend)
    shift_clocks(time.monotonic() - since)
