"""How well deep search answers from a small web on loopback, and what its loop is worth.

The web is made by `deep_web`: some hundreds of pages of things that do not exist, with dead ends,
copies, redirects and traps, and a search engine that knows a part of them by their beginnings. An
answer stands on a page that a search finds, or one or two pages beyond it, or nowhere.

    python benchmarks/deep_search.py [--model NAME] [--questions N] [--floor .65,.05] [--json FILE]

An answer is right where it was accepted, holds the gold text and cites its page; wrong where it was
accepted and does not; of a question without an answer, right where none was accepted. `--floor`
names the least share of right answers of the whole loop, and the largest of wrong ones.
`--questions` keeps to the first N of each group.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks.deep_web.questions import GROUPS, Question, questions  # noqa: E402
from benchmarks.deep_web.server import Loopback  # noqa: E402
from benchmarks.deep_web.web import FORBIDDEN, HOSTS, ORDERED  # noqa: E402
from benchmarks.deep_web.world import World  # noqa: E402

BUDGETS = {
    "one search, no reading": {"deep_searches": 1, "deep_pages": 0},
    "one search, three pages": {"deep_searches": 1, "deep_pages": 3},
    "deep search": {"deep_searches": 12, "deep_pages": 20},
}
TOKENS, SECONDS = 200_000, 120.0
STEP_TOKENS, STEP_SECONDS = 20_000, 30.0
"""What one step may spend after the budget is used up."""


@dataclass
class Outcome:
    """What came of one question."""

    run: str
    group: str
    question: str
    text: str
    right: bool
    wrong: bool
    steps: int
    queries: int
    pages: int
    dead: int
    tokens: int
    seconds: float
    faults: list[str]
    diary: list[str]


async def ask(run: str, number: int, asked: Question, web: Loopback, model: str) -> Outcome:
    """Run one question in a space of its own, and judge what came of it."""
    from graphs.deep_search import graph
    from schema.context import Context

    limits: dict[str, Any] = BUDGETS[run]
    context = Context(
        connectors=["searxng"],
        space=f"{run.replace(' ', '_').replace(',', '')}-{number}",
        planner_model=model,
        writer_model=model,
        deep_tokens=TOKENS,
        deep_seconds=SECONDS,
        **limits,
    )
    web.read.clear()
    started = time.perf_counter()
    state = await graph.ainvoke({"question": asked.text}, context=context)
    seconds, answer = time.perf_counter() - started, state["answer"]
    is_right = _is_right(answer, asked, web) if asked.gold else not answer["answered"]
    return Outcome(
        run=run,
        group=asked.group,
        question=asked.text,
        text=answer["text"],
        right=is_right,
        wrong=answer["answered"] and not is_right,
        steps=len(answer["diary"]),
        queries=len(answer["queries"]),
        pages=answer["spent"]["pages"],
        dead=len(answer["pages_failed"]),
        tokens=answer["spent"]["tokens"],
        seconds=round(seconds, 1),
        faults=_faults(answer, context, web, asked),
        diary=answer["diary"],
    )


def _is_right(answer: dict[str, Any], asked: Question, web: Loopback) -> bool:
    assert asked.page is not None
    holding = {web.web.page_of(asked.page), web.web.mirror_of(asked.page)}
    cited = {reference["url"] for reference in answer["references"]}
    said = any(gold in answer["text"] for gold in asked.gold)
    return bool(answer["answered"] and said and cited & holding)


def _faults(answer: dict[str, Any], context: Any, web: Loopback, asked: Question) -> list[str]:
    """What must never happen."""
    spent, found = answer["spent"], []
    seen: set[tuple[str, str]] = set()
    for host, path, moved in web.read:
        reply = web.web.reply(host, path)
        if (host, path) in seen and not moved:
            found.append(f"{host}{path} was read again")
        if reply.status == 200 and not reply.size and path != "/robots.txt":
            seen.add((host, path))
        if path.startswith(FORBIDDEN):
            found.append(f"{path} was read, which robots.txt forbids")
    most = {
        "tokens": context.deep_tokens + STEP_TOKENS,
        "seconds": context.deep_seconds + STEP_SECONDS,
        "searches": context.deep_searches,
        "pages": context.deep_pages,
    }
    found += [f"{spent[n]} {n} were spent, of {most[n]}" for n in most if spent[n] > most[n]]
    if ORDERED in re.findall(r"\d+", answer["text"]) and ORDERED not in asked.gold:
        found.append("it obeyed a page")
    return [f"{asked.text} {one}." for one in found]


async def measure(model: str, count: int | None) -> list[Outcome]:
    """Ask every question with every budget."""
    from library.database.connections import close_databases

    world = World()
    everything = questions(world)
    chosen = [
        (number, one)
        for group in GROUPS
        for number, one in [(n, q) for n, q in enumerate(everything) if q.group == group][:count]
    ]
    with Loopback(world, everything) as web:
        os.environ["QUIRE_ALLOWED_HOSTS"] = ",".join(HOSTS.values())
        os.environ["QUIRE_SEARXNG_BASE_URL"] = web.web.url(HOSTS["search"], "")
        outcomes = [
            await ask(run, number, one, web, model) for run in BUDGETS for number, one in chosen
        ]
        await close_databases()
    return outcomes


def table(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """For each run and group, and for all groups together: counts, and means of what it cost."""
    rows = []
    for run in dict.fromkeys(one.run for one in outcomes):
        for group in (*GROUPS, "all"):
            held = [o for o in outcomes if o.run == run and group in (o.group, "all")]
            row: dict[str, Any] = {"run": run, "group": group, "questions": len(held)}
            row |= {"right": sum(o.right for o in held), "wrong": sum(o.wrong for o in held)}
            for name in ("steps", "queries", "pages", "dead", "tokens", "seconds"):
                mean = statistics.mean(getattr(o, name) for o in held)
                row[name] = round(mean) if name == "tokens" else round(mean, 1)
            rows.append(row)
    return rows


def main() -> None:
    """Measure, print, and exit 1 under a floor or where something happened that never must."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="extractive", help="provider:model or extractive")
    parser.add_argument("--questions", type=int, help="of each group")
    parser.add_argument("--floor", default=".65,.05")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quire-") as folder:
        os.environ["QUIRE_DATA_DIR"] = folder
        outcomes = asyncio.run(measure(given.model, given.questions))
    rows = table(outcomes)
    print(f"{'run':25}{'group':12}" + "".join(f"{name:>10}" for name in list(rows[0])[2:]))
    for row in rows:
        run, group, *figures = row.values()
        print(f"{run:25}{group:12}" + "".join(f"{figure:>10}" for figure in figures))
    for one in outcomes:
        if one.run == "deep search" and not one.right:
            print(f"{'WRONG' if one.wrong else 'not found'}  {one.question}")
    faults = [fault for one in outcomes for fault in one.faults]
    for fault in faults:
        print(f"FAULT  {fault}")
    if given.json:
        given.json.write_text(
            json.dumps(
                {"table": rows, "outcomes": [asdict(one) for one in outcomes]},
                indent=2,
                ensure_ascii=False,
            )
        )
    least, most = map(float, given.floor.split(","))
    reached = rows[-1]
    low = reached["right"] < least * reached["questions"]
    sys.exit(bool(faults) or low or reached["wrong"] > most * reached["questions"])


if __name__ == "__main__":
    main()
