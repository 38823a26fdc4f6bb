"""Watching a report over a made world: which of its claims' changes are named, and what it leaves.

The world has as many pages as `--pages`, each with facts of its own, and a report that cites them
all, written by the extractive model. Then a tenth of the pages is edited inside a cited quote (a
figure, a name, a negation), a tenth beside one, a twentieth is removed, and pages are added: some
deny a claim with another figure, the others speak of other things. The report is watched once.

    python benchmarks/watch.py [--pages 200] [--days 30] [--seed 1]

`named` is the share of affected claims that the watch names, `false` counts claims it names whose
quote did not change and that nothing denies, `bytes` those that differ outside named sentences,
`calls` the model calls for each affected section with a language model in the writer's place. Then
`--days` simulated days of a daily schedule, with workers that are stopped in between: `missed` days
on which a due watch was not queued by anybody, `doubled` those on which two were. Exits 1 where
named is below .95, or any other figure is above 0 (calls: 1.5).
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

PLACES = [
    "Arlen",
    "Brandis",
    "Corvey",
    "Dunmoor",
    "Eskil",
    "Farrow",
    "Gildas",
    "Harnow",
    "Istrel",
    "Jorund",
]
THINGS = [
    "harbour",
    "reservoir",
    "orchard",
    "quarry",
    "archive",
    "observatory",
    "tramway",
    "glasshouse",
    "sawmill",
    "bridge",
]
FACTS = (
    ("The {thing} of {place} {number} covers {value} hectares.", "hectares"),
    ("The {thing} of {place} {number} was opened by Warden {name}.", "name"),
    ("The {thing} of {place} {number} is open to visitors in winter.", "negation"),
)
NAMES = ["Albrecht", "Bonnard", "Castell", "Derwent", "Emsley", "Fontane", "Grimaldi", "Holberg"]
BESIDE = "A gravel path leads from the road to its gate."


@dataclass
class World:
    """Pages in a folder, and what was done to each: its kind of fact, and its edit."""

    folder: Path
    facts: dict[str, tuple[str, str]] = field(default_factory=dict)
    edits: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, sentence: str, beside: str = BESIDE) -> None:
        """A page with one fact, and a sentence that no report on facts needs."""
        (self.folder / name).write_text(f"# {name[:-3].title()}\n\n{sentence}\n\n{beside}\n")


def make_world(folder: Path, pages: int, chance: random.Random) -> World:
    """The pages as the report finds them."""
    world = World(folder)
    for number in range(pages):
        form, kind = FACTS[number % len(FACTS)]
        place, thing = PLACES[number % 10], THINGS[number // 10 % 10]
        sentence = form.format(
            thing=thing, place=place, number=number, value=chance.randrange(100, 900),
            name=chance.choice(NAMES),
        )  # fmt: skip
        name = f"{thing}-{place.lower()}-{number}.md"
        world.facts[name] = (sentence, kind)
        world.write(name, sentence)
    return world


def edit_world(world: World, chance: random.Random) -> None:
    """Edit, remove and add pages; a tenth, a tenth, a twentieth and a tenth of them."""
    names = list(world.facts)
    chance.shuffle(names)
    tenth = len(names) // 10
    for name in names[:tenth]:
        sentence, kind = world.facts[name]
        world.write(name, _change(sentence, kind, chance))
        world.edits[name] = "quote"
    for name in names[tenth : 2 * tenth]:
        world.write(name, world.facts[name][0], "A paved path leads from the road to its new gate.")
        world.edits[name] = "beside"
    for name in names[2 * tenth : 2 * tenth + tenth // 2]:
        (world.folder / name).unlink()
        world.edits[name] = "gone"
    for number, name in enumerate(names[3 * tenth : 4 * tenth]):
        sentence, kind = world.facts[name]
        if kind == "hectares":
            world.write(f"survey-{name}", _change(sentence, kind, chance))
            world.edits[name] = "denied"
        else:
            world.write(
                f"news-{number}.md", f"The ferry of Lowmere {number} carries {number} carts."
            )


def _change(sentence: str, kind: str, chance: random.Random) -> str:
    if kind == "hectares":
        value = next(word for word in sentence.split() if word.isdigit() and len(word) == 3)
        before, _, after = sentence.rpartition(f" {value} ")
        return f"{before} {int(value) + chance.randrange(11, 60)} {after}"
    if kind == "name":
        old = next(name for name in NAMES if name in sentence)
        return sentence.replace(old, chance.choice([name for name in NAMES if name != old]))
    return sentence.replace("is open", "is not open")


async def write_report(world: World) -> Any:
    """A report that cites every page: saved as the pipeline saves one, its citations checked."""
    from schema.context import Context
    from serving.reports import create_report
    from serving.runs import run_ingest

    context = Context(research_mode="deeper", paths=[str(world.folder)], top_k=100, words=20_000,
                      section_tokens=60_000, answer_tokens=8_000, remember=False)  # fmt: skip
    await run_ingest([str(world.folder)], context, lambda _: None)
    question = "; ".join(f"What of the {thing}?" for thing in THINGS)
    outcome = await create_report(question, context, lambda _: None)
    assert outcome.report is not None, outcome.reason
    return outcome.report


async def watch(world: World, report: Any) -> Any:
    """What came of one look."""
    from serving.watch import watch_report

    return await watch_report(report["id"], lambda _: None)


def score(world: World, before: Any, after: Any) -> dict[str, float]:
    """The figures of one look."""
    cited = {(one["section"], one["sentence"]): Path(one["document"]).name
             for one in before["citations"] if one["verdict"] in ("supported", "partial")}  # fmt: skip
    affected = {
        claim
        for claim, name in cited.items()
        if world.edits.get(name) in ("quote", "gone", "denied")
    }
    changes = after.get("changes", []) if after else []
    named = {(one["section"], one["sentence"]) for one in changes}
    pieces = [section["text"] for section in before["sections"]]
    for one in changes:
        pieces[one["section"]] = pieces[one["section"]].replace(one["sentence"], one["now"], 1)
    texts = [section["text"] for section in (after or before)["sections"]]
    differ = sum(
        " ".join(old.split()) != " ".join(new.split())
        for old, new, section in zip(pieces, texts, before["sections"], strict=True)
        if section.get("kind") != "summary"
    )
    return {
        "claims": len(cited), "affected": len(affected),
        "named": len(named & affected) / max(1, len(affected)),
        "false": len({one for one in named - affected if one in cited}),
        "sections that differ elsewhere": differ,
    }  # fmt: skip


async def simulate_schedule(report: str, days: int, chance: random.Random) -> tuple[int, int]:
    """A daily watch over some days, asked for by two workers that stop for days now and then.

    Returns:
        Days on which it was due after a worker was there and nobody queued it, and days on which
        two did.
    """
    from schema.access import LOCAL_MEMBER
    from serving.jobs import open_jobs

    missed = doubled = 0
    async with open_jobs() as first, open_jobs() as second:
        await first.schedule_watch(report, LOCAL_MEMBER, timedelta(days=1))
        start = datetime.now(UTC)
        for day in range(1, days + 1):
            now = start + timedelta(days=day, minutes=1)
            if chance.random() < 0.3:  # both were stopped: made up for once, the next day
                continue
            queued = await asyncio.gather(first.queue_due(now), second.queue_due(now))
            missed += sum(queued) == 0
            doubled += sum(queued) > 1
            await _finish_queue(first)
    return missed, doubled


async def _finish_queue(jobs: Any) -> None:
    from serving.jobs import find_job_member

    await jobs.work(find_job_member, wait=False)


async def measure(options: argparse.Namespace) -> dict[str, float]:
    """All figures."""
    from library.database.connections import close_databases

    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
        os.environ |= {"QUIRE_DATA_DIR": data, "QUIRE_MODEL": "extractive"}
        world = make_world(Path(folder), options.pages, chance)
        try:
            before = await write_report(world)
            edit_world(world, chance)
            outcome = await watch(world, before)
            figures = score(world, before, outcome.report)
            again = await watch(world, before)
            figures["versions made where nothing changed"] = float(again.report is not None)
            missed, doubled = await simulate_schedule(before["id"], options.days, chance)
        finally:
            await close_databases()
    return figures | {"missed": missed, "doubled": doubled}


def main() -> int:
    """Print the figures; 1 where one does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    figures = asyncio.run(measure(parser.parse_args()))
    for name, value in figures.items():
        print(f"{name:38} {value:.2f}" if isinstance(value, float) else f"{name:38} {value}")
    wrong = [name for name in list(figures)[3:] if figures[name]]
    wrong += ["named"] if figures["named"] < 0.95 else []
    print(f"BROKEN: {', '.join(wrong)}" if wrong else "All limits hold.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
