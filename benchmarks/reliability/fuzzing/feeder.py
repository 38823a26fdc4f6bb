"""Feeding inputs to a child that may crash or hang, and starting another where it did."""

import json
import selectors
import time
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from benchmarks.reliability.fuzzing.inputs import Input
from benchmarks.reliability.process import ROOT, Place, ended

EATERS = ROOT / "benchmarks" / "reliability" / "fuzzing" / "targets.py"
START_SECONDS = 60.0


class Feeder:
    """One child at a time that eats inputs."""

    def __init__(self, here: Place, space: str, seconds: float, script: Path = EATERS) -> None:
        """Set it up.

        Args:
            here: where the child runs.
            space: of the library, with documents in it.
            seconds: that one input may take.
            script: the child.
        """
        self._here = here
        self._space = space
        self._seconds = seconds
        self._script = script
        self._child: Popen[str] | None = None
        self.log = here.work / f"{space}.log"

    def feed(self, given: Input) -> dict[str, Any]:
        """What came of an input: see `eaters`; or the outcome "crash" or "hang"."""
        child = self._child or self._start()
        assert child.stdin
        try:
            child.stdin.write(json.dumps(given) + "\n")
            child.stdin.flush()
        except BrokenPipeError:
            return self._lost("crash")
        line = self._line(child, self._seconds)
        if line is None:
            return self._lost("hang")
        if not line.endswith("\n"):
            return self._lost("crash")
        told: dict[str, Any] = json.loads(line)
        return told

    def close(self) -> None:
        """End the child."""
        if self._child:
            ended(self._child)
            self._child = None

    def _start(self) -> "Popen[str]":
        with self.log.open("a") as log:
            self._child = self._here.start(str(self._script), self._space, stdin=PIPE, stderr=log)
        if self._line(self._child, START_SECONDS) != "ready\n":
            self.close()
            raise RuntimeError(f"The child does not start: {self.log.read_text()[-2000:]}")
        return self._child

    def _lost(self, outcome: str) -> dict[str, Any]:
        code = self._child.poll() if self._child else None
        self.close()
        said = Path(self.log).read_text(errors="replace")[-300:]
        what = f"exit {code}: {said}" if outcome == "crash" else f"over {self._seconds:g} s"
        return {"outcome": outcome, "error": what, "seconds": self._seconds}

    @staticmethod
    def _line(child: "Popen[str]", seconds: float) -> str | None:
        """The next line that it prints, "" at its end; None where it takes too long."""
        assert child.stdout
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while (left := deadline - time.monotonic()) > 0:
                if selector.select(left):
                    return child.stdout.readline()
        return None
