"""What the loopback web speaks of: the harbours of towns that do not exist.

Every sentence names its town, so that one which stands in the report on another town can be told.
All of it follows from names alone, and is the same in every run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

SUBJECTS = (
    "piers", "cranes", "locks", "pilots", "granaries", "ferries",
    "beacons", "ropewalks", "docks", "weirs", "slipways", "wharves",
)  # fmt: skip
"""Parts of a harbour: a section of a report is on two of them."""

_FIRST = ("Bar", "Del", "Fen", "Gor", "Hal", "Jun", "Kel", "Lor", "Mav", "Nys")
_SECOND = ("da", "mi", "no", "ru", "se")
TOWNS = tuple(f"{first}{second}holm" for second in _SECOND for first in _FIRST)

_TOWN = re.compile(r"\b[A-Z][a-z]+holm\b")


@dataclass(frozen=True)
class Page:
    """A page of the web: its path, its title and its sentences."""

    path: str
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The page as Markdown."""
        return f"# {self.title}\n\n" + "\n\n".join(self.sentences) + "\n"

    @property
    def html(self) -> str:
        """The page as a browser gets it."""
        body = "".join(f"<p>{one}</p>" for one in self.sentences)
        return (
            f"<!doctype html><html><head><title>{self.title}</title></head><body><main><article>"
            f"<h1>{self.title}</h1>{body}</article></main></body></html>"
        )


def question(town: str) -> str:
    """What is asked of a town."""
    return f"How does the harbour of {town} work, part by part?"


def towns_in(text: str) -> list[str]:
    """The towns that a text names, each once, in order."""
    return [name for name in dict.fromkeys(_TOWN.findall(text)) if name in TOWNS]


def subjects_in(text: str) -> list[str]:
    """The parts of a harbour that a text names, in the order of `SUBJECTS`."""
    words = set(re.findall(r"[a-z]+", text.casefold()))
    return [subject for subject in SUBJECTS if subject in words]


def section(town: str, number: int) -> tuple[str, list[str]]:
    """Title and questions of a section: no two questions of a report are on the same part."""
    one, other = (SUBJECTS[(2 * number + place) % len(SUBJECTS)] for place in (0, 1))
    return f"The {one} and {other} of {town}", [
        f"When were the {one} of {town} built, and by which guild?",
        f"What did the {other} of {town} cost, and who keeps them?",
    ]


def pages(town: str) -> Iterator[Page]:
    """Every page on a town."""
    yield overview(town)
    for subject in SUBJECTS:
        yield from on_subject(town, subject)


def overview(town: str) -> Page:
    """The page that a search for the whole harbour finds."""
    parts = ", ".join(SUBJECTS[:5])
    return Page(
        f"/pages/{town}",
        f"The harbour of {town}",
        (
            f"The harbour of {town} has {parts} and more, which work together, part by part.",
            f"The harbour of {town} was opened in {_number(town, 'opened', 1700, 1899)} and has "
            f"been widened twice since then.",
        ),
    )


def on_subject(town: str, subject: str) -> list[Page]:
    """The two pages on a part of a harbour."""

    def number(what: str, low: int, high: int) -> int:
        return _number(f"{town} {subject}", what, low, high)

    guild = ("masons", "coopers", "smiths", "carters")[number("guild", 0, 3)]
    return [
        Page(
            f"/pages/{town}/{subject}/built",
            f"How the {subject} of {town} were built",
            (
                f"The {subject} of {town} were built in {number('built', 1700, 1899)} by the guild "
                f"of the {guild}.",
                f"In one year the {subject} of {town} handle {number('tonnes', 1000, 9999)} tonnes "
                f"of grain and timber.",
                f"Stone for the {subject} of {town} came down the river from "
                f"{number('quarries', 11, 89)} quarries.",
            ),
        ),
        Page(
            f"/pages/{town}/{subject}/cost",
            f"What the {subject} of {town} cost",
            (
                f"The {subject} of {town} cost {number('crowns', 10000, 99999)} crowns when the "
                f"council of the town renewed them.",
                f"A warden with {number('keepers', 11, 89)} keepers looks after the {subject} of "
                f"{town} by day and by night.",
                f"Dues paid for the {subject} of {town} make up {number('share', 11, 49)} percent "
                f"of what the harbour earns.",
            ),
        ),
    ]


def page_at(path: str) -> Page | None:
    """The page at a path."""
    town = towns_in(path)
    return next((one for one in pages(town[0]) if one.path == path), None) if town else None


def searched(query: str) -> list[Page]:
    """What a search engine finds: pages on the town and the part that are named, best first."""
    wanted = set(re.findall(r"\w+", query.casefold()))
    found = []
    for town in towns_in(query)[:1]:
        for subject in subjects_in(query)[:1]:
            held = on_subject(town, subject)
            found += sorted(held, key=lambda page: -len(wanted & _words(page)))
        found = found or [overview(town)]
    return found


def half(page: Page) -> bool:
    """Whether a page is on every other part of the harbour."""
    return any(SUBJECTS.index(one) % 2 for one in subjects_in(page.path))


def _words(page: Page) -> set[str]:
    return set(re.findall(r"\w+", page.text.casefold()))


def _number(thing: str, what: str, low: int, high: int) -> int:
    digest = blake2b(f"{thing} {what}".encode(), digest_size=8).digest()
    return low + int.from_bytes(digest) % (high - low + 1)
