"""What `quire report` adds to its providers: before its first call, between calls, after the last.

Commands run one after the other in processes of their own, on one data folder, against a loopback
world (`benchmarks/reliability/world`) whose answers take so long.

    python benchmarks/command.py [--runs 3] [--mode deep] [--idle 300]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks.reliability.process import Place  # noqa: E402
from benchmarks.reliability.world.pages import TOWNS, question  # noqa: E402
from benchmarks.reliability.world.requests import Call, Delays  # noqa: E402
from benchmarks.reliability.world.server import World  # noqa: E402

DELAYS = Delays(model=1.0, search=0.5, page=0.3)

COLUMNS = (
    "first call s", "CPU till it", "waiting s", "inside s", "ratio",
    "printed s", "exit s", "CPU s", "MiB",
)  # fmt: skip


def measure(place: Place, world: World, mode: str) -> list[float]:
    """Run one command; returns a value for each of `COLUMNS`.

    From the start to the first call, and the processor's time till then; how long any call was
    under way; from the first call to the end of the last one; that by how long was waited; from
    there to the text, and on to the exit; the processor's time in all; the largest memory.
    """
    world.forget()
    started = time.monotonic()
    command = ["report", question(TOWNS[0]), "--mode", mode, "--connector", "tavily", "--fresh"]
    process = place.start("-m", "cli", *command, stderr=subprocess.DEVNULL)
    running, spent = psutil.Process(process.pid), list[float]()

    def note(_: Call) -> None:
        if not spent:
            spent.append(sum(running.cpu_times()[:2]))

    world.on_come = note
    assert process.stdout is not None
    printed = started
    while os.read(process.stdout.fileno(), 65_536):
        printed = time.monotonic() if printed == started else printed
    _, status, used = os.wait4(process.pid, 0)
    ended = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    first = min(call.came for call in world.calls)
    last = max(call.sent or call.came for call in world.calls)
    waiting = add_up(world.calls)
    return [
        first - started,
        spent[0],
        waiting,
        last - first,
        (last - first) / waiting,
        printed - last,
        ended - printed,
        used.ru_utime + used.ru_stime,
        used.ru_maxrss / 1024,
    ]


def add_up(calls: Sequence[Call]) -> float:
    """Seconds in which at least one call was under way."""
    total, until = 0.0, 0.0
    for call in sorted(calls, key=lambda one: one.came):
        end = call.sent or call.came
        total += max(0.0, end - max(call.came, until))
        until = max(until, end)
    return total


def main() -> int:
    """Print a row for each command, and the least of each column."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--mode", default="deep", choices=["general", "deep", "deeper"])
    parser.add_argument("--idle", type=int, default=300, help="QUIRE_DATABASE_IDLE_SECONDS")
    options = parser.parse_args()
    rows = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        World(delays=DELAYS) as world,
    ):
        place = Place(Path(folder, "data"), Path(folder), world.environment())
        place.quire("doctor", seconds=300)  # makes the tables
        place.variables = {**place.variables, "QUIRE_DATABASE_IDLE_SECONDS": str(options.idle)}
        print("".join(f"{name:>13}" for name in COLUMNS))
        for _ in range(options.runs + 1):
            rows.append(measure(place, world, options.mode))
            print("".join(f"{value:13.2f}" for value in rows[-1]), flush=True)
    print("the first starts the server; the least of the others:")
    print("".join(f"{min(column):13.2f}" for column in zip(*rows[1:], strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
