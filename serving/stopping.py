"""How a process ends at Ctrl-C. Only the standard library is loaded, see cli.py."""

import os
import threading

from serving.plain import tell

STOPPED = 130
"""Exit code after Ctrl-C."""

CLOSING_SECONDS = 5.0
"""What is still being closed so long after Ctrl-C is left to library/reaper.py."""


class StoppedError(Exception):
    """Ctrl-C ended the work; the text says so, and how to go on, unless it was told already."""


def leave_in_time() -> None:
    """End the process soon, whatever its threads wait for."""
    timer = threading.Timer(CLOSING_SECONDS, os._exit, [STOPPED])
    timer.daemon = True
    timer.start()


def leave(code: int) -> None:
    """End at once, at Ctrl-C after all was told; `code` is what the command ended with."""
    if code == 0:
        tell("quire: stopped")
    os._exit(STOPPED)
