"""Independent origins and positions against each other, in a made world of news.

For each event: two wire stories, what outlets make of them (shortened, words changed, paragraphs
added, with a dateline, a credit, a canonical link or nothing that tells), independent stories with
the same facts and the same quotation, a release and a story that quotes it, and a page that names
another. Printed is how well pairs of sources of one fact are told to be one origin, how many
seeded contradictions are listed, and what is listed beside them, for kinds of events and seeds that
were looked at while this was built and for others; and how long 60 texts of 20,000 words take.

    python benchmarks/origins.py [--events N] [--seed N]
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.origins_world.world import PLACES, Story, World  # noqa: E402
from citations.check import check_sentences  # noqa: E402
from citations.evidence_span import SourcePassages  # noqa: E402
from citations.origins.fold import Origins  # noqa: E402
from citations.origins.shingles import compare_texts  # noqa: E402
from citations.positions import find_positions  # noqa: E402
from schema.documents import Passage  # noqa: E402

SEEDED = 2
"""Contradictions of a report."""


class Pairs(NamedTuple):
    """Pairs of sources of a fact that are one origin: rightly said, wrongly said, missed."""

    right: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)


class Listed(NamedTuple):
    """Contradictions of a report: seeded, listed of them, listed beside them."""

    seeded: int
    found: int
    false: int


def compare_pairs(kind: str, seed: int, *, tell: bool = False) -> Pairs:
    """What is found of the pairs of one event."""
    world = World(kind, seed)
    stories = world.build()
    written = [story.write(number) for number, story in enumerate(stories, start=1)]
    known = Origins([source for source, _ in written])
    right = wrong = missed = 0
    for fact in range(len(world.event.facts)):
        held = {n: places[fact] for n, (_, places) in enumerate(written, 1) if fact in places}
        group = {}
        for place, origin in enumerate(known.count(held)):
            for number in (origin["number"], *(one["number"] for one in origin["copies"])):
                group[number] = place
        for a, b in combinations(held, 2):
            same = stories[a - 1].origin[fact] == stories[b - 1].origin[fact]
            said = group[a] == group[b]
            right, wrong, missed = (
                right + (same and said), wrong + (said and not same), missed + (same and not said)
            )  # fmt: skip
            if tell and same != said:
                origins = [stories[one - 1].origin[fact] for one in (a, b)]
                print("missed" if same else "wrong", origins)
                for one in (a, b):
                    source, places = written[one - 1]
                    print("   ", source.text[: places[fact][1]][places[fact][0] :])
    return Pairs(right, wrong, missed)


def list_contradictions(kind: str, seed: int, *, tell: bool = False) -> Listed:
    """What is listed in a report on one event, whose sentences state all its facts."""
    world, chance = World(kind, seed), random.Random(seed)
    every = list(range(len(world.event.facts)))
    stories = [world.tell(f"outlet {n}", "", every, 8) for n in range(8)]
    for story in stories:
        _add_near_ones(world, story, chance)
    changed = dict(_change_facts(world, stories, chance))
    texts = {number: story.write(number)[0].text for number, story in enumerate(stories, start=1)}
    sources = {
        number: SourcePassages(
            [Passage(chunk=number, document=number, start=0, end=len(text), text=text)], "en"
        )
        for number, text in texts.items()
    }
    altered = {number for number, _ in changed}
    backing = [number for number in sources if number not in altered]
    claims = [f"{world.say(f, 0)[:-1]} [{chance.choice(backing)}]." for f in every]
    checked = check_sentences(" ".join(claims), sources, "en")
    found = find_positions(checked, sources)
    hits = {(one.number, one.place) for one in found if (one.number, one.place) in changed}
    wrong = [one for one in found if (one.number, one.place) not in changed]
    if tell:
        for key in changed.keys() - hits:
            print("missed", checked[key[1]].is_supported, claims[key[1]], "|", changed[key])
        for one in wrong:
            print("false", one.kind, claims[one.place], "|", one.quote)
    return Listed(len(changed), len(hits), len(wrong))


def _change_facts(
    world: World, stories: list[Story], chance: random.Random
) -> Iterator[tuple[tuple[int, int], str]]:
    """Turn facts of some stories round: (number of the story, fact) and what it now says."""
    facts = chance.sample(range(len(world.event.facts)), SEEDED)
    for fact, place in zip(facts, chance.sample(range(len(stories)), SEEDED), strict=True):
        one, (n, day) = world.event.facts[fact], world.values[fact]
        wordings = one.denied or one.wordings
        if one.change == "number":
            n = max(n + 3, round(n * chance.uniform(1.12, 2.5)))
        elif one.change == "date":
            number, month = day.split()
            day = f"{(int(number) + chance.randint(1, 20)) % 28 + 1} {month}"
        said = world.dress(world.put(chance.choice(wordings), (n, day)))
        story = stories[place]
        story.sentences[story.facts[fact]] = said
        yield (place + 1, fact), said


def _add_near_ones(world: World, story: Story, chance: random.Random) -> None:
    """Put sentences that are much like facts, and no position against any, into a story."""
    world.other = chance.choice([one for one in PLACES if one != world.place])
    for near in chance.sample(world.event.near, 2):
        value = (chance.randint(12, 5_000), f"{chance.randint(1, 28)} May")
        story.sentences.append(world.put(near, value))


def measure_time() -> float:
    """Milliseconds of processor time for 60 texts of 20,000 words, at best of five."""
    chance = random.Random(0)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 10))) for _ in range(30_000)]
    texts = [" ".join(chance.choices(words, k=20_000)) for _ in range(60)]
    texts[1] = " ".join(texts[0].split()[3_000:15_000])
    taken = []
    for _ in range(5):
        begun = time.process_time()
        overlap = compare_texts(texts)
        taken.append(1_000 * (time.process_time() - begun))
        assert overlap.containment(0, 1) > 0.9
        assert overlap.containment(0, 2) < 0.1
    return min(taken)


def main() -> None:
    """Print a row for each kind and seed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=["seen", "unseen"], action="append")
    parser.add_argument("--tell", action="store_true", help="print what is wrong")
    given = parser.parse_args()
    print("kind     pairs  precision  recall    F1 | seeded  listed  false a report")
    for kind in given.kind or ["seen", "unseen"]:
        first = given.seed * 10_000 + (5_000 if kind == "unseen" else 0)
        seeds = range(first, first + given.events)
        pairs = Pairs(
            *map(sum, zip(*[compare_pairs(kind, s, tell=given.tell) for s in seeds], strict=True))
        )
        listed = Listed(
            *map(
                sum,
                zip(*[list_contradictions(kind, s, tell=given.tell) for s in seeds], strict=True),
            )
        )
        print(
            f"{kind:6} {pairs.right + pairs.missed:7} "
            f"{pairs.right / max(1, pairs.right + pairs.wrong):10.3f} "
            f"{pairs.right / max(1, pairs.right + pairs.missed):7.3f} {pairs.f1:5.3f} | "
            f"{listed.seeded:6} {listed.found / max(1, listed.seeded):7.3f} "
            f"{listed.false / given.events:15.2f}"
        )
    print(f"60 texts of 20,000 words: {measure_time():.0f} ms")


if __name__ == "__main__":
    main()
