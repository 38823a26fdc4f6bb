"""A worker killed in the midst of a look, and another that takes over: for `benchmarks/watch.py`.

As a program it is that worker: it does what is queued and ends.
"""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

LONGEST = 120.0
"""Seconds until a worker must have begun."""


async def kill_within(jobs: Any, after: float) -> bool:
    """Have a child process look at the report, and kill it `after` seconds from its beginning.

    The time in which a dead worker is still believed is set to be over, as the days are; then its
    job is taken over, to be done by whoever works next.

    Returns:
        Whether it was killed within the look: False where it had ended by then.
    """
    child = await asyncio.create_subprocess_exec(sys.executable, __file__)
    began = time.monotonic()
    while not await _count_doing(jobs) and child.returncode is None:
        if time.monotonic() - began > LONGEST:
            break
        await asyncio.sleep(0.02)
    await asyncio.sleep(after)
    if child.returncode is None:
        os.kill(child.pid, signal.SIGKILL)
    await child.wait()
    killed = bool(await _count_doing(jobs))
    await jobs._app.connector.execute_query_async(  # noqa: SLF001  (no way in ages a worker)
        "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 day'"
    )
    await jobs.take_over()
    return killed


async def _count_doing(jobs: Any) -> int:
    found = await jobs._app.connector.execute_query_one_async(  # noqa: SLF001  (as above)
        "SELECT count(*) AS n FROM procrastinate_jobs "
        "WHERE task_name = 'watch' AND status = 'doing'"
    )
    return int(found["n"])


async def _work() -> None:
    from library.database.connections import close_databases
    from serving.jobs import find_job_member, open_jobs

    try:
        async with open_jobs() as jobs:
            await jobs.work(find_job_member, wait=False)
    finally:
        await close_databases()


if __name__ == "__main__":
    asyncio.run(_work())
