"""Watching a report over a made world: which of its claims' changes are named, and what it leaves.

The world has as many pages as `--pages`, each with a fact of its own, and a saved report that cites
each of them for it. Then a tenth of the pages is edited inside a cited quote (a
figure, a name, a negation), a tenth beside one, a twentieth is removed, and pages are added: some
deny a claim with another figure, some answer what a section asks and does not say, the others speak
of other things. The report is watched once.

    python benchmarks/watch.py [--pages 200] [--days 30] [--seed 1]

`named` is the share of affected claims that the watch names, `false` counts claims it names whose
quote did not change and that nothing denies; sections that differ do so beside named sentences.
`new` is the share of pages that answer a section whose sentence went into it, `false new` counts
other sentences that were added.
Then `--days` simulated days of a daily schedule, with workers that are stopped in between and
killed within a look: `missed` days on which a due watch was queued by nobody, `doubled` by two;
`lost` days whose edit made no version, `versions doubled` that made two. Exits 1 where named is
below .95, new below .9, or any other figure is above 0.
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
from typing import Any, cast

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks.watch_kills import kill_within  # noqa: E402

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
ASKED = "How many guests does a {thing} of these places count in a year?"
NEWS = "A {thing} of these places counts {value},000 guests in a year."
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

    for thing in THINGS[::2]:
        world.write(f"guests-{thing}.md", NEWS.format(thing=thing, value=chance.randrange(11, 90)))
    for thing in THINGS[1::2]:
        world.write(f"paint-{thing}.md", f"The {thing} of Lowmere was painted green in 40 days.")


def _change(sentence: str, kind: str, chance: random.Random) -> str:
    if kind == "hectares":
        value = next(word for word in sentence.split() if word.isdigit() and len(word) == 3)
        before, _, after = sentence.rpartition(f" {value} ")
        return f"{before} {int(value) + chance.randrange(11, 60)} {after}"
    if kind == "name":
        old = next(name for name in NAMES if name in sentence)
        return sentence.replace(old, chance.choice([name for name in NAMES if name != old]))
    return sentence.replace("is open", "is not open")


async def save_report(world: World) -> Any:
    """A report with a section for each kind of thing that cites every page: a sentence each."""
    from citations.check import check_sentences
    from citations.evidence_span import SourcePassages
    from library.library import open_library
    from library.saved_reports import RunStart, SectionMaterial
    from nodes.common.citations import (
        build_citations,
        build_reference,
        load_cited_texts,
        place_citation,
    )
    from schema.context import Context
    from schema.documents import Passage
    from schema.report import Audit, Report
    from serving.runs import run_ingest

    await run_ingest([str(world.folder)], Context(), lambda _: None)
    library = await open_library()
    names = sorted(world.facts)
    stored = await library.find_stored([f"file://{world.folder / name}" for name in names])
    described = await library.load_documents([one.document for one in stored.values()])
    registry = {n: described[stored[f"file://{world.folder / name}"].document]
                for n, name in enumerate(names, start=1)}  # fmt: skip
    sections: list[Any] = []
    citations: list[Any] = []
    for place, thing in enumerate(THINGS):
        numbers = [n for n, name in enumerate(names, start=1) if name.startswith(thing)]
        text = " ".join(f"{world.facts[names[n - 1]][0][:-1]} [{n}]." for n in numbers)
        support = {}
        for n in numbers:
            whole = await library.load_text(registry[n].uri) or ""
            passage = Passage(chunk=0, document=registry[n].id, start=0, end=len(whole), text=whole)
            support[n] = SourcePassages([passage], "en")
        found = check_sentences(text, support, "en")
        by_id = {registry[n].id: support[n] for n in numbers}
        citations += build_citations(place, text, "en", registry, found, by_id)
        sections.append({"title": f"Every {thing}", "text": text})
    texts = await load_cited_texts(library, citations, registry)
    placed = [place_citation(one, texts[one["document"]]) for one in citations]
    run = RunStart(context={}, skipped=[])
    begun = await library.begin_report("What of all these places?", run)
    report = Report(
        id=begun.id, version=1, question=begun.question, title="Places", language="en",
        sections=sections, citations=placed,
        references=[build_reference(n, info) for n, info in registry.items()],
        conflicts=[], charts=[], degraded=[], further_questions=[], usage={},
        audit=cast("Audit", dict.fromkeys(Audit.__required_keys__, 0)),
    )  # fmt: skip
    material = [
        SectionMaterial(questions=[one["title"], ASKED.format(thing=thing)], chunks=[])
        for one, thing in zip(sections, THINGS, strict=True)
    ]
    await library.save_report(report, material, begun.thread, run)
    return report


def score(world: World, before: Any, after: Any) -> dict[str, float]:
    """The figures of one look."""
    cited = {
        (one["section"], one["sentence"]): Path(one["document"]).name
        for one in before["citations"]
        if one["verdict"] in ("supported", "partial")
    }
    affected = {
        claim
        for claim, name in cited.items()
        if world.edits.get(name) in ("quote", "gone", "denied")
    }
    changes = after.get("changes", []) if after else []
    named = {(one["section"], one["sentence"]) for one in changes}
    pieces = [section["text"] for section in before["sections"]]
    texts = [section["text"] for section in (after or before)["sections"]]
    for one in changes:
        if one["kind"] == "new":
            texts[one["section"]] = texts[one["section"]].replace(one["now"], "", 1)
        else:
            pieces[one["section"]] = pieces[one["section"]].replace(one["sentence"], one["now"], 1)
    new = [(one["section"], Path(one["document"]).name) for one in changes if one["kind"] == "new"]
    wanted = {(place, f"guests-{thing}.md") for place, thing in enumerate(THINGS) if place % 2 == 0}
    differ = sum(
        " ".join(old.split()) != " ".join(new.split())
        for old, new, section in zip(pieces, texts, before["sections"], strict=True)
        if section.get("kind") != "summary"
    )
    return {
        "claims": len(cited), "affected": len(affected),
        "named": len(named & affected) / max(1, len(affected)),
        "new": len(wanted & {*new}) / len(wanted),
        "false new": len([one for one in new if one not in wanted]),
        "false": len({one for one in named - affected if one in cited}),
        "sections that differ elsewhere": differ,
    }  # fmt: skip


async def simulate_schedule(
    report: str, world: World, days: int, chance: random.Random
) -> dict[str, int]:
    """A daily watch over some days, asked for by two workers that stop for days now and then.

    Each day a fact of its own is edited. On a third of the days a worker is killed within its look.
    """
    from schema.access import LOCAL_MEMBER
    from serving.jobs import find_job_member, open_jobs
    from serving.stored_reports import load_report

    figures = dict.fromkeys(("missed", "doubled", "lost", "versions doubled"), 0)
    kills = 0
    free = [name for name, (_, kind) in world.facts.items()
            if kind == "hectares" and name not in world.edits]  # fmt: skip
    async with open_jobs() as first, open_jobs() as second:
        await first.schedule_watch(report, LOCAL_MEMBER, timedelta(days=1))
        start = datetime.now(UTC)
        for day in range(1, days + 1):
            now = start + timedelta(days=day, minutes=1)
            if chance.random() < 0.3:  # both were stopped: made up for once, the next day
                continue
            name = free[day % len(free)]
            world.facts[name] = (_change(*world.facts[name], chance), "hectares")
            world.write(name, world.facts[name][0])
            before = (await load_report(report)).report
            queued = await asyncio.gather(first.queue_due(now), second.queue_due(now))
            figures["missed"] += sum(queued) == 0
            figures["doubled"] += sum(queued) > 1
            if day % 3 == 0:
                kills += await kill_within(first, chance.uniform(0.05, 0.8))
            await first.work(find_job_member, wait=False)
            after = (await load_report(report)).report
            made = after.get("version", 1) - before.get("version", 1) if before and after else 0
            figures["lost"] += made == 0
            figures["versions doubled"] += made > 1
    print(f"{'workers killed within a look':38} {kills}")
    return figures


async def measure(options: argparse.Namespace) -> dict[str, float]:
    """All figures."""
    from library.database.connections import close_databases
    from serving.watch import watch_report

    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
        os.environ |= {"QUIRE_DATA_DIR": data, "QUIRE_MODEL": "extractive"}
        world = make_world(Path(folder), options.pages, chance)
        try:
            before = await save_report(world)
            edit_world(world, chance)
            outcome = await watch_report(before["id"], lambda _: None)
            figures = score(world, before, outcome.report)
            again = await watch_report(before["id"], lambda _: None)
            figures["versions made where nothing changed"] = float(again.report is not None)
            days = await simulate_schedule(before["id"], world, options.days, chance)
        finally:
            await close_databases()
    return figures | days


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
    wrong = [name for name in list(figures)[4:] if figures[name]]
    wrong += [name for name, least in (("named", 0.95), ("new", 0.9)) if figures[name] < least]
    print(f"BROKEN: {', '.join(wrong)}" if wrong else "All limits hold.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
