"""A made world of news: wire stories, what outlets make of them, releases, independent stories."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.origins_world.events import EVENTS, Event, Fact
from citations.origins.fold import Passage, SourceText

PLACES = ["Aldermoor", "Brackwater", "Corvale", "Dunmarch", "Eskholm", "Farrowby", "Grenholt",
          "Harlow Ness", "Ilverton", "Jarnwick", "Kelstead", "Lindmere"]  # fmt: skip
THINGS = ["town hall", "old station", "chapel", "sports hall", "mill", "customs house", "library",
          "north gate", "market square", "brewery", "weaving shed", "bus depot", "lock", "bakery",
          "school yard", "orchard", "water tower", "cinema", "fire station", "museum"]  # fmt: skip
SPEAKERS = ["Anna Holm", "Peter Lund", "Maria Sorel", "Tom Ashby", "Ines Calder", "Jonas Witt",
          "Clara Beck", "Hugh Marlow", "Lena Ortiz", "Omar Reyes", "Nora Quist"]  # fmt: skip
FIRST = ["Ada", "Bram", "Cilla", "Dirk", "Elsa", "Finn", "Greta", "Hal", "Isla", "Jan", "Kit"]
LAST = ["Abbot", "Brandt", "Cole", "Drake", "Eames", "Fry", "Gale", "Hart", "Irwin", "Joss", "Kerr"]
OUTLETS = ["Northern Gazette", "Valley Herald", "Evening Lantern", "Daily Compass", "Harbour Post",
           "City Mirror", "Morning Ledger", "Weekly Anvil", "Coast Courier", "Union Tribune",
           "Free Observer", "Hill Chronicle", "River Dispatch", "Plain Speaker"]  # fmt: skip
AGENCIES = ["Reuters", "AFP", "AP", "dpa", "UPI", "Bloomberg"]
SYNONYMS = {
    "damaged": "hit", "people": "persons", "began": "started", "broke": "burst", "near": "close to",
    "showed": "read", "closed": "shut", "were": "had been", "will": "is going to", "has": "now has",
    "after": "following", "stood": "was", "gave": "handed", "days": "some days",
    "found": "discovered",
    "pass": "go past", "keep": "are keeping", "every": "each", "through": "throughout",
    "works": "is at work", "old": "former", "new": "brand-new", "wants": "would like",
    "makes": "will make", "takes": "needs", "sells": "offers", "served": "handed out",
}  # fmt: skip
LEADS = ["By the evening it was clear: ", "As it turns out, ", "One thing is certain. ", "",
         "In the words of a council clerk, ", "After days of rumours, ", "So far, ", "", "",
         "To the surprise of many, ", "Little doubt remains: ", "The papers show it: ",
         ""]  # fmt: skip
TAILS = ["", "", ", as many here had feared", ", and talk in the cafés is of little else",
         ", a figure of speech no longer", ", to which nobody objected", ", so the clerk noted",
         ", which neighbours confirm", ", for better or worse", ", on top of all the rest",
         ", and not everybody is glad of it", ", as was to be expected"]  # fmt: skip
ASIDES = ["a town of steep lanes", "where the market is held on Thursdays", "population falling",
          "long known for its cheese", "two hours from the capital",
          "which few could find on a map",
          "once a royal mint", "a place that rarely makes the news", "in the west of the county",
          "home to a famous choir", "that quiet corner", "a stop on the old salt road",
          "birthplace of a poet", "ringed by orchards", "named after a saint"]  # fmt: skip
WHO = ["A retired teacher", "The deputy mayor", "Two sisters from the upper road", "A taxi driver",
       "The choirmaster", "An engineer from abroad", "Half the rowing club", "The postmistress",
       "A man with a ladder", "Students of the evening class", "The oldest resident", "A surveyor",
       "Members of the angling society", "The vicar's wife", "A boy on a red bicycle"]  # fmt: skip
DOES = ["remembers", "has painted", "keeps asking about", "complains of", "wrote a letter about",
        "spent a whole morning at", "never trusted", "took pictures of", "made a list of",
        "is proud of", "would rather forget", "laughs about", "still dreams of"]  # fmt: skip
WHAT = ["the long queue", "a broken clock", "the new paint", "the price of bread", "an old promise",
        "the noise at night", "a missing key", "the speech of the chairman", "borrowed chairs",
        "the colour of the sky", "a leaking pipe", "the last bus", "wet shoes",
        "the brass band"]  # fmt: skip
MONTHS = ["January", "March", "April", "June", "July", "September", "October", "November"]


@dataclass
class Story:
    """A story: its sentences, of which some hold a fact, and where each fact comes from."""

    site: str
    title: str
    sentences: list[str]
    facts: dict[int, int] = field(default_factory=dict)
    """The place of the sentence that holds a fact."""
    origin: dict[int, str] = field(default_factory=dict)
    author: str = ""
    head: str = ""
    tail: str = ""
    canonical: str = ""
    published: str = ""
    path: str = ""

    @property
    def url(self) -> str:
        """Its address."""
        return f"https://{self.site.lower().replace(' ', '')}.example/{self.path}"

    def write(self, number: int) -> tuple[SourceText, dict[int, Passage]]:
        """The source, and where each fact stands in it."""
        text, places = self.head, []
        for place, sentence in enumerate(self.sentences):
            text += "" if place == 0 else "\n\n" if place % 3 == 0 else " "
            places.append((len(text), len(text) + len(sentence)))
            text += sentence
        source = SourceText(
            number=number, text=text + self.tail, url=self.url, uri=self.url, title=self.title,
            author=self.author, site=self.site, published=self.published, canonical=self.canonical,
        )  # fmt: skip
        return source, {fact: places[at] for fact, at in self.facts.items()}


class World:
    """The stories on one event."""

    def __init__(self, kind: str, seed: int) -> None:
        self.random = random.Random(seed)
        self.event: Event = self.random.choice(EVENTS[kind])
        self.place, self.other = self.random.sample(PLACES, 2)
        self.who = self.random.choice(SPEAKERS)
        self.outlets = self.random.sample(OUTLETS, len(OUTLETS))
        self.values = [self._draw() for _ in self.event.facts]
        self.stories: list[Story] = []

    def _draw(self) -> tuple[int, str]:
        n = self.random.choice([
            self.random.randint(12, 99), self.random.randint(101, 990),
            self.random.randint(1_001, 9_990),
        ])  # fmt: skip
        day = f"{self.random.randint(1, 28)} {self.random.choice(MONTHS)}"
        return n, day

    def put(self, wording: str, value: tuple[int, str], place: str = "") -> str:
        """A wording with what stands in its braces."""
        return wording.format(
            n=f"{value[0]:,}", day=value[1], place=place or self.place, who=self.who,
            other=self.other, x=self.random.randint(3, 90), thing=self.random.choice(THINGS),
        )  # fmt: skip

    def say(self, fact: int, wording: int | None = None) -> str:
        """A fact in one of its wordings."""
        one: Fact = self.event.facts[fact]
        if wording is not None:
            return self.put(one.wordings[wording], self.values[fact])
        return self.dress(self.put(self.random.choice(one.wordings), self.values[fact]))

    def dress(self, sentence: str) -> str:
        """A sentence with what a writer puts before and behind it."""
        if self.random.random() < 0.75 and f"{self.place} " in sentence:
            aside = f"{self.place}, {self.random.choice(ASIDES)}, "
            sentence = sentence.replace(f"{self.place} ", aside, 1)
        lead, tail = self.random.choice(LEADS), self.random.choice(TAILS)
        if lead and not sentence.startswith((self.place, self.who)) and lead[-2] not in ".:":
            sentence = sentence[0].lower() + sentence[1:]
        return f"{lead}{sentence[:-1]}{tail}."

    def chat(self) -> str:
        """A sentence on something else."""
        who, does, what = (self.random.choice(words) for words in (WHO, DOES, WHAT))
        return f"{who} {does} {what} {self.put('at the {thing}', (0, ''))}."

    def tell(self, site: str, origin: str, facts: list[int], beside: int) -> Story:
        """A story in words of its own: facts, what else is said, one thing that somebody said."""
        parts: list[tuple[int | None, str]] = [(fact, self.say(fact)) for fact in facts]
        chosen = self.random.sample(self.event.beside, min(beside // 3, len(self.event.beside)))
        parts += [(None, self.put(one, (0, ""))) for one in chosen]
        parts += [(None, self.chat()) for _ in range(beside - len(chosen))]
        if self.random.random() < 0.6:
            parts.append((None, f"“{self.event.said},” {self.who} said."))
        self.random.shuffle(parts)
        parts.sort(key=lambda one: one[0] is None and self.random.random() < 0.6)
        return Story(
            site=site,
            title=f"{self.random.choice(self.event.titles)}: {self.random.choice(WHAT)}".format(
                place=self.place
            ),
            sentences=[text for _, text in parts],
            facts={fact: at for at, (fact, _) in enumerate(parts) if fact is not None},
            origin={fact: origin for fact, _ in parts if fact is not None},
            author=f"{self.random.choice(FIRST)} {self.random.choice(LAST)}",
            published=f"2024-0{self.random.randint(1, 9)}-{self.random.randint(10, 28)}",
            path=f"news/{self.random.randint(1_000, 99_999)}",
        )

    def copy(self, story: Story, site: str) -> Story:
        """What an outlet makes of a story: shortened, words changed, paragraphs added."""
        rate = self.random.uniform(0.02, 0.12)
        keep = self.random.uniform(0.45, 1.0)
        made = self.tell(site, "", [], self.random.randint(0, 4))
        sentences: list[str] = []
        facts: dict[int, int] = {}
        for at, sentence in enumerate(story.sentences):
            held = [fact for fact, place in story.facts.items() if place == at]
            if held or self.random.random() < keep:
                for fact in held:
                    facts[fact] = len(sentences)
                sentences.append(self._reword(sentence, rate))
        made.sentences = sentences + made.sentences
        made.facts, made.origin = facts, {fact: story.origin[fact] for fact in facts}
        return made

    def _reword(self, sentence: str, rate: float) -> str:
        def change(found: re.Match[str]) -> str:
            word = found[0]
            return SYNONYMS[word] if word in SYNONYMS and self.random.random() < 6 * rate else word

        words = re.sub(r"\w+", change, sentence).split(" ")
        kept = [w for w in words if len(w) > 3 or self.random.random() > rate / 2]
        return " ".join(kept) if len(kept) > 3 else sentence

    def build(self) -> list[Story]:
        """All stories on the event."""
        every = list(range(len(self.event.facts)))
        names = iter(self.outlets)
        agencies = self.random.sample(AGENCIES, 2)
        for agency in agencies:
            self._add_wire(agency, every, names)
        own = [
            self.tell(next(names), f"own-{i}", every, self.random.randint(8, 24)) for i in range(3)
        ]
        self.stories += own
        if self.random.random() < 0.5:  # mentions an agency, and has nothing of it
            own[0].sentences.append(
                f"{agencies[0]} could not reach the company that owns the lock."
            )
        self._add_release(every, names)
        self._add_citing(own[1], every, next(names))
        self.random.shuffle(self.stories)
        return self.stories

    def _add_wire(self, agency: str, every: list[int], names: Iterator[str]) -> None:
        wire = self.tell(agency, agency, every, self.random.randint(10, 20))
        dateline = f"{self.place.upper()} ({agency}) - "
        wire.head, wire.author = dateline, agency
        self.stories.append(wire)
        for _ in range(self.random.randint(1, 2)):
            copied = self.copy(wire, next(names))
            way = self.random.choice(["none", "dateline", "tail", "author", "canonical"])
            if way == "dateline":
                copied.head = dateline
            elif way == "tail":
                copied.tail = f"\n\n({agency})"
            elif way == "author":
                copied.author = agency
            elif way == "canonical":
                copied.canonical = wire.url
            self.stories.append(copied)
        if self.random.random() < 0.5:  # all in other words, and named
            retold = self.tell(next(names), agency, every, 4)
            retold.head = self.random.choice([dateline, f"{self.place}, 3 May ({agency}) – "])
            self.stories.append(retold)

    def _add_release(self, every: list[int], names: Iterator[str]) -> None:
        office = f"Ministry of {self.random.choice(['Works', 'Transport', 'Health', 'Economy'])}"
        release = self.tell(office, "release", every, 6)
        release.author = ""
        self.stories.append(release)
        quoted = self.random.sample(every, 3)
        story = self.tell(next(names), "quoting", every, 12)
        for fact in quoted:
            said = release.sentences[release.facts[fact]]
            way = self.random.choice(["according", "said", "link"])
            story.sentences[story.facts[fact]] = {
                "according": f"According to the {office}, {said[0].lower()}{said[1:]}",
                "said": f"“{said[:-1]},” the {office} said in a statement.",
                "link": f"{said} ({release.url})",
            }[way]
            story.origin[fact] = "release"
        self.stories.append(story)

    def _add_citing(self, cited: Story, every: list[int], site: str) -> None:
        blog = self.tell(site, "", every, 8)
        blog.origin = dict(cited.origin)
        blog.tail = f"\n\nThis article was originally published on {cited.site}."
        if self.random.random() < 0.5:
            blog.tail = ""
            for fact, at in blog.facts.items():
                blog.sentences[at] = f"{cited.site} reported: {blog.sentences[at]}"
                assert fact in blog.origin
        self.stories.append(blog)
