"""Wall time of a run against its critical path, with a model of fixed latency.

The critical path is the longest chain of model calls that wait for each other, counted in the run.
What wall time adds to it is everything else: searching, ranking, citing.

    python benchmarks/pipeline.py [--latency 1.0] [--runs 3] [--floor 1.15] [--json FILE]
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, get_args

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
QUESTION = "How do BM25, dense vectors and reranking work together?"


async def measure(latency: float, runs: int) -> list[dict[str, Any]]:
    """Run every mode against a loopback model server.

    Returns:
        For each mode the median wall time, the critical path, both in seconds, their ratio, the
        number of model calls, and the largest number under way at once.
    """
    from fakes.openai_api import FakeOpenAI
    from fakes.writer import Writer

    from benchmarks.measures.call_chain import find_longest_chain, record_calls
    from cli.loading import pause_collector

    with pause_collector():  # as the commands do
        from library.database.connections import close_databases
        from schema.context import Context, ResearchMode
        from serving.runs import run_ingest, run_report

    rows = []
    with FakeOpenAI(Writer(), latency=latency) as api:
        os.environ |= {"OPENAI_BASE_URL": api.base_url, "OPENAI_API_KEY": "none"}
        concepts = str(ROOT / "samples")
        await run_ingest([concepts], Context(space="bench"), lambda _: None)
        for mode in get_args(ResearchMode):
            context = Context(space="bench", research_mode=mode)
            await run_report(QUESTION, context, lambda _: None)  # connections and caches are warm
            walls, chains = [], []
            for _ in range(runs):
                api.requests.clear()
                started = time.perf_counter()
                with record_calls() as recorder:
                    await run_report(QUESTION, context, lambda _: None)
                walls.append(time.perf_counter() - started)
                chains.append(find_longest_chain(recorder.trees))
            wall, path = statistics.median(walls), max(chains) * latency
            rows.append(
                {
                    "mode": mode,
                    "wall": round(wall, 3),
                    "critical_path": round(path, 3),
                    "ratio": round(wall / path, 3),
                    "calls": len(api.requests),
                    "peak": api.peak,
                }
            )
        await close_databases()
    return rows


def main() -> int:
    """Print the table; exit 1 where a mode's ratio is above the floor."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--latency", type=float, default=1.0, help="seconds of every model call")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--floor", type=float, default=1.15, help="largest ratio that passes")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QUIRE_DATA_DIR"] = folder
        rows = asyncio.run(measure(options.latency, options.runs))
    print(f"{'mode':10}{'wall s':>10}{'path s':>10}{'ratio':>8}{'calls':>8}{'at once':>9}")
    for row in rows:
        print(
            f"{row['mode']:10}{row['wall']:10.3f}{row['critical_path']:10.3f}{row['ratio']:8.3f}"
            f"{row['calls']:8}{row['peak']:9}"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return int(any(row["ratio"] > options.floor for row in rows))


if __name__ == "__main__":
    sys.exit(main())
