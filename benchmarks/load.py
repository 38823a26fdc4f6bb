"""Many reports at once: none fails, none holds what belongs to another, nothing is lost.

Each report has a question on a town of its own, and every sentence of the loopback web names its
town. The model takes 0.3 to 1 s a call; the search engine 0.3 s, and it works on sixteen searches
at once. The reports are written (process) in one process by the machinery of `quire report`, and
(server) by `langgraph dev` through langgraph-sdk.

    python benchmarks/load.py [--reports 1,8,20,40] [--ways process,server] [--mode deep]
        [--json FILE]

`mixed` counts reports with a sentence, a citation or a source of another one's town; `lost
searches` those that a report calls unanswered though the engine answered in time; `bad links`
references that are called dead or unchecked though all pages answer. RSS and connections are the
largest of the process. The lag is that of its event loop: how late it comes back to who sleeps; of
the server, how long its `/ok` takes. Exits 1 where a report fails, is mixed, or lost a search, or
where one process holds more than 40 connections.
"""

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


from benchmarks.reliability.crowds import told, watched  # noqa: E402
from benchmarks.reliability.databases import folder_with_database  # noqa: E402
from benchmarks.reliability.process import Place, ended  # noqa: E402
from benchmarks.reliability.server import Server  # noqa: E402
from benchmarks.reliability.tables import show  # noqa: E402
from benchmarks.reliability.world.chat_model import Mind, chance  # noqa: E402
from benchmarks.reliability.world.pages import TOWNS, question  # noqa: E402
from benchmarks.reliability.world.requests import Call, Delays, Fault  # noqa: E402
from benchmarks.reliability.world.server import World  # noqa: E402

MOST_CONNECTIONS = 40
DEADLINE = 15.0
"""Seconds that a search may take: Quire's own default."""

SEARCHES_AT_ONCE = 16
LONGEST = 600.0
"""Seconds after which reports that are not written count as failed."""

COLUMNS = ["way", "reports", "failures", "mixed", "lost searches", "bad links", "p50 s", "p95 s",
           "of one s", "RSS MiB", "connections", "lag p95 ms", "holds"]  # fmt: skip


def measure(counts: list[int], ways: list[str], mode: str) -> Iterator[dict[str, Any]]:
    """A row for every way and number of reports."""
    with folder_with_database("quire-load-") as (folder, url):
        delays = Delays(model=0.3, search=0.3, page=0.1)
        with World(Mind(), delays, searches_at_once=SEARCHES_AT_ONCE, rules=[_slower]) as world:
            here = Place(folder / "data", folder, world.environment())
            here.quire("doctor")  # the schema is in place, files are in the system's memory
            for way in ways:
                of_one: float | None = None
                for number, count in enumerate(counts):
                    world.forget()
                    questions = [question(town) for town in TOWNS[:count]]
                    context = {"research_mode": mode, "connectors": ["tavily"],
                               "space": f"{way}-{number}"}  # fmt: skip
                    run = in_process if way == "process" else on_server
                    row = run(here, world, url, questions, context)
                    of_one = row["p50 s"] if count == 1 else of_one
                    yield {**row, "of one s": of_one, "holds": not broken(row)}


def _slower(call: Call) -> Fault | None:
    """The model takes up to 0.7 s more, by the hash of what it is asked."""
    return Fault(wait=chance(call.key, 700) / 1000) if call.kind == "model" else None


def broken(row: dict[str, Any]) -> list[str]:
    """What must not be."""
    said = [name for name in ("failures", "mixed", "lost searches") if row[name]]
    if row["way"] == "process" and row["connections"] > MOST_CONNECTIONS:
        said.append("connections")
    return said


def in_process(
    here: Place, world: World, url: str, questions: list[str], context: dict[str, Any]
) -> dict[str, Any]:
    """Write all reports in one process."""
    script = str(ROOT / "benchmarks" / "reliability" / "many.py")
    with (
        here.start(script, json.dumps(context), *questions) as process,
        watched(url, process.pid) as watch,
    ):
        try:
            out, err = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            ended(process)
            out, err = process.communicate()
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    outcomes = [line for line in lines if "question" in line]
    lag = next((line["lag_p95"] for line in lines if "lag_p95" in line), None)
    row = told("process", len(questions), outcomes, world, watch, lag, DEADLINE)
    if err.strip():
        row["errors"].append(err.strip()[-500:])
    return row


def on_server(
    here: Place, world: World, url: str, questions: list[str], context: dict[str, Any]
) -> dict[str, Any]:
    """Have `langgraph dev` write all reports."""
    with Server(here, len(questions)) as server, watched(url, server.pid) as watch:
        outcomes, lag = asyncio.run(server.reports(questions, context, LONGEST))
    return told("server", len(questions), outcomes, world, watch, lag, DEADLINE)


def main() -> int:
    """Print a row for each; 1 where one is broken."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--reports", default="1,8,20,40", help="at once")
    parser.add_argument("--ways", default="process,server")
    parser.add_argument("--mode", default="deep", choices=["general", "deep", "deeper"])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    counts = [min(int(one), len(TOWNS)) for one in options.reports.split(",")]
    rows = []
    for row in measure(counts, options.ways.split(","), options.mode):
        rows.append(row)
        print(f"{'ok ' if row['holds'] else 'NOT'}  {row['way']}: {row['reports']} at once",
              flush=True)  # fmt: skip
    print()
    show(rows, COLUMNS)
    for row in rows:
        if wrong := broken(row):
            errors = "; ".join(row["errors"])[:1000]
            print(f"BROKEN  {row['way']} {row['reports']}: {', '.join(wrong)}: {errors}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    return int(any(not row["holds"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
