"""A small world of things that do not exist: each with its facts, the same in every run."""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.deep_web.filler import CHOICES, FILLER, WORDS
from benchmarks.deep_web.names import names
from benchmarks.deep_web.texts import TEXTS

SEED = 20
COUNTS: dict[str, dict[str, int]] = {
    "en": {"river": 16, "person": 90, "town": 45, "company": 45, "product": 45, "museum": 24,
           "bridge": 16},
    "de": {"river": 6, "person": 24, "town": 14, "company": 12},
    "zh": {"river": 6, "person": 24, "town": 14, "company": 12},
}  # fmt: skip
"""Things by language and kind."""

FACTS: dict[str, dict[str, tuple[int, int] | str]] = {
    "river": {"length": (40, 900), "bridge": "bridge", "known": ""},
    "person": {"born": (1921, 1979), "birthplace": "town", "home": "town", "job": "",
               "studied": ""},
    "town": {"founded": (900, 1500), "people": (2_000, 90_000), "mayor": "person",
             "river": "river", "twin": "town", "known": ""},
    "company": {"founded": (1850, 1995), "founder": "person", "seat": "town",
                "staff": (30, 980), "goods": ""},
    "product": {"maker": "company", "launched": (1960, 2020), "weight": (110, 990), "thing": ""},
    "museum": {"opened": (1880, 2010), "architect": "person", "town": "town", "shows": ""},
    "bridge": {"river": "river", "town": "town", "length": (60, 900), "built": (1800, 1990),
               "engineer": "person"},
}  # fmt: skip
"""What is known of each kind: a number in a range, another thing, or a word."""

SUFFIXES = {
    "company": ("Optics", "Ropeworks", "Instruments", "Ceramics"),
    "museum": ("Museum",),
    "bridge": ("Bridge",),
}
LONG = 5
"""Every so many pages is a long one, its facts in the middle."""
LONG_SENTENCES, SENTENCES = 260, 9


@dataclass(eq=False)
class Thing:
    """Something with a page of its own; `days` is how long ago that was changed."""

    kind: str
    language: str
    number: int
    name: str
    days: int = 0
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What no other thing has."""
        return f"{self.language}-{self.kind}-{self.number}"

    def __format__(self, spec: str) -> str:
        return f"[[{self.key}|{self.name}]]"


class World:
    """All things, by language and kind, and by key."""

    def __init__(self) -> None:
        self._rng = random.Random(SEED)
        self.things: defaultdict[tuple[str, str], list[Thing]] = defaultdict(list)
        for language, counts in COUNTS.items():
            for kind, count in counts.items():
                named = self._names(kind, language)
                for number in range(count):
                    days = self._rng.randrange(30, 3_000)
                    thing = Thing(kind, language, number, next(named), days)
                    self.things[language, kind].append(thing)
        for thing in [one for several in self.things.values() for one in several]:
            thing.facts = {name: self._fact(thing, name) for name in FACTS[thing.kind]}
            thing.facts["mountain"] = thing.name[:3] + "horn"
        for river, bridge in zip(
            self.things["en", "river"], self.things["en", "bridge"], strict=True
        ):
            river.facts["bridge"], bridge.facts["river"] = bridge, river
        self._release("Ostalume Studio", [("2.1", 1_900), ("5.3", 20)])
        self._release("Kesdoc Server", [("7.4", 2_300), ("7.9", 1_200), ("9.2", 35)])

    def with_pages(self) -> Iterator[Thing]:
        """All but the rivers that are no more than a name."""
        for kind in TEXTS:
            yield from self.things[kind]

    def paragraphs(self, thing: Thing) -> list[str]:
        """The text of a page; `[[key|name]]` links to another."""
        rng = random.Random(f"{SEED} {thing.key}")
        text = TEXTS[thing.language, thing.kind]
        told = {**thing.facts, "name": thing.name, "last": thing.name.split()[-1]}
        facts = [rng.choice(wordings).format(**told) for wordings in text.facts]
        rng.shuffle(facts)
        is_long = thing.kind != "release" and thing.number % LONG == LONG - 1
        filler = [self._filler(thing.language, rng) for _ in range(_sentences(is_long))]
        blocks = [filler[i : i + 3] for i in range(0, len(filler), 3)]
        first = len(blocks) // 2 if is_long else 0
        gap = 2 if is_long else 1
        for place, fact in enumerate(facts):
            at = first + place * gap
            blocks[at : at + 1] = [[fact, *(blocks[at] if at < len(blocks) else [])]]
        space = "" if thing.language == "zh" else " "
        return [text.beginning.format(**told), *(space.join(block) for block in blocks)]

    def _names(self, kind: str, language: str) -> Iterator[str]:
        if language == "zh" or kind in ("river", "person", "town"):
            yield from names(kind, language, self._rng)
        elif language == "de":
            yield from (f"{name} Werke GmbH" for name in names("family", "de", self._rng))
        elif kind == "product":
            for number, name in enumerate(names("thing", "en", self._rng)):
                yield f"{name} {number * 7 % 90 + 10}0"
        else:
            for number, name in enumerate(names("town", "en", self._rng)):
                yield f"{name} {SUFFIXES[kind][number % len(SUFFIXES[kind])]}"

    def _fact(self, thing: Thing, name: str) -> Any:
        wanted = FACTS[thing.kind][name]
        if isinstance(wanted, tuple):
            return self._rng.randint(*wanted)
        if not wanted:
            return self._rng.choice(CHOICES.get((thing.language, name), ("",)))
        others = self.things[thing.language, wanted]
        return self._rng.choice([one for one in others if one is not thing] or [thing])

    def _filler(self, language: str, rng: random.Random) -> str:
        words = {name: rng.choice(several) for name, several in WORDS[language].items()}
        sentence = rng.choice(FILLER[language])
        return sentence.format(year=rng.randint(1700, 2015), number=rng.randint(12, 990), **words)

    def _release(self, of: str, versions: list[tuple[str, int]]) -> None:
        for version, days in versions:
            held = self.things["en", "release"]
            thing = Thing("release", "en", len(held), f"{of} {version}", days)
            thing.facts = {"of": of, "version": version}
            held.append(thing)


def _sentences(is_long: bool) -> int:
    return LONG_SENTENCES if is_long else SENTENCES
