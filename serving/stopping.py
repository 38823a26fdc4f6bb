"""How a process ends at Ctrl-C. Only the standard library is loaded, see cli.py."""

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import NoReturn, Self

STOPPED = 130
"""Exit code after Ctrl-C."""

CLOSING_SECONDS = 5.0
"""What is still being closed so long after Ctrl-C is left to library/reaper.py."""


class StoppedError(Exception):
    """Ctrl-C ended the work; the text says so, and how to go on, unless it was told already."""


def leave_in_time(*_: object) -> None:
    """End the process soon, whatever its threads wait for; Ctrl-C does no more.

    Pressed again it must not end the process at once: a server's list of its users may be half
    written.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    timer = threading.Timer(CLOSING_SECONDS, os._exit, [STOPPED])
    timer.daemon = True
    timer.start()


def interrupt(*_: object) -> NoReturn:
    """Raise what Python's own handler does, once."""
    leave_in_time()
    raise KeyboardInterrupt


class CtrlC:
    """Does one thing at Ctrl-C, once, in place of an error that is raised anywhere."""

    def __init__(self) -> None:
        self._pressed = False
        self._call: Callable[[], object] = lambda: None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._pressed:
            signal.signal(signal.SIGINT, self._before)

    def calls(self, call: Callable[[], object]) -> None:
        """What to do; at once, where it was pressed already."""
        self._call = call
        if self._pressed:
            call()

    def _press(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self._pressed = True
        leave_in_time()
        self._call()
