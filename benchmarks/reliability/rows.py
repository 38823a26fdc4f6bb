"""A row of the fault matrix: what goes wrong, what is run, and the word that has to be kept."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.reliability.harbours import (
    SUBJECTS,
    TOWNS,
    Page,
    pages,
    question,
    section,
    subjects_in,
)
from benchmarks.reliability.mind import REFUSAL, Answer
from benchmarks.reliability.process import ROOT, Place, Ran
from benchmarks.reliability.rules import Rules
from benchmarks.reliability.world import Call, World

TOWN = TOWNS[0]
FIRST, SECOND, THIRD = (section(TOWN, number)[0] for number in range(3))
"""Titles of the sections of a deep report."""

MODEL_SECONDS, CONNECTOR_SECONDS = 4, 4
"""Deadlines of a model's call and of a search in every row."""

USUAL = {"no_embedding_model"}
"""What every report of this world says: no embedding model is configured."""

SLACK = 6.0
"""Seconds that a busy machine may add to any run, besides its time once more."""


def bound(row: "Row", without: float | None) -> float:
    """Seconds that a row may take, by what it takes without its fault, if that is known."""
    return 2 * (without or 5.0) + row.extra + SLACK


_MARK = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Outcome:
    """What came of the commands of a row; `ran` is the one that the row is about."""

    ran: Ran
    report: dict[str, Any] | None = None
    then: Ran | None = None
    then_report: dict[str, Any] | None = None
    calls: Sequence[Call] = ()
    failures: Sequence[str] = ()

    @property
    def codes(self) -> list[str]:
        """Codes that the report names, without the usual one."""
        return codes_of(self.report)


def codes_of(report: Mapping[str, Any] | None) -> list[str]:
    """Codes of a report or an answer, without the usual one, each once."""
    named = (one["code"] for one in (report or {}).get("degraded", []))
    return [code for code in dict.fromkeys(named) if code not in USUAL]


@dataclass
class Setting:
    """Where a row is run: a place of processes, a world, a space of the library of its own."""

    place: Place
    world: World
    space: str
    folder: Path
    seconds: float = 300.0
    """After which a command is ended."""

    def sources(self) -> Path:
        """A folder with the pages on the town, as Markdown."""
        folder = self.folder / "sources"
        folder.mkdir(exist_ok=True)
        for number, page in enumerate(pages(TOWN)):
            (folder / f"{number}.md").write_text(page.text)
        return folder


Act = Callable[[Setting], Outcome]
Check = Callable[[Outcome], Iterable[str]]


@dataclass(frozen=True)
class Report:
    """`quire report`, to a file; with the row's faults.

    Attributes:
        mode: of research.
        connectors: asked.
        files: whether a folder of files is read, too.
        judge: whether a model judges the citations; such a run is begun by a program, as the
            command line cannot name a judge, and made by `quire report --resume`.
        streamed: the graph, streaming the model's words, as a LangGraph server runs it.
        resumed: whether the run is gone on with afterwards, when nothing is wrong any more.
    """

    mode: str = "deep"
    connectors: tuple[str, ...] = ("tavily",)
    files: bool = False
    judge: bool = False
    streamed: bool = False
    resumed: bool = False

    def __call__(self, here: Setting) -> Outcome:
        """Run it."""
        target = here.folder / "report.json"
        place, asked = here.place, question(TOWN)
        named = [word for one in self.connectors for word in ("--connector", one)]
        if self.files:
            named += ["--files", str(here.sources())]
        if self.streamed:
            told = {"research_mode": self.mode, "connectors": list(self.connectors)}
            ran = program(here, "streamed", asked, {**told, "space": here.space}, str(target))
        elif self.judge:
            told = {"research_mode": self.mode, "connectors": list(self.connectors)}
            told |= {"judge_model": "openai:gpt-4.1-mini", "space": here.space}
            begun = program(here, "begin", asked, told)
            here.world.forget()
            ran = place.quire(
                "report", "--resume", begun.out.strip(), "--json", str(target), seconds=here.seconds
            )
        else:
            ran = place.quire(
                "report", asked, "--mode", self.mode, "--json", str(target), "--space", here.space,
                *named, seconds=here.seconds,
            )  # fmt: skip
        report, calls = loaded(target), list(here.world.calls)
        if not self.resumed:
            return Outcome(ran, report, calls=calls)
        here.world.rules.clear()
        identity = (report or {}).get("id") or resume_id(ran.err)
        again = place.quire("report", "--resume", str(identity), "--json", str(target))
        return Outcome(ran, report, again, loaded(target), calls)


@dataclass(frozen=True)
class Ask:
    """`quire ask`, whose pages the search engine shows by their beginnings only."""

    def __call__(self, here: Setting) -> Outcome:
        """Run it."""
        asked = section(TOWN, 0)[1][0]
        ran = here.place.quire(
            "ask", asked, "--connector", "tavily", "--space", here.space, "--json",
            seconds=here.seconds,
        )  # fmt: skip
        try:
            answer: dict[str, Any] | None = json.loads(ran.out)
        except ValueError:
            answer = None
        return Outcome(ran, answer, calls=list(here.world.calls))


@dataclass(frozen=True)
class Row:
    """One fault, and how a run has to bear it.

    Attributes:
        name: of the fault.
        group: of rows.
        rules: makes the rules of the world, anew for every run.
        mind: answers of the model that take the place of its own.
        act: what is run.
        exit: the code that the command ends with; None where any will do.
        codes: that the report must name; of several in one string, as `a|b`, one will do.
        about: what their sentences must name, as the title of the section that was lost.
        may: codes that the report may name besides.
        extra: seconds that the fault may add.
        variables: of the process.
        excerpts: whether a page is shown by its beginning only.
        check: what else is wrong with the outcome.
        tested: whether the row is a part of the suite.
    """

    name: str
    group: str
    act: Act = field(default_factory=Report)
    rules: Rules = tuple
    mind: Mapping[str, Answer] = field(default_factory=dict)
    exit: int | None = 0
    codes: tuple[str, ...] = ()
    about: str = ""
    may: frozenset[str] = frozenset()
    extra: float = 6.0
    variables: Mapping[str, str] = field(default_factory=dict)
    excerpts: Callable[[Page], bool] = lambda _: False
    search_delay: float = 0.2
    check: Check = lambda _: ()
    tested: bool = False


def complaints(row: Row, got: Outcome, base: Outcome | None, most: float) -> list[str]:
    """In what a run did not keep its word.

    Args:
        row: what was to be borne.
        got: what came of it.
        base: the same commands in a world in which nothing is wrong.
        most: seconds that it may take.
    """
    ran = got.ran
    told = []
    if ran.code is None:
        told.append("it did not end")
    elif row.exit is not None and ran.code != row.exit:
        said = f" ({ran.sentences[-1][:200]})" if ran.sentences else ""
        told.append(f"exit {ran.code}, not {row.exit}{said}")
    told += _printed(ran)
    if got.then is not None:
        told += [f"on resuming, {one}" for one in _printed(got.then)]
    if ran.code == 0 and row.exit == 0 and got.report is not None:
        told += _codes(row, got)
        told += _silent(got, base if not row.mind.keys() & {"write_section", "outline"} else None)
    if ran.seconds > most:
        told.append(f"{ran.seconds:.1f} s, more than {most:.1f} s")
    return [*told, *row.check(got), *(f"the stand-in failed: {one}" for one in got.failures)]


def resumes_whole(*allowed: str) -> Check:
    """Going on has to end in a whole report, which names no code but those."""

    def check(got: Outcome) -> Iterable[str]:
        if got.then is None or got.then.code != 0:
            yield f"on resuming, exit {got.then and got.then.code}"
            return
        report = got.then_report or {"sections": []}
        if len([one for one in report["sections"] if _MARK.search(one["text"])]) < 3:
            yield "on resuming, not every section was written"
        if stale := [code for code in codes_of(report) if code not in allowed]:
            yield f"on resuming, the report still names {', '.join(stale)}"

    return check


def loaded(path: Path) -> dict[str, Any] | None:
    """The JSON of a file, which is taken away; None where there is none."""
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text())
    path.unlink()
    return found


def resume_id(said: str) -> str:
    """The id of a run that its standard error names; "" where it does not."""
    found = re.search(r"(?:report|--resume) ([2-9a-hjkmnp-z]{8})\b", said)
    return found[1] if found else ""


def replace_place(place: Place, data: Path, memory: int = 0) -> Place:
    """The place with a data folder of its own, whose database nobody else keeps up."""
    data.mkdir()
    return replace(place, data=data, memory=memory)


def program(here: Setting, name: str, *given: Any) -> Ran:
    """Run one of `programs` with words; what is no text is given as JSON."""
    script = ROOT / "benchmarks" / "reliability" / "programs.py"
    words = [one if isinstance(one, str) else json.dumps(one) for one in given]
    return here.place.python(str(script), name, *words, seconds=here.seconds)


def _printed(ran: Ran) -> list[str]:
    told = []
    if ran.traceback:
        told.append("a traceback")
    elif ran.noise:
        told.append(f"{len(ran.noise)} lines beside the sentence: {ran.noise[0][:80]}")
    if len(ran.sentences) > 1:
        told.append(f"{len(ran.sentences)} sentences of error")
    if ran.code not in (0, None) and not ran.sentences:
        told.append("no sentence of error")
    return told


def _codes(row: Row, got: Outcome) -> list[str]:
    wanted = [set(one.split("|")) for one in row.codes]
    named = {one["code"]: one["detail"] for one in (got.report or {}).get("degraded", [])}
    told = [f"{' or '.join(sorted(one))} is not named" for one in wanted if not one & named.keys()]
    if row.about and wanted:
        details = [d["detail"] for d in (got.report or {})["degraded"]]
        if not any(row.about in detail for detail in details):
            told.append(f"no code names “{row.about}”")
    allowed = set().union(row.may, *wanted)
    if more := [code for code in got.codes if code not in allowed]:
        told.append(f"{', '.join(more)} for no reason")
    return told


def _silent(got: Outcome, base: Outcome | None) -> list[str]:
    """What was lost without a word, by what the same run makes of a world without faults."""
    if not got.report or "sections" not in got.report:
        return []
    told = []
    details = " ".join(one["detail"] for one in got.report["degraded"])
    held = {one["title"]: one["text"] for one in got.report["sections"]}
    whole = [one["title"] for one in base.report["sections"]] if base and base.report else []
    same_plan = bool(whole) and set(held) <= set(whole)
    for title in whole if same_plan else held:
        text = held.get(title, "")
        if not _MARK.search(text) and title not in details:
            told.append(f"a silent loss: the section “{title}”")
        if REFUSAL[:9] in text:
            told.append(f"a refusal is the section “{title}”")
    if same_plan and base and base.report and not got.codes:
        lost = len(base.report["references"]) - len(got.report["references"])
        told += [f"a silent loss: {lost} sources"] if lost > 0 else []
    return told


def half(page: Page) -> bool:
    """Whether a page is on every other part of the harbour."""
    return any(SUBJECTS.index(one) % 2 for one in subjects_in(page.path))
