"""What a turn over all workers costs: milliseconds of taking one and giving it back.

python benchmarks/turns.py [--turns 500]
"""

import argparse
import asyncio
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from library.database.connections import close_databases  # noqa: E402
from team.turns import SharedTurns  # noqa: E402


async def measure(turns: int) -> list[float]:
    """Milliseconds of each of so many turns, one after the other, nobody else asking."""
    keeper, taken = SharedTurns(), []
    for _ in range(turns):
        begun = time.perf_counter()
        async with keeper.take("benchmark", 8, "benchmark"):
            pass
        taken.append((time.perf_counter() - begun) * 1_000)
    await close_databases()
    return taken


def main() -> None:
    """Print the median and the 95th percentile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=500)
    taken = asyncio.run(measure(parser.parse_args().turns))
    print(f"{len(taken)} turns: median {statistics.median(taken):.2f} ms, ", end="")
    print(f"95 % within {statistics.quantiles(taken, n=20)[-1]:.2f} ms")


if __name__ == "__main__":
    main()
