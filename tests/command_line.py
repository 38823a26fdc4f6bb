"""`quire` from its arguments to its exit code: in this process, or in its own (two seconds)."""

import io
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli import main

ROOT = Path(__file__).parents[1]


class Done(NamedTuple):
    """What a command left: its exit code, and what it printed."""

    code: int
    out: str
    err: str


class Terminal(io.TextIOWrapper):
    """Standard output or error that says it is a terminal, or that it is none."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


def quire(*arguments: str, terminal: bool = False) -> Done:
    """Run a command as the installed script does."""
    out, err = Terminal(terminal=terminal), Terminal(terminal=terminal)
    with pytest.MonkeyPatch.context() as patch, _process_kept():
        patch.setattr(sys, "argv", ["quire", *arguments])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    assert isinstance(ended.value.code, int)
    return Done(ended.value.code, out.text(), err.text())


def one_sentence(done: Done) -> str:
    """Why a command failed: one line on standard error after a report's id, and no traceback."""
    assert done.code not in (0, 130), done
    [line] = [one for one in done.err.splitlines() if not one.startswith("report ")]
    assert line.startswith("quire: ")
    assert "Traceback" not in line
    return line.removeprefix("quire: ")


@contextmanager
def _process_kept() -> Iterator[None]:
    """What a command sets up for its whole process is undone."""
    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    loggers = [logging.getLogger(), logging.getLogger("quire")]
    logged = [list(logger.handlers) for logger in loggers]
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for logger, before in zip(loggers, logged, strict=True):
            logger.handlers[:] = before
        logging.captureWarnings(capture=False)


def command(*arguments: str) -> list[str]:
    """What starts a command in a process of its own."""
    return [sys.executable, "-m", "cli", *arguments]


def start(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    """Start a command in a process of its own, with more in its environment."""
    return subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def process(*arguments: str, **how: Any) -> Done:
    """Run a command in a process of its own; `how` is as of `subprocess.run`."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how
    done = subprocess.run(command(*arguments), text=True, timeout=120, check=False, **how)
    return Done(done.returncode, done.stdout or "", done.stderr or "")
