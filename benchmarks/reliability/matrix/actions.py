"""What a row of the fault matrix runs: commands, in processes of their own."""

import json
import os
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.reliability.process import ROOT, Place, Ran, ended
from benchmarks.reliability.world.pages import TOWNS, pages, question, section
from benchmarks.reliability.world.requests import Call
from benchmarks.reliability.world.server import World

TOWN = TOWNS[0]
"""The one that the rows ask about."""

USUAL = {"no_embedding_model"}
"""What every report of this world says: no embedding model is configured."""


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
class Command:
    """Commands of `quire`, one after the other; the last that fails is what counts.

    Attributes:
        words: of each command; `{folder}` and `{web}` stand for the row's own.
        files: text by name of the files in the folder.
        terminal: whether they run on a terminal.
        memory: bytes that each may have.
    """

    words: tuple[tuple[str, ...], ...]
    files: tuple[tuple[str, str], ...] = ()
    terminal: bool = False
    memory: int = 0

    def __call__(self, here: Setting) -> Outcome:
        """Run them."""
        folder = here.folder / "given"
        folder.mkdir(exist_ok=True)
        for name, text in self.files:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        place = replace_place(here.place, here.folder / "own", memory=self.memory)
        run = place.on_terminal if self.terminal else place.quire
        ran = None
        for words in self.words:
            given = [one.format(folder=folder, web=here.world.url) for one in words]
            ran = run(*given, seconds=here.seconds)
            if ran.code != 0 or ran.traceback:
                break
        assert ran is not None
        return Outcome(ran, calls=list(here.world.calls))


@dataclass(frozen=True)
class Graph:
    """A graph that is called with an input and a context, as a notebook does."""

    name: str
    given: str
    context: str = "{}"

    def __call__(self, here: Setting) -> Outcome:
        """Call it."""
        return Outcome(program(here, "graph", self.name, self.given, self.context))


@dataclass(frozen=True)
class Stopped:
    """A run that a script kills: its id must be found without a terminal."""

    def __call__(self, here: Setting) -> Outcome:
        """Kill it while sections are written, then look for it and go on with it."""
        target = here.folder / "report.json"
        words = ["report", question(TOWN), "--mode", "deep", "--space", here.space]
        words += ["--connector", "tavily", "--json", str(target)]
        process = here.place.start_quire(*words)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any(
            one.name == "write_section" for one in here.world.calls
        ):
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        _, said = process.communicate(timeout=10)
        ended(process)
        named = resume_id(said)
        listed = here.place.quire("reports", "list", "--json")
        again = here.place.quire("report", "--resume", named or "none", "--json", str(target))
        return Outcome(replace(listed, err=said + listed.err), None, again, loaded(target))


@dataclass(frozen=True)
class Written:
    """A report of one section from some files, told as Markdown."""

    files: tuple[tuple[str, str], ...]

    def __call__(self, here: Setting) -> Outcome:
        """Write it."""
        folder = here.folder / "given"
        folder.mkdir(exist_ok=True)
        for name, text in self.files:
            (folder / name).write_text(text)
        target = here.folder / "report.json"
        ran = here.place.quire(
            "report", question(TOWN), "--files", str(folder), "--connector", "files",
            "--space", here.space, "--json", str(target), seconds=here.seconds,
        )  # fmt: skip
        return Outcome(ran, loaded(target), calls=list(here.world.calls))


@dataclass(frozen=True)
class Killed:
    """PostgreSQL is killed when a model is first asked for a task; then the run is gone on with."""

    task: str = "write_section"

    def __call__(self, here: Setting) -> Outcome:
        """Run it, with a database of its own."""
        data = here.folder / "killed"
        own = replace_place(here.place, data)
        pid_file = data / "postgres" / "postmaster.pid"

        def kill(call: Call) -> None:
            if call.name == self.task and call.attempt == 0:
                os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)
                here.world.on_come = lambda _: None

        here.world.on_come = kill
        return Report(resumed=True)(replace(here, place=own))


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
    script = ROOT / "benchmarks" / "reliability" / "matrix" / "programs.py"
    words = [one if isinstance(one, str) else json.dumps(one) for one in given]
    return here.place.python(str(script), name, *words, seconds=here.seconds)
