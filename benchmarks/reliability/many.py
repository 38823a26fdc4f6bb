"""Many reports at once in one process, by the machinery of `quire report`; told as lines of JSON.

    python many.py CONTEXT QUESTION...

Each report is begun and written as the command line does it. A line for each says how long it took
and what came of it; the last one, how late the event loop was and what the process used.
"""

import asyncio
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT)]

TICK = 0.05
"""Seconds between two looks at the event loop's clock."""


async def written(question: str, context: Any) -> dict[str, Any]:
    """One report: its seconds, and the report or what went wrong."""
    from schema.errors import QuireError
    from serving.reports import begin_report, write_report

    started = time.monotonic()
    told: dict[str, Any] = {"question": question, "report": None, "error": ""}
    try:
        outcome = await write_report(await begin_report(question, context), lambda _: None)
        told |= {"report": outcome.report, "error": outcome.reason}
    except QuireError as error:
        told["error"] = str(error)
    except Exception as error:  # noqa: BLE001  (it is counted)
        told["error"] = f"{type(error).__name__}: {error}"
    return {**told, "seconds": round(time.monotonic() - started, 2)}


async def lateness(late: list[float]) -> None:
    """How late the loop comes back to who sleeps, again and again."""
    while True:
        due = time.monotonic() + TICK
        await asyncio.sleep(TICK)
        late.append(time.monotonic() - due)


async def main(context: str, *questions: str) -> None:
    """Write them all at once."""
    from library.database.connections import close_databases
    from schema.context import Context

    given = Context(**json.loads(context))
    late: list[float] = []
    watching = asyncio.create_task(lateness(late))
    started = time.monotonic()
    try:
        for one in asyncio.as_completed([written(question, given) for question in questions]):
            print(json.dumps(await one), flush=True)
    finally:
        watching.cancel()
        await close_databases()
    late.sort()
    used = {
        "wall": round(time.monotonic() - started, 2),
        "lag_p95": round(late[int(len(late) * 0.95)], 3) if late else 0.0,
        "rss": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    print(json.dumps(used), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
