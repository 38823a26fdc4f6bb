"""A stand-in for a language model that thinks: it concludes, doubts, lists, and errs.

Its world are pages on machines, a property a paragraph. Of what its prompt shows it tells facts and
cites them; what follows from them, questions and lead-ins cite nothing; what it was not shown it
says the sources lack, as models do. It also invents.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, section_of

MACHINES = ("Tarn pump", "Osk winch", "Velm kiln", "Brae loom", "Quern mill", "Ister crane")

TOLD = {
    "weight": "The {m} weighs {n} kilograms when it is empty.",
    "noise": "At full speed the noise of the {m} reaches {n} decibels.",
    "service": "A service of the {m} is due after {n} hours of work.",
    "warranty": "The maker of the {m} grants a warranty of {n} months.",
    "price": "The {m} costs {n} crowns without its frame.",
    "water": "Each hour the {m} uses {n} litres of cooling water.",
    "crew": "The {m} is served by a crew of {n} workers.",
    "height": "The {m} stands {n} centimetres tall on its base.",
}
"""What a page tells of a machine, by property."""

DENIED = {
    "weight": "The sources do not say how much the {m} weighs.",
    "noise": "No figures on the noise of the {m} at full speed are given.",
    "service": "After how many hours a service of the {m} is due is not stated.",
    "warranty": "How long the warranty of the {m} lasts remains open.",
    "price": "None of the sources gives a price of the {m}.",
    "water": "How many litres of cooling water the {m} uses is left open.",
    "crew": "The documentation does not mention the crew of the {m}.",
    "height": "There is no information on how tall the {m} stands.",
}
"""What the writer says who was not shown it."""

UNTOLD = (
    "The sources do not say who painted the {m}.",
    "Whether the {m} may be exported to islands is not stated.",
)
"""What no page tells."""

INVENTED = (
    "The {m} was designed by Ada Quillworth in 1871.",
    "Pigeons prefer nesting near harbours.",
    "The {m} won seventeen medals at the fair of Lisbon [{n}].",
)

_SOURCE = re.compile(r'<source n="(\d+)"[^>]*>(.*?)</source>', re.DOTALL)
_MARKED = re.compile(r'<sentence n="(\d+)" reason="([^"]*)">(.*?)</sentence>', re.DOTALL)


def count(machine: str, about: str) -> int:
    """The figure of a property."""
    return 20 + Random(f"{machine} {about}").randrange(900)


def tell(machine: str, about: str) -> str:
    """What the pages say of it."""
    return TOLD[about].format(m=machine, n=count(machine, about))


def write_pages(folder: Path) -> None:
    """A page a machine, its properties far apart from each other."""
    for machine in MACHINES:
        random = Random(machine)
        parts = [f"# The {machine}"]
        for about in random.sample(sorted(TOLD), len(TOLD)):
            filler = " ".join(
                f"Visitors of the {random.choice(('hall', 'yard', 'shed'))} remember day {day} "
                "well, with its lanterns, songs, ropes and bread."
                for day in range(60)
            )
            parts += [tell(machine, about), filler]
        (folder / f"{machine.split()[0].lower()}.md").write_text("\n\n".join(parts) + "\n")


class ThinkingWriter(Writer):
    """Writes a section on each machine of its outline, and mends what comes back.

    `gaps` are the denials of a section; `passed_over` is a property that it never speaks of. `seed`
    says which denials they are.

    Attributes:
        thoughts: the sentences that it wrote without a fact, by section.
        denied: what it said the sources lack though a page tells it: (machine, property).
        invented: what no source says.
    """

    def __init__(
        self,
        machines: tuple[str, ...],
        instead: Mapping[str, Callable[[ChatRequest], str]] | None = None,
        gaps: int = 2,
        passed_over: str = "",
        seed: int = 0,
    ) -> None:
        super().__init__(
            {
                "outline": self._plan,
                "write_section": self._think,
                "repair_sentences": self._mend,
                **(instead or {}),
            }
        )
        self.machines = machines
        self.gaps = gaps
        self.passed_over = passed_over
        self.seed = seed
        self.thoughts: dict[str, list[str]] = {}
        self.denied: list[tuple[str, str]] = []
        self.invented: list[str] = []

    def _plan(self, _: ChatRequest) -> str:
        sections = [
            {"title": f"The {one}", "questions": [f"What is the {one} like?"]}
            for one in self.machines
        ]
        return json.dumps({"title": "Machines of the hall", "sections": sections})

    def _think(self, request: ChatRequest) -> str:
        machine = section_of(request).removeprefix("The ")
        shown = {
            about: number
            for number, body in _SOURCE.findall(request.messages[1]["content"])
            for about in TOLD
            if tell(machine, about) in body and about != self.passed_over
        }
        told = list(shown)[:2]
        facts = [f"{tell(machine, about)[:-1]} [{shown[about]}]." for about in told]
        number = next(iter(shown.values()))
        known, hidden = sorted(told), sorted(TOLD.keys() - shown.keys())
        unknown = Random(f"{machine} {self.seed}").sample(hidden, self.gaps)
        follows = [
            f"So whether the {machine} is the right choice depends on its {known[0]}.",
            f"Taken together, {known[0]} and {known[-1]} matter most.",
            "That alone decides little.",
        ]
        leads = ["What follows from this?", f"The figures of the {machine}:"]
        gaps = [UNTOLD[len(machine) % 2].format(m=machine)]
        self.denied += [(machine, about) for about in unknown]
        false = [one.format(m=machine, n=number) for one in INVENTED]
        self.invented += false
        self.thoughts[machine] = [*follows, *leads, *gaps]
        denials = [DENIED[about].format(m=machine) for about in unknown]
        return "\n\n".join(
            [
                f"### The {machine} in figures",
                " ".join([*facts, follows[0], false[0]]),
                leads[1],
                "\n".join(f"- {fact}" for fact in facts),
                f"| Property | Source |\n| --- | --- |\n| {known[0]} | [{number}] |",
                " ".join([leads[0], follows[1], false[1], false[2], follows[2]]),
                " ".join([*denials, *gaps]),
            ]
        )

    def _mend(self, request: ChatRequest) -> str:
        """What a passage says in place of a denial; what is invented goes."""
        sentences = []
        for place, reason, said in _MARKED.findall(request.messages[1]["content"]):
            answer: dict[str, object] = {"sentence": int(place), "text": ""}
            if "passages" in reason or "answer" in reason:
                answer["text"] = find_told(request, said)
                answer["keep"] = "" if answer["text"] else "no passage tells it"
            sentences.append(answer)
        return json.dumps({"sentences": sentences})


def find_told(request: ChatRequest, said: str) -> str:
    """What the passages of a prompt tell of what a sentence denies; "" where they do not."""
    for machine in MACHINES:
        for about, denial in DENIED.items():
            if denial.format(m=machine) == said:
                for number, body in _SOURCE.findall(request.messages[1]["content"]):
                    if tell(machine, about) in body:
                        return f"{tell(machine, about)[:-1]} [{number}]."
    return ""
