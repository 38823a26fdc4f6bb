"""Reading what strangers wrote, in processes that may take so much time and memory and no more.

Five kilobytes of an office file overflow the stack of a native reader, and so do nested brackets
that of a grammar, which ends the process that it runs in; a page of ten megabytes keeps a reader
busy for minutes, in a thread that nobody can stop. So it is read in a child that can be ended. The
child stays for the next one who has something to read.
"""

import asyncio
import atexit
import faulthandler
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from schema.concurrency import get_semaphore

MAX_IDLE = 4
"""Children that wait for work; each holds 50 to 120 MB once it has read something."""

_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from library import sandbox; sandbox.serve()"


@dataclass(frozen=True)
class SandboxedReader:
    """Something that is read in children, and what it may cost.

    Attributes:
        name: of the share of children that is its own.
        function: the function that reads, as in `package.module:function`. It is given bytes and
            named values, and returns what JSON can hold.
        concurrency: children at once, of all users of a process.
        seconds: longest that reading one thing may take.
        memory: bytes that a child may have, where the system holds processes to that: Linux does.
    """

    name: str
    function: str
    concurrency: int
    seconds: float
    memory: int = 2 * 2**30


class SandboxError(Exception):
    """What was read broke its reader or took too long; the message says which."""


async def run_in_sandbox(reading: SandboxedReader, data: bytes, **given: Any) -> Any:
    """What the reader returns for data and given values. Whoever stops waiting ends the child.

    Raises:
        BrokenError: there is no answer.
    """
    loop = asyncio.get_running_loop()
    async with get_semaphore(f"children that read {reading.name}", reading.concurrency):
        child = await loop.run_in_executor(_threads, _take_child)
        try:
            found = await loop.run_in_executor(_threads, child.run, reading, data, given)
        except BaseException:
            child.kill()
            raise
        if len(_idle) < MAX_IDLE:
            _idle.append(child)
        else:
            child.kill()
        return found


class _Child:
    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603  (it is this very Python)
            [sys.executable, "-c", _PROGRAM, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def run(self, reading: SandboxedReader, data: bytes, given: dict[str, Any]) -> Any:
        began, line = time.monotonic(), b""
        told = json.dumps([reading.function, given, len(data), reading.seconds, reading.memory])
        if (to := self._process.stdin) and (back := self._process.stdout):
            with suppress(OSError):  # it ended
                to.write(told.encode() + b"\n")
                to.write(data)
                to.flush()
                line = back.readline()
        if line.endswith(b"\n"):
            return json.loads(line)
        self._process.wait()
        if time.monotonic() - began >= reading.seconds:
            raise SandboxError(f"reading it takes longer than {reading.seconds:g} s")
        raise SandboxError(
            f"it breaks its reader, or needs more than {reading.memory / 2**30:g} GB of memory"
        )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


_idle: list[_Child] = []
_threads = ThreadPoolExecutor(32, "children")
"""Threads that wait for children, and for nothing else: they must not use up those of others."""


def _take_child() -> _Child:
    """A child that waits for work and still lives, else a new one."""
    while _idle:
        with suppress(IndexError):  # another thread was quicker
            child = _idle.pop()
            if child.is_alive():
                return child
    return _Child()


@atexit.register
def end_idle() -> None:
    """End the children that wait for work."""
    while _idle:
        _idle.pop().close()


def serve() -> None:
    """Be the child: read one thing after the other, until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a native reader may print
    while told := sys.stdin.buffer.readline():
        reader, given, size, seconds, memory = json.loads(told)
        data = sys.stdin.buffer.read(size)
        module, _, function = reader.partition(":")
        read = getattr(import_module(module), function)
        _limit_memory(memory)
        faulthandler.dump_traceback_later(seconds, exit=True)  # also where nobody waits any more
        answer = json.dumps(read(data, **given))
        faulthandler.cancel_dump_traceback_later()
        answers.write(answer.encode() + b"\n")
        answers.flush()


def _limit_memory(memory: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # it is held to less already
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
