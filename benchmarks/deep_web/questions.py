"""Questions on the small world, by how many pages lead to their answer, and what they must say."""

from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.deep_web.world import Thing, World

Group = Literal["one hop", "two hops", "three hops", "none"]
GROUPS: tuple[Group, ...] = ("one hop", "two hops", "three hops", "none")

Trap = Literal["", "stuffed", "orders", "forbidden", "huge", "stale"]
TRAPS: tuple[Trap, ...] = ("stuffed", "", "orders", "forbidden", "", "stale", "huge", "")


@dataclass(frozen=True)
class Question:
    """A question, the thing that it starts from and the one whose page holds the answer.

    `gold` are ways to write the answer, none where the web holds none; `trap` is what a search for
    it meets beside.
    """

    group: Group
    text: str
    start: Thing | None
    gold: tuple[str, ...]
    page: Thing | None
    trap: Trap


_ASKED: dict[Group, tuple[tuple[str, str, str, str], ...]] = {
    "one hop": (
        ("en", "Who founded {}?", "company", "founder"),
        ("en", "In which year was the {} launched?", "product", "launched"),
        ("en", "How long is the river {}?", "river", "length"),
        ("en", "In which town are the headquarters of {}?", "company", "seat"),
        ("en", "How much does the {} weigh?", "product", "weight"),
        ("en", "Who designed the {}?", "museum", "architect"),
        ("en", "When did the {} open?", "museum", "opened"),
        ("en", "How many people work for {}?", "company", "staff"),
        ("en", "Which company makes the {}?", "product", "maker"),
        ("en", "What is the name of the bridge over the {}?", "river", "bridge"),
        ("en", "What is the latest version of {}?", "release", "version"),
        ("en", "Which is the current version of {}?", "release", "version"),
        ("de", "Wer hat die {} gegründet?", "company", "founder"),
        ("de", "Wie viele Menschen arbeiten bei der {}?", "company", "staff"),
        ("zh", "{}是谁创立的？", "company", "founder"),
        ("zh", "{}的总部设在哪座城市？", "company", "seat"),
    ),
    "two hops": (
        ("en", "Where was the founder of {} born?", "company", "founder birthplace"),
        ("en", "Who is the mayor of the town where {} has its headquarters?", "company",
         "seat mayor"),
        ("en", "In which year was the architect of the {} born?", "museum", "architect born"),
        ("en", "What did the architect of the {} study?", "museum", "architect studied"),
        ("en", "How many people live in the town where the {} stands?", "museum", "town people"),
        ("en", "How long is the bridge that crosses the river {}?", "river", "bridge length"),
        ("en", "Who was the engineer of the bridge over the {}?", "river", "bridge engineer"),
        ("en", "Who founded the company that makes the {}?", "product", "maker founder"),
        ("en", "In which town is the company that makes the {} based?", "product", "maker seat"),
        ("en", "How many people work for the maker of the {}?", "product", "maker staff"),
        ("en", "What did the person who founded {} study?", "company", "founder studied"),
        ("de", "Wo wurde der Gründer der {} geboren?", "company", "founder birthplace"),
        ("de", "Wer ist Bürgermeister der Stadt, in der die {} ihren Sitz hat?", "company",
         "seat mayor"),
        ("zh", "{}的创始人出生在哪里？", "company", "founder birthplace"),
        ("zh", "{}总部所在城市的市长是谁？", "company", "seat mayor"),
    ),
    "three hops": (
        ("en", "Who is the mayor of the town where the founder of {} was born?", "company",
         "founder birthplace mayor"),
        ("en", "On which river lies the town where the architect of the {} was born?", "museum",
         "architect birthplace river"),
        ("en", "Where was the founder of the company that makes the {} born?", "product",
         "maker founder birthplace"),
        ("en", "What is the twin town of the birthplace of the founder of {}?", "company",
         "founder birthplace twin"),
        ("en", "Who is the mayor of the town where the maker of the {} has its headquarters?",
         "product", "maker seat mayor"),
        ("en", "In which year was the mayor of the town where the {} stands born?", "museum",
         "town mayor born"),
        ("de", "An welchem Fluss liegt die Stadt, in der der Gründer der {} geboren wurde?",
         "company", "founder birthplace river"),
        ("zh", "{}的创始人出生的城市位于哪条河畔？", "company", "founder birthplace river"),
    ),
    "none": (
        ("en", "How deep is the river {}?", "river", ""),
        ("en", "Who is the chief accountant of {}?", "company", ""),
        ("en", "How many windows does the {} have?", "museum", ""),
        ("en", "What is the name of the dog of the founder of {}?", "company", "founder"),
        ("en", "Who is the bishop of the town where {} has its headquarters?", "company", "seat"),
        ("en", "How tall is the {}?", "product", ""),
        ("en", "Which prize did the architect of the {} win in Vienna?", "museum", "architect"),
        ("en", "Who founded Quendlemar Aviation?", "", ""),
        ("de", "Wie viele Lastwagen besitzt die {}?", "company", ""),
        ("zh", "{}的股票代码是什么？", "company", ""),
    ),
}  # fmt: skip
"""Language, question, kind of the thing it starts from, and the facts that lead to the answer."""


def questions(world: World) -> list[Question]:
    """All questions, each about a thing of its own."""
    made: list[Question] = []
    used: dict[tuple[str, str], int] = {}
    for group, asked in _ASKED.items():
        for number, (language, text, kind, path) in enumerate(asked):
            trap: Trap = "" if kind == "release" else TRAPS[number % len(TRAPS)]
            start, place = None, used.get((language, kind), 0)
            if kind:
                start = world.things[language, kind][place]
                used[language, kind] = place + 1
            if kind == "release":
                versions = [one for one in world.things["en", "release"] if one.days < 100]
                start = versions[place]
            made.append(_question(group, text, start, path.split(), trap))
    return made


def _question(
    group: Group, text: str, start: Thing | None, path: list[str], trap: Trap
) -> Question:
    if start is None:
        return Question(group, text, None, (), None, trap)
    page, value = start, None
    for step, name in enumerate(path):
        value = page.facts[name]
        if step < len(path) - 1:
            page = value
    name = start.facts["of"] if start.kind == "release" else start.name
    gold = _written(value) if group != "none" else ()
    return Question(group, text.format(name), start, gold, page if gold else None, trap)


def _written(value: Any) -> tuple[str, ...]:
    """The ways in which an answer may write a value."""
    if isinstance(value, Thing):
        return (value.name,)
    if isinstance(value, int):
        return tuple({str(value), f"{value:,}"})
    return (str(value),)
