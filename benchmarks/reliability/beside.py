"""What is asked of a library while workers fill it: reports at once, and searches at a rate."""

import asyncio
import json
import random
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.reliability.world.chat_model import Mind
from benchmarks.reliability.world.pages import TOWNS, question
from benchmarks.reliability.world.requests import Delays
from benchmarks.reliability.world.server import World
from schema.errors import QuireError
from serving.search import search_query

MANY = str(Path(__file__).parent / "many.py")


async def search_at_rate(words: Sequence[str], rate: float, seconds: float) -> str:
    """Search for two words so many times a second, whether or not earlier ones have ended.

    Returns:
        How many there were, how many failed, and how long they took.
    """
    chance, taken, failed = random.Random(11), list[float](), 0

    async def search() -> None:
        nonlocal failed
        begun = time.perf_counter()
        try:
            await search_query(" ".join(chance.sample(words, 2)))
        except QuireError:
            failed += 1
        taken.append(time.perf_counter() - begun)

    begun, tasks = time.perf_counter(), list[asyncio.Task[None]]()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
        tasks.append(asyncio.create_task(search()))
    await asyncio.gather(*tasks)
    wall = time.perf_counter() - begun
    return (
        f"searches: {len(taken)} at {rate:.0f} a second, done in {wall:.0f} s "
        f"({len(taken) / wall:.0f} a second), {failed} failed, {_describe(taken)}"
    )


async def write_reports(count: int) -> str:
    """Have so many reports written at once by a process of their own, in a loopback world.

    Returns:
        How many there were, how many failed, and how long they took.
    """
    with World(Mind(), Delays(model=0.3, search=0.3, page=0.1), searches_at_once=16) as world:
        context = {"research_mode": "general", "connectors": ["tavily"], "space": "reports"}
        questions = [question(town) for town in TOWNS[:count]]
        process = await asyncio.create_subprocess_exec(
            *("env", *(f"{name}={value}" for name, value in world.environment().items())),
            *(sys.executable, MANY, json.dumps(context), *questions),
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await process.communicate()
    told = [json.loads(line) for line in out.decode().splitlines() if line.startswith("{")]
    ended = [one for one in told if "question" in one]
    failures = len(questions) - sum(bool(one["report"]) for one in ended)
    return (
        f"reports: {len(questions)} at once, {failures} failed, "
        f"{_describe([one['seconds'] for one in ended])}"
    )


def _describe(seconds: Sequence[float]) -> str:
    if len(seconds) < 2:
        return "none came to its end"
    p95 = statistics.quantiles(seconds, n=20)[-1]
    return f"p50 {statistics.median(seconds):.2f} s, p95 {p95:.2f} s"
