"""How a process ends at Ctrl-C. Only the standard library is loaded, see `cli`."""

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import NoReturn, Self

STOPPED_EXIT_CODE = 130
"""Exit code after Ctrl-C."""

CLOSING_SECONDS = 5.0
"""What is still being closed so long after Ctrl-C is left to
library/database/stop_with_owner.py."""


class StoppedError(Exception):
    """Ctrl-C ended the work; the text says so, and how to go on, unless it was told already."""


def schedule_exit(*_: object) -> None:
    """End the process soon, whatever its threads wait for; Ctrl-C does no more.

    Pressed again it must not end the process at once: a server's list of its users may be half
    written.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    timer = threading.Timer(CLOSING_SECONDS, os._exit, [STOPPED_EXIT_CODE])
    timer.daemon = True
    timer.start()


def raise_interrupt(*_: object) -> NoReturn:
    """Raise what Python's own handler does, once."""
    schedule_exit()
    raise KeyboardInterrupt


class InterruptHandler:
    """Does one thing at Ctrl-C, once, in place of an error that is raised anywhere."""

    def __init__(self) -> None:
        self._pressed = False
        self._callback: Callable[[], object] = lambda: None

    def __enter__(self) -> Self:
        self._previous_handler = signal.signal(signal.SIGINT, self._handle_signal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._pressed:
            signal.signal(signal.SIGINT, self._previous_handler)

    def set_callback(self, call: Callable[[], object]) -> None:
        """What to do; at once, where it was pressed already."""
        self._callback = call
        if self._pressed:
            call()

    def _handle_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self._pressed = True
        schedule_exit()
        self._callback()
