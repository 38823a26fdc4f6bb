"""The fault matrix: what a run makes of a model, a search engine, a page, a database that fails.

Every row runs the real command line in a process of its own, in a loopback world in which one thing
goes wrong, and compares it with the same commands in a world in which nothing does. A row keeps its
word where the exit code is the right one, every loss is named in the report with its code and what
was lost, nothing was lost without a word, no traceback and at most one sentence of error were
printed, and it took no longer than its bound.

    python benchmarks/faults.py [--only WORDS] [--jobs 2] [--slack 6] [--json FILE]

`--only` keeps to the rows whose name or group holds these words. Exits 1 where a row breaks its
word. The bound is twice the run without the fault, what the row says that the fault may add, and
`--slack` seconds for a busy machine.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks.reliability.databases import folder_with_database  # noqa: E402
from benchmarks.reliability.matrix import input_rows, model_rows, search_rows  # noqa: E402
from benchmarks.reliability.matrix.actions import Ask, Killed, Outcome, Report, Setting  # noqa: E402
from benchmarks.reliability.matrix.row import (  # noqa: E402
    CONNECTOR_SECONDS,
    MODEL_SECONDS,
    SLACK,
    Row,
    bound,
    complaints,
)
from benchmarks.reliability.process import Place  # noqa: E402
from benchmarks.reliability.tables import show  # noqa: E402
from benchmarks.reliability.world.chat_model import Mind  # noqa: E402
from benchmarks.reliability.world.pages import half  # noqa: E402
from benchmarks.reliability.world.requests import Delays  # noqa: E402
from benchmarks.reliability.world.server import USUAL, World  # noqa: E402

ROWS = [*model_rows.ROWS, *search_rows.ROWS, *input_rows.ROWS]

COLUMNS = ["group", "fault", "exit", "codes", "named", "model", "searches", "wall s",
           "without s", "bound s", "holds"]  # fmt: skip


class Matrix:
    """Runs rows in a folder, with one database for all that do not need their own."""

    def __init__(self, folder: Path, delays: Delays, slack: float) -> None:
        """Set it up; a row says itself how long its searches take."""
        self.folder = folder
        self._delays = delays
        self._slack = slack
        self._bases: dict[Any, Outcome] = {}
        self._locks: dict[Any, Lock] = {}
        self._lock = Lock()
        self._number = 0

    def measure(self, row: Row) -> dict[str, Any]:
        """Run a row; its line of the table."""
        base = self._base(row)
        without = base.ran.seconds if base else None
        most = bound(row, without, self._slack)
        with (
            World(
                Mind(row.mind),
                replace(self._delays, search=row.search_delay),
                excerpts=row.excerpts,
                rules=row.rules(),
            ) as world,
            self._setting(world, row, most + 5) as here,
        ):
            got = replace(row.act(here), failures=world.failures)
        told = complaints(row, got, base, most)
        codes = got.codes
        return {
            "group": row.group,
            "fault": row.name,
            "exit": got.ran.code,
            "codes": ", ".join(codes),
            "named": not any("named" in one or "silent" in one for one in told),
            "model": sum(one.kind == "model" for one in got.calls),
            "searches": sum(one.kind == "search" for one in got.calls),
            "wall s": round(got.ran.seconds, 1),
            "without s": without and round(without, 1),
            "bound s": round(most, 1),
            "holds": not told,
            "why": told,
            "said": got.ran.err[-2000:],
        }

    def _base(self, row: Row) -> Outcome | None:
        """The same commands where nothing is wrong; only reports and answers have such."""
        if not isinstance(row.act, Report | Ask):
            if not isinstance(row.act, Killed):
                return None
            act: Any = Report()
        else:
            act = replace(row.act, resumed=False) if isinstance(row.act, Report) else row.act
        key = (act, row.search_delay, row.excerpts is half)
        with self._lock:
            lock = self._locks.setdefault(key, Lock())
        with lock:
            if key not in self._bases:
                delays = replace(self._delays, search=row.search_delay)
                with (
                    World(None, delays, excerpts=row.excerpts) as world,
                    self._setting(world, None, 300) as here,
                ):
                    self._bases[key] = act(here)
        return self._bases[key]

    @contextmanager
    def _setting(self, world: World, row: Row | None, seconds: float) -> Iterator[Setting]:
        with self._lock:
            self._number += 1
            number = self._number
        folder = self.folder / f"row{number}"
        folder.mkdir()
        variables = {
            **world.environment(),
            "QUIRE_MODEL_SECONDS": str(MODEL_SECONDS),
            "QUIRE_CONNECTOR_SECONDS": str(CONNECTOR_SECONDS),
            "QUIRE_SEARXNG_BASE_URL": f"{world.url}/searxng",
            **(row.variables if row else {}),
        }
        yield Setting(
            Place(self.folder / "data", folder, variables), world, f"row{number}", folder, seconds
        )


def measured(
    rows: Sequence[Row], jobs: int, delays: Delays = USUAL, slack: float = SLACK
) -> Iterator[dict[str, Any]]:
    """Run rows, some at once; their lines in order, as they are known.

    Args:
        rows: of the matrix.
        jobs: rows at once.
        delays: of the loopback world's answers.
        slack: seconds that a busy machine may add to a row's bound.
    """
    with (
        folder_with_database("quire-faults-") as (folder, _),
        ThreadPoolExecutor(jobs) as pool,
    ):
        yield from pool.map(Matrix(folder, delays, slack).measure, rows)


def chosen(words: str) -> list[Row]:
    """The rows whose name or group holds some words."""
    return [row for row in ROWS if words.casefold() in f"{row.group} {row.name}".casefold()]


def main() -> int:
    """Print a line for every row; 1 where one breaks its word."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", default="", help="words of a row's name or group")
    parser.add_argument("--jobs", type=int, default=2, help="rows at once")
    parser.add_argument(
        "--slack", type=float, default=SLACK, help="seconds that a busy machine may add to a row"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    for row in measured(chosen(options.only), options.jobs, slack=options.slack):
        rows.append(row)
        print(f"{'ok ' if row['holds'] else 'NOT'}  {row['group']}: {row['fault']}", flush=True)
    print()
    show(rows, COLUMNS)
    broken = [row for row in rows if not row["holds"]]
    for row in broken:
        print(f"BROKEN  {row['group']}: {row['fault']}: {'; '.join(row['why'])}")
    print(f"{len(rows) - len(broken)} of {len(rows)} rows keep their word.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    return int(bool(broken) or not rows)


if __name__ == "__main__":
    sys.exit(main())
