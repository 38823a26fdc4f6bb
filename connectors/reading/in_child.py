"""Reading files in a process of its own, which may take so much time and memory and no more.

Five kilobytes of an office file overflow the stack of a native reader, which ends the process that
it runs in; a page of ten megabytes keeps one busy for minutes, in a thread that nobody can stop.
So what others wrote is read in a child that can be ended. It stays for the next file.
"""

import asyncio
import atexit
import faulthandler
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from schema.limits import slots

SECONDS = 120.0
"""Longest that one file may take."""
MEMORY = 2 * 2**30
"""Bytes that the child may have, where the system holds processes to that: Linux does."""
AT_ONCE = 4
"""Children of a process; each takes 50 to 120 MB once it has read something."""

_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; from connectors.reading import in_child, to_text; "
    "in_child.serve(to_text.answer)"
)


class BrokenError(Exception):
    """A file broke its reader or took too long; the message says which."""


async def in_child(data: bytes, suffix: str) -> Mapping[str, Any]:
    """What `to_text.answer` returns for a file. Whoever stops waiting ends the child.

    Raises:
        BrokenError: there is no answer.
    """
    async with slots("reading in children", AT_ONCE):
        child = await asyncio.to_thread(_taken)
        try:
            found = await asyncio.to_thread(child.ask, data, suffix)
        except BaseException:
            child.end()
            raise
        _idle.append(child)
        return found


class _Child:
    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603  (it is this very Python)
            [sys.executable, "-c", _PROGRAM, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, data: bytes, suffix: str) -> Mapping[str, Any]:
        began, line = time.monotonic(), b""
        told = json.dumps([suffix, len(data), SECONDS, MEMORY])
        if (to := self._process.stdin) and (back := self._process.stdout):
            with suppress(OSError):  # it ended
                to.write(told.encode() + b"\n")
                to.write(data)
                to.flush()
                line = back.readline()
        if line.endswith(b"\n"):
            found: Mapping[str, Any] = json.loads(line)
            return found
        self._process.wait()
        if time.monotonic() - began >= SECONDS:
            raise BrokenError(f"reading it takes longer than {SECONDS:g} s")
        raise BrokenError(
            f"it breaks its reader, or needs more than {MEMORY // 2**30} GB of memory"
        )

    def lives(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        self._process.kill()

    def leave(self) -> None:
        self._process.kill()
        self._process.communicate()


_idle: list[_Child] = []


def _taken() -> _Child:
    """A child that waits for a file and still lives, else a new one."""
    while _idle:
        with suppress(IndexError):  # another thread was quicker
            child = _idle.pop()
            if child.lives():
                return child
    return _Child()


@atexit.register
def end_idle() -> None:
    """End the children that wait for a file."""
    while _idle:
        _idle.pop().leave()


def serve(read: Callable[[bytes, str], Mapping[str, Any]]) -> None:
    """Be the child: answer for one file after the other, until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a native reader may print
    while told := sys.stdin.buffer.readline():
        suffix, size, seconds, memory = json.loads(told)
        data = sys.stdin.buffer.read(size)
        _keep_to(memory)
        faulthandler.dump_traceback_later(seconds, exit=True)  # also where nobody waits any more
        answer = json.dumps(read(data, suffix))
        faulthandler.cancel_dump_traceback_later()
        answers.write(answer.encode() + b"\n")
        answers.flush()


def _keep_to(memory: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415  (Windows has none)

    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # it is held to less already
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
