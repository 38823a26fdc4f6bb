"""Running `quire`, and other programs, in processes of their own."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import psutil

ROOT = Path(__file__).parents[2]

OURS = ("QUIRE_", "OPENAI_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_", "HF_", "LANGGRAPH_")

COMPILING = "PYTHONDONTWRITEBYTECODE"
"""With it every command would compile all that it imports, two seconds; installed code is."""

_ID = "[2-9a-hjkmnp-z]{8}"
_TOLD = re.compile(rf"^((quire: )?report {_ID}\b.*|skipped .*|.*--resume {_ID}\b.*)$")
"""Lines of standard error that may stand beside an error: the run's id, how to go on with it, a
file that was passed over."""

_IDENTITY = re.compile(rf"^quire: report {_ID}\b")


@dataclass(frozen=True)
class Ran:
    """What came of a process. `code` is None where it had to be ended.

    On a terminal `out` is all that it printed.
    """

    code: int | None
    out: str
    err: str
    seconds: float
    terminal: bool = False

    @property
    def traceback(self) -> bool:
        """Whether a traceback was printed."""
        return "Traceback (most recent call last)" in self.err + self.out

    @property
    def sentences(self) -> list[str]:
        """The errors that it told: a line each, as it must be one sentence."""
        said = [line for line in self._lines if line.startswith("quire: ")]
        return [line for line in said if not _IDENTITY.match(line)]

    @property
    def noise(self) -> list[str]:
        """What stands on standard error and is neither an error nor something it had to say."""
        return [
            line
            for line in self._lines
            if not self.terminal and not line.startswith("quire: ") and not _TOLD.match(line)
        ]

    @property
    def _lines(self) -> list[str]:
        said = self.out if self.terminal else self.err
        return [line for line in said.splitlines() if line.strip()]


@dataclass
class Place:
    """Where processes run: a data folder, a working folder, and the variables of a world.

    `memory` is what each of them may have, in bytes; 0 for as much as there is.
    """

    data: Path
    work: Path
    variables: Mapping[str, str] = field(default_factory=dict)
    memory: int = 0

    def environment(self) -> dict[str, str]:
        """All variables of a process."""
        kept = {n: v for n, v in os.environ.items() if not n.startswith((*OURS, COMPILING))}
        return {
            **kept,
            "QUIRE_DATA_DIR": str(self.data),
            "QUIRE_DATABASE_IDLE_SECONDS": "0",
            "LANGSMITH_TRACING": "false",
            "LANGGRAPH_CLI_NO_ANALYTICS": "1",
            "PYTHONPATH": str(ROOT),
            "NO_PROXY": "127.0.0.1,localhost",
            **self.variables,
        }

    def quire(self, *arguments: str, seconds: float = 120.0) -> Ran:
        """Run a command to its end."""
        return self.python("-m", "cli", *arguments, seconds=seconds)

    def python(self, *arguments: str, seconds: float = 120.0) -> Ran:
        """Run Python to its end, or end it."""
        started = time.monotonic()
        with self.start(*arguments) as process:
            try:
                out, err = process.communicate(timeout=seconds)
                code: int | None = process.returncode
            except subprocess.TimeoutExpired:
                ended(process)
                out, err = process.communicate()
                code = None
        return Ran(code, out, err, time.monotonic() - started)

    def start(
        self,
        *arguments: str,
        stdin: int = subprocess.DEVNULL,
        stderr: int | IO[str] = subprocess.PIPE,
    ) -> "subprocess.Popen[str]":
        """Start Python in a group of its own, its output to be read."""
        started = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.work,
            env=self.environment(),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        if self.memory:
            psutil.Process(started.pid).rlimit(psutil.RLIMIT_DATA, (self.memory, self.memory))
        return started

    def start_quire(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start a command."""
        return self.start("-m", "cli", *arguments)

    def on_terminal(self, *arguments: str, seconds: float = 120.0) -> Ran:
        """Run a command of `quire` on a terminal of its own."""
        started = time.monotonic()
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "cli", *arguments],
            cwd=self.work,
            env={**self.environment(), "TERM": "xterm", "COLUMNS": "300"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        said = b""
        while time.monotonic() - started < seconds:
            ready, _, _ = select.select([ours], [], [], 0.2)
            try:
                more = os.read(ours, 65_536) if ready else None
            except OSError:  # its other end is closed
                break
            if more is not None:
                said += more
            elif process.poll() is not None:
                break
        code = process.poll()
        if code is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(5)
        if code is None:
            ended(process)
        os.close(ours)
        return Ran(code, said.decode(errors="replace"), "", time.monotonic() - started, True)


def ended(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    """End a process and all that it started in its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)
