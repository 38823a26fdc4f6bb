"""Reports by a small model: one that reads 8,192 tokens, cuts longer prompts, and errs.

Every run is a `deep` report on the samples against a server of its own on loopback, whose habits
follow from the seed and the run's number: it names its window at a route of llama.cpp, vLLM, Ollama
or LM Studio, in an error, or nowhere; it keeps the end or the beginning of a prompt that is too
long; it knows structured output, tool calls, or neither. Three objects of ten are broken in the
ways of small models; some answers are empty, refusals, loops, or begin with thoughts.

    python benchmarks/small_window.py [--runs 300] [--seed 1] [--window 8192] [--json FILE]

`cut` counts prompts that a server cut, `unnoticed` those whose answer was used without a word,
`cut though known` those that were cut by servers that had named their window. A report is whole
that has all its sections, each with citations. Exits 1 where a cut is unnoticed or was known,
where a citation has no verdict, or where fewer than 99 of 100 reports are whole.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from fakes.researcher import Researcher  # noqa: E402
from fakes.small_model import MODEL, Habits, SmallModel, Tells  # noqa: E402

from citations.markers import find_markers  # noqa: E402

QUESTION = "How do BM25, dense vectors and reranking work together?"
SECTIONS = 3
LEAST_WHOLE = 0.99
"""Share of reports that have all their sections."""

TELLS: tuple[Tells, ...] = ("props", "models", "ollama", "studio", "error", "nothing", "nothing")
KEEPS = ("end", "start", "half")
FORMS = (frozenset({"schema", "tool"}), frozenset({"tool"}), frozenset[str]())


@dataclass
class Run:
    """What came of one report; `told` says where its server names the window."""

    told: str
    keeps: str
    calls: int = 0
    tokens: int = 0
    cut: int = 0
    noticed: int = 0
    whole: bool = False
    citations: int = 0
    unchecked: int = 0
    codes: list[str] = field(default_factory=list)
    error: str = ""

    @property
    def unnoticed(self) -> int:
        """Cut prompts whose answers were used."""
        return max(0, self.cut - self.noticed)

    @property
    def known(self) -> bool:
        """Whether the server names its window before a prompt is sent."""
        return self.told not in ("error", "nothing")


def make_habits(number: int, seed: int, window: int) -> Habits:
    """The habits of a run's server; neighbours differ in all of them."""
    return Habits(
        window=window,
        tells=TELLS[number % len(TELLS)],
        keeps=KEEPS[number // 2 % len(KEEPS)],  # type: ignore[arg-type]
        forms=FORMS[number // 3 % len(FORMS)],
        seed=seed * 1_000_003 + number,
    )


async def write_one(habits: Habits) -> Run:
    """Write one report, and compare what the server saw with what the report says."""
    from schema.context import Context
    from schema.errors import QuireError
    from serving.runs import run_report

    run = Run(habits.tells, habits.keeps)
    context = Context(
        space="bench", research_mode="deep", judge_model=f"openai:{MODEL}",
        section_tokens=20_000, top_k=40, check_links=False, remember=False,
    )  # fmt: skip
    with SmallModel(Researcher(), habits) as server:
        os.environ["OPENAI_BASE_URL"] = server.base_url
        try:
            state: Any = await run_report(QUESTION, context, lambda _: None)
        except QuireError as error:
            run.error = str(error)
            state = {"report": None, "calls": []}
        run.calls, run.cut = len(server.requests), len(server.cut)
        run.tokens = sum(server.reported)
    run.noticed = sum(bool(call.get("cut_at")) for call in state["calls"])
    if report := state["report"]:
        _read_report(run, report)
    return run


def _read_report(run: Run, report: dict[str, Any]) -> None:
    written = [one for one in report["sections"] if one.get("kind") != "summary"]
    cited = [len(find_markers(section["text"])) for section in written]
    run.whole = len(cited) == SECTIONS and all(cited)
    run.codes = sorted({one["code"] for one in report["degraded"]})
    if not run.whole:
        run.error = " ".join(one["detail"] for one in report["degraded"])
    checked = {(one["section"], one["number"]) for one in report["citations"] if one.get("verdict")}
    for place, section in enumerate(report["sections"]):
        numbers = set(find_markers(section["text"]))
        run.citations += len(numbers)
        run.unchecked += sum((place, number) not in checked for number in numbers)


async def measure(runs: int, seed: int, window: int) -> list[Run]:
    """Write so many reports, one after the other."""
    from library.database.connections import close_databases
    from schema.context import Context
    from serving.runs import run_ingest

    os.environ |= {"OPENAI_API_KEY": "none", "QUIRE_MODEL": f"openai:{MODEL}"}
    await run_ingest([str(ROOT / "samples")], Context(space="bench"), lambda _: None)
    try:
        return [await write_one(make_habits(number, seed, window)) for number in range(runs)]
    finally:
        await close_databases()


def add_up(runs: Iterable[Run]) -> dict[str, Any]:
    """The row of some runs."""
    held = list(runs)
    count = max(1, len(held))
    return {
        "runs": len(held),
        "whole": sum(run.whole for run in held),
        "cut": sum(run.cut for run in held),
        "unnoticed": sum(run.unnoticed for run in held),
        "cut though known": sum(run.cut for run in held if run.known),
        "citations": sum(run.citations for run in held),
        "unchecked": sum(run.unchecked for run in held),
        "calls": round(sum(run.calls for run in held) / count, 1),
        "tokens": round(sum(run.tokens for run in held) / count),
    }


def find_faults(row: dict[str, Any]) -> list[str]:
    """What must not be."""
    wrong = [name for name in ("unnoticed", "cut though known", "unchecked") if row[name]]
    if row["whole"] < LEAST_WHOLE * row["runs"] or not row["citations"]:
        wrong.append("whole")
    return wrong


def show(runs: list[Run]) -> dict[str, Any]:
    """Print a line for each kind of server, then all of them; their sum."""
    total = add_up(runs)
    print(f"{'window named by':18}" + "".join(f"{name:>18}" for name in total))
    for told in dict.fromkeys(TELLS):
        row = add_up(run for run in runs if run.told == told)
        print(f"{told:18}" + "".join(f"{value:18,}" for value in row.values()))
    print(f"{'all':18}" + "".join(f"{value:18,}" for value in total.values()))
    codes = Counter(code for run in runs for code in run.codes)
    print("\nruns with a code: " + ", ".join(f"{n} {code}" for code, n in codes.most_common()))
    for run in runs:
        if run.error or not run.whole:
            print(f"NOT WHOLE  {run.told}, keeps {run.keeps}: {run.error}")
    return total


def main() -> int:
    """Print the table; 1 where a limit does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--window", type=int, default=8_192, help="tokens")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QUIRE_DATA_DIR"] = folder
        runs = asyncio.run(measure(options.runs, options.seed, options.window))
    total = show(runs)
    if options.json:
        made = {"all": total, "runs": [asdict(run) for run in runs]}
        options.json.write_text(json.dumps(made, indent=2) + "\n")
    faults = find_faults(total)
    print(f"BROKEN: {', '.join(faults)}" if faults else "All limits hold.")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
