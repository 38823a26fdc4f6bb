"""Estimates and ceilings, held against what reports cost: runs on a metered stand-in.

Each installation is one model with habits of its own: its price, its speed (33 to 333 tokens a
second), how it counts, how long it thinks, how often it errs, whether it ends where it is told to.
Installations are processes of their own, side by side, as most of what one does is to wait. Reports
of all modes are written in each one after the other, each estimated first; five in twelve have a
ceiling of tokens, of money, or of minutes, from far too little to ample.

    python benchmarks/price.py [--runs 200] [--installations 8] [--seed 1] [--json FILE]
        [--only tokens|cost|seconds]

`within` is the share of runs without a ceiling, and with others measured before, whose tokens
(money, seconds) lie within 25 % of the estimate's middle. `above` counts runs that went beyond
their ceiling, by the bill of the stand-in; `no report` those that ended with neither a report that
cites nor a sentence before the first call. Exits 1 where fewer than 90 of 100 are within by tokens,
where one is above, or where one has no report. A ceiling of time is one on a machine that can keep
up: 2.5 s of CPU time follow the last answer of a model.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from fakes.metered import Manner, MeteredModel  # noqa: E402
from fakes.researcher import Researcher  # noqa: E402

QUESTIONS = (
    "How do BM25, dense vectors and reranking work together?",
    "What is rank fusion, and when does it help?",
    "How should a long document be cut into chunks?",
    "What does a cross-encoder cost beside a bi-encoder?",
    "How does HNSW find near vectors?",
)
KINDS = ("", "tokens", "", "cost", "", "", "", "tokens", "", "cost", "", "seconds")
"""What is limited, run by run."""

SECONDS, SLOW = 9.0, 0.05
"""The least ceiling of time, and seconds for a token of the model that has to keep it."""

CLOSE = 0.25
"""Share of the estimate's middle that a run may differ by."""

LEAST_WITHIN = 0.9


@dataclass
class Run:
    """One report: what was estimated, what the stand-in billed, and what came out."""

    installation: int
    mode: str
    ceiling: str
    measured: int
    tokens: int
    tokens_estimated: float
    cost: float
    cost_estimated: float
    seconds: float
    seconds_estimated: float
    limit: float = 0.0
    outcome: str = "report"

    def is_close(self, kind: str) -> bool:
        """Whether what was used lies near the estimate."""
        used, middle = getattr(self, kind), getattr(self, f"{kind}_estimated")
        return bool(abs(used - middle) <= CLOSE * max(1e-9, middle))

    @property
    def is_above(self) -> bool:
        """Whether it went beyond its ceiling."""
        used: float = getattr(self, self.ceiling) if self.ceiling else 0.0
        return used > self.limit


def make_manner(chance: random.Random) -> tuple[Manner, tuple[float, float]]:
    """How a model behaves, and its prices: US dollars of a token read and written."""
    manner = Manner(
        counting=chance.uniform(0.8, 1.5),
        obeys=chance.random() < 0.7,
        seconds_per_token=chance.choice((0.003, 0.01, 0.03)),
        thoughts=chance.choice((0, 0, 300, 1_200)),
        errors=chance.choice((0.0, 0.05, 0.2)),
        seed=chance.randrange(10**6),
    )
    read = chance.uniform(0.05, 3) / 1e6
    return manner, (read, read * chance.uniform(2, 5))


def write_all(options: argparse.Namespace) -> list[Run]:
    """The runs of all installations."""
    each = options.runs // options.installations
    write = partial(run_installation, runs=each, seed=options.seed, only=options.only)
    with ProcessPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        return [run for runs in pool.map(write, range(options.installations)) for run in runs]


def run_installation(number: int, runs: int, seed: int, only: str) -> list[Run]:
    """The runs of one installation; for a process of its own."""
    chance = random.Random(f"{seed} {number}")
    return asyncio.run(write_installation(number, runs, chance, only))


async def write_installation(number: int, runs: int, chance: random.Random, only: str) -> list[Run]:
    """The same, in a folder of its own."""
    from library.database.connections import close_databases
    from schema.context import Context
    from serving.reports import create_report
    from serving.runs import run_ingest
    from serving.stored_reports import remove_report

    manner, price = make_manner(chance)
    with tempfile.TemporaryDirectory() as folder, MeteredModel(Researcher(), manner) as api:
        table = {"priced": dict(zip(_COSTS, price, strict=True))}
        prices = Path(folder) / "prices.json"
        prices.write_text(json.dumps(table))
        os.environ |= {
            "QUIRE_DATA_DIR": folder, "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": api.base_url,
            "QUIRE_MODEL": "openai:priced", "QUIRE_PRICES": str(prices),
        }  # fmt: skip
        try:
            await run_ingest([str(ROOT / "samples")], Context(), lambda _: None)
            loaded = await create_report(QUESTIONS[0], Context(remember=False), lambda _: None)
            assert loaded.report
            await remove_report(loaded.report["id"])  # it paid for the loading, as no other does
            return [await write_one(number, api, price, turn, chance, only) for turn in range(runs)]
        finally:
            await close_databases()


_COSTS = ("input_cost_per_token", "output_cost_per_token")


async def write_one(
    number: int,
    api: MeteredModel,
    price: tuple[float, float],
    turn: int,
    chance: random.Random,
    only: str,
) -> Run:
    """One report: its estimate, its ceiling, and what came of it."""
    from schema.context import Context
    from schema.errors import InputError
    from serving.endings import leave_time_to_end
    from serving.estimates import estimate_report
    from serving.reports import create_report

    mode = ("general", "deep", "deep", "deeper")[turn % 4]
    settings: dict[str, Any] = {"research_mode": mode, "check_links": False, "remember": False}
    plain = Context(**settings)
    guess = await estimate_report(plain)
    kind = (only or KINDS[turn % len(KINDS)]) if turn > 3 else ""
    share = chance.uniform(0.15, 1.5)
    limits = {
        "tokens": max(8_000, round(share * guess.tokens.middle)),
        "cost": share * (guess.cost.middle if guess.cost else 0),
        "seconds": SECONDS * (1 + share),
    }
    manner = api.manner
    if kind == "seconds":  # a ceiling of seconds is one of minutes, and a model slow enough for it
        api.manner = replace(manner, seconds_per_token=SLOW)
    if kind == "tokens":
        settings["max_tokens"] = limits[kind]
    elif kind == "cost":
        settings["max_cost"] = limits[kind]
    elif kind == "seconds":
        plain = leave_time_to_end(limits[kind], plain)
        settings["run_seconds"] = plain.run_seconds
    api.billed.clear()
    began = time.perf_counter()
    outcome = "report"
    try:
        made = await create_report(chance.choice(QUESTIONS), Context(**settings), lambda _: None)
        if made.report is None or not made.report["citations"]:
            outcome = "no report"
    except InputError:
        outcome = "no report" if api.billed else "sentence"
    except Exception as error:  # noqa: BLE001  (whatever it is, it is no report)
        outcome = f"no report: {error}"[:120]
    api.manner = manner
    read, written = (sum(one[place] for one in api.billed) for place in (0, 1))
    return Run(
        installation=number, mode=mode, ceiling=kind, measured=guess.runs, tokens=read + written,
        tokens_estimated=guess.tokens.middle, cost=price[0] * read + price[1] * written,
        cost_estimated=guess.cost.middle if guess.cost else 0.0,
        seconds=time.perf_counter() - began,
        seconds_estimated=guess.seconds.middle if guess.seconds else 0.0,
        limit=limits.get(kind, 0.0), outcome=outcome,
    )  # fmt: skip


def show(runs: list[Run]) -> int:
    """Print the figures; returns how many limits do not hold."""
    free = [run for run in runs if not run.ceiling and run.measured]
    faults = 0
    print(f"{len(runs)} runs, {len(free)} of them estimated by others and without a ceiling")
    for kind in ("tokens", "cost", "seconds"):
        within = sum(run.is_close(kind) for run in free) / max(1, len(free))
        held = [run for run in runs if run.ceiling == kind]
        above = [run for run in held if run.is_above]
        used = sum(getattr(run, kind) / run.limit for run in held) / max(1, len(held))
        print(
            f"{kind:8} within 25 %: {within:.2f}   ceilings: {len(held):3}   above: {len(above)}"
            f"   used of them: {used:.2f}"
        )
        faults += bool(above) + (kind == "tokens" and within < LEAST_WITHIN)
    lost = [run for run in runs if run.outcome not in ("report", "sentence")]
    print(f"no report: {len(lost)}   refused before the first call: "
          f"{sum(run.outcome == 'sentence' for run in runs)}")  # fmt: skip
    for run in [*lost, *(run for run in runs if run.is_above)]:
        print("  ", run)
    return faults + bool(lost)


def main() -> int:
    """Write the reports and print the table; 1 where a limit does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--installations", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["tokens", "cost", "seconds"], default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    runs = write_all(options)
    if options.json:
        options.json.write_text(json.dumps([asdict(run) for run in runs], indent=2) + "\n")
    return min(1, show(runs))


if __name__ == "__main__":
    sys.exit(main())
