"""A run that is killed loses nothing: what was finished is not done again.

A report in three sections (`deep`) and one in six with deep searches (`deeper`) are made in a
loopback world whose answers follow from what is asked. The process is then killed by SIGKILL at
points of such a run, when a request comes or just after it was answered; the points are spread over
the model's tasks, the searches and the pages, and follow from the seed. `quire report --resume ID`
goes on, and the outcome is compared with the undisturbed run's.

    python benchmarks/kill.py [--points 30] [--modes deep,deeper] [--seed 1] [--json FILE]

A request is finished 0.25 s after its whole answer was sent, or when a later one came that could
only be made with that answer. Exits 1 where a finished call of the model or a finished search is
made again, where the report is not that of the undisturbed run (text, citations, references and
codes, without ids and times), or where a point was not met. Pages that are read again are counted.
`--points` counts those of each mode.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks.reliability.crashes import (  # noqa: E402
    Disturbed,
    Point,
    Undisturbed,
    differences,
    disturbed,
    finished,
    points,
    repeated,
    undisturbed,
    unknown,
)
from benchmarks.reliability.databases import folder_with_database  # noqa: E402
from benchmarks.reliability.process import Place  # noqa: E402
from benchmarks.reliability.tables import show  # noqa: E402
from benchmarks.reliability.world.pages import half  # noqa: E402
from benchmarks.reliability.world.requests import Delays  # noqa: E402
from benchmarks.reliability.world.server import World  # noqa: E402
from schema.context import ResearchMode  # noqa: E402

COLUMNS = ["mode", "killed at", "finished", "calls again", "searches again", "pages again",
           "other calls", "equal", "resumed s"]  # fmt: skip


def measure(
    modes: list[ResearchMode], count: int, seed: int, latency: float
) -> Iterator[dict[str, Any]]:
    """A row for every point of every mode, as it is known; first the undisturbed run's own."""
    with folder_with_database("quire-kill-") as (folder, _):
        os.environ["QUIRE_DATA_DIR"] = str(folder / "data")
        delays = Delays(model=latency, search=latency * 2 / 3, page=latency / 3)
        with World(None, delays, excerpts=half) as world:
            here = Place(folder / "data", folder, world.environment())
            for mode in modes:
                target = folder / "report.json"
                whole = undisturbed(here, world, mode, f"{mode}-whole", target)
                yield _whole(mode, whole)
                for number, point in enumerate(points(whole.calls, count, seed)):
                    run = disturbed(here, world, mode, f"{mode}-{number}", target, point)
                    yield _row(mode, point, run, whole)


def _whole(mode: str, whole: Undisturbed) -> dict[str, Any]:
    kinds = Counter(one.kind for one in whole.calls if one.name != "head")
    return {
        "mode": mode, "killed at": "never", "finished": sum(kinds.values()), "calls again": 0,
        "searches again": 0, "pages again": 0, "other calls": 0, "equal": True,
        "resumed s": round(whole.ran.seconds, 1), "holds": True, "why": [],
        "calls": dict(Counter(f"{one.kind} {one.name}" for one in whole.calls)),
    }  # fmt: skip


def _row(mode: str, point: Point, run: Disturbed, whole: Undisturbed) -> dict[str, Any]:
    told = [f"differs in {part}" for part in differences(run.report, whole.report)]
    row: dict[str, Any] = {"mode": mode, "killed at": str(point), "about": point.call.about}
    if run.killed is None:
        told.append("the run ended before the point was met")
        row |= {"finished": 0, "calls again": 0, "searches again": 0, "pages again": 0}
        return {**row, "other calls": 0, "equal": not told, "resumed s": None, "holds": False,
                "why": told}  # fmt: skip
    calls = repeated("model", run, whole)
    searches = repeated("search", run, whole)
    pages = repeated("page", run, whole, "read")
    told += [f"{one.name} of “{one.about[:60]}” again" for one in (*calls, *searches)]
    resumed = run.resumed
    if resumed is not None and (resumed.code != 0 or resumed.traceback):
        told.append(f"on resuming, exit {resumed.code}: {resumed.err.strip()[-200:]}")
    return {
        **row,
        "finished": len([c for c in finished(run.before, run.killed) if c.name != "head"]),
        "calls again": len(calls),
        "searches again": len(searches),
        "pages again": len(pages),
        "other calls": len(unknown(run, whole)),
        "equal": not differences(run.report, whole.report),
        "resumed s": round(resumed.seconds, 1) if resumed else None,
        "holds": not told,
        "why": told,
    }


def main() -> int:
    """Print a row for every point; 1 where something was done twice or came out otherwise."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--points", type=int, default=30, help="of each mode")
    parser.add_argument("--modes", default="deep,deeper")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--latency", type=float, default=0.3, help="seconds of a model's call")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    modes = cast("list[ResearchMode]", options.modes.split(","))
    rows = []
    for row in measure(modes, options.points, options.seed, options.latency):
        rows.append(row)
        told = f": {'; '.join(row['why'])}" if row["why"] else ""
        print(f"{'ok ' if row['holds'] else 'NOT'}  {row['mode']} {row['killed at']}{told}",
              flush=True)  # fmt: skip
    print()
    show(rows, COLUMNS)
    killed = [row for row in rows if row["killed at"] != "never"]
    print(
        f"seed {options.seed}: {sum(row['calls again'] for row in killed)} finished calls, "
        f"{sum(row['searches again'] for row in killed)} searches and "
        f"{sum(row['pages again'] for row in killed)} pages again; "
        f"{sum(row['equal'] for row in killed)} of {len(killed)} reports are equal"
    )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    return int(not all(row["holds"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
