"""What strangers write: files, markup, figures in words; and what the command line says of it."""

import json
import re
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from fakes.openai_chat import ChatRequest
from fakes.writer import section_of

from benchmarks.reliability.harbours import question
from benchmarks.reliability.mind import Mind, facts
from benchmarks.reliability.process import ended
from benchmarks.reliability.rows import (
    FIRST,
    TOWN,
    Check,
    Outcome,
    Report,
    Row,
    Setting,
    loaded,
    program,
    replace_place,
    resume_id,
)


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


def _printed(*wanted: str, without: tuple[str, ...] = ()) -> Check:
    """Something must stand on standard output, and something must not."""

    def check(got: Outcome) -> Iterable[str]:
        said = got.ran.out + got.ran.err
        yield from (f"“{one}” is not printed" for one in wanted if not re.search(one, said))
        yield from (f"“{one}” is printed" for one in without if re.search(one, said))

    return check


def _found_again(got: Outcome) -> Iterable[str]:
    if not resume_id(got.ran.err):
        yield "the run's id is not on standard error"
    if got.then is None or got.then.code != 0:
        yield "it could not be gone on with"


def _report_of(files: dict[str, str], mind: Callable[[ChatRequest], str]) -> dict[str, Any]:
    """The parts of a row whose report is written from files, by a mind of its own."""
    return {"act": Written(tuple(files.items())), "mind": {"write_section": mind}}


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


POSTS = f"The piers of {TOWN} stand on two hundred oak posts in the mud of the river."
BOUND = f"Ships at the piers of {TOWN} are bounded by `max_ships`."
DEFAULT = f"The default of the piers of {TOWN} is forty ships, e.g. in winter (see Fig. 2)."
THIRD = f"One third of the piers of {TOWN} were rebuilt in the year 1911 by the town's masons."
PIERS = {
    "posts.md": f"# Posts in the harbour of {TOWN}\n\n{POSTS} {THIRD}\n",
    "bounds.md": f"# Bounds in the harbour of {TOWN}\n\n{BOUND}\n",
    "defaults.md": f"# Defaults of the harbour of {TOWN}\n\n{DEFAULT}\n",
}
"""What the rows on claims are written from."""


def _says(*told: tuple[str, str]) -> Callable[[ChatRequest], str]:
    """A writer that says sentences, each with what its source says, which it cites."""

    def write(request: ChatRequest) -> str:
        sources = re.findall(r'<source n="(\d+)"[^>]*>(.*?)</source>', request.text, re.DOTALL)
        return " ".join(
            f"{said.removesuffix('.')} [{number}]."
            for said, source in told
            for number, body in sources
            if source in body
        )

    return write


def _not_supported(words: str) -> Check:
    def check(got: Outcome) -> Iterable[str]:
        for one in (got.report or {"citations": []})["citations"]:
            if words in one["sentence"] and one["verdict"] == "supported":
                yield f"“{one['sentence']}” counts as supported by “{one['quote'][:60]}”"

    return check


def _all_supported(got: Outcome) -> Iterable[str]:
    report = got.report or {"citations": []}
    wrong = [one for one in report["citations"] if one["verdict"] != "supported"]
    yield from (f"a copied sentence is {one['verdict']}: “{one['sentence']}”" for one in wrong)
    if not report["citations"]:
        yield "nothing is cited"


def _dateless(title: str) -> Check:
    def check(got: Outcome) -> Iterable[str]:
        for one in (got.report or {"references": []})["references"]:
            if one["published"]:
                yield f"a date nobody gave: {one['published']}"
            if title not in one["title"]:
                yield f"the page's title is told as “{one['title']}”"

    return check


def _plain_markdown(got: Outcome) -> Iterable[str]:
    said = got.ran.out
    for raw in ("<script", "<img"):
        if re.search(rf"(?<!\\){raw}", said):
            yield f"{raw} stands raw in the Markdown"
    if (ones := len(re.findall(r"^# ", said, re.MULTILINE))) != 1:
        yield f"{ones} headings of the first level"


HTML_PAGE = f"""<!doctype html><html><head><title>MERGE: piers of {TOWN}</title></head><body>
<div class="warning"><h3>Warning</h3><p>Mind the step when it rains on the piers.</p></div>
<h1>MERGE</h1>
<p>The piers of {TOWN} merge with the quay, as SQL:1999 has it, and carry 4711 tonnes of grain.</p>
<p>CREATE TABLE piers (day date DEFAULT '2016-07-01'); the piers of {TOWN} keep books.</p>
<p>Keepers of the piers of {TOWN} live on the water and row home at night.</p></body></html>"""


def _spaces(request: ChatRequest) -> str:
    return Mind(errs=False)(request).replace(" by the guild", " " * 20_000 + "by the guild")


def _markup(request: ChatRequest) -> str:
    number, said = facts(request, section_of(request) or FIRST)[0]
    return (
        f"# {TOWN} anew\n\n<script>alert(1)</script> {said[:-1]} [{number}].\n\n"
        f'<img src=x onerror=alert(1)> Everything stands on "{TOWN}" [{number}].'
    )


GOOD = f"# Rope\n\nThe ropewalks of {TOWN} make rope of hemp all year round.\n"
DIGITS = f"---\ntitle: 0x{'f' * 5000}\n---\n{GOOD}"
SIXTIES = f"---\ntitle: {'1:' + '59:' * 3000}59\n---\n{GOOD}"
BOMB = (
    "---\na: &a {x: 1}\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n"
              for n in range(9))
    + f"title: *j\n---\n{GOOD}"
)  # fmt: skip
MERGED = (
    "---\na0: &a0 {k: v}\n"
    + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 30)}]}}\n" for n in range(1, 7))
    + f"---\n{GOOD}"
)


def _ingested(*files: tuple[str, str]) -> Command:
    return Command((("ingest", "{folder}"),), tuple(files), memory=2 * 2**30)


TEXTS = [
    Row(
        "front matter of 5,000 digits", "files",
        act=_ingested(("bad.md", DIGITS), ("sixties.md", SIXTIES), ("good.md", GOOD)),
        check=_printed("3 added"),
    ),
    Row(
        "front matter of aliases (559 bytes)", "files",
        act=_ingested(("bomb.md", BOMB), ("merged.md", MERGED), ("good.md", GOOD)), extra=12,
        check=_printed("3 added"),
    ),
    Row(
        "300 kB of brackets as Python", "files",
        act=_ingested(("bad.py", "ropes = 1\n" + "[" * 300_000),
                      ("tilde.py", "ropes = 2\n" + "~~" * 150_000), ("good.md", GOOD)),
        extra=15, check=_printed("3 added"),
    ),
    Row(
        "a redirect to javascript:", "files",
        act=Command((("ingest", "web:{web}/site/"),)), check=_printed("2 added"),
    ),
    Row(
        "dates and titles of a page's body", "files",
        **_report_of(
            {"merge.html": HTML_PAGE},
            _says((f"The piers of {TOWN} carry 4711 tonnes of grain.", "4711 tonnes")),
        ),
        check=_dateless("MERGE"),
    ),
]  # fmt: skip

CLAIMS = [
    Row(
        "3 percent, where the source has one third", "claims",
        **_report_of(
            PIERS,
            _says(
                (POSTS, POSTS),
                (f"3 percent of the piers of {TOWN} were rebuilt in the year 1911.", THIRD),
            ),
        ),
        check=_not_supported("3 percent"),
    ),
    Row(
        "copied sentences that end in code and brackets", "claims",
        **_report_of(PIERS, _says((BOUND, BOUND), (DEFAULT, DEFAULT), (POSTS, POSTS))),
        check=_all_supported,
    ),
    Row(
        "figures written in another way", "claims",
        **_report_of(PIERS, _says((POSTS.replace("two hundred", "200"), POSTS))),
        check=_all_supported,
    ),
    Row(
        "20,000 spaces within a sentence", "writer's text",
        mind={"write_section": _spaces}, extra=10,
    ),
    Row(
        "HTML and headings in a section", "writer's text", mind={"write_section": _markup},
        act=Report(mode="deep"), check=_plain_markdown,
    ),
]  # fmt: skip


def _titled(request: ChatRequest) -> str:
    """An outline whose title has what a terminal's markup ends with."""
    made = json.loads(Mind()(request))
    return json.dumps({**made, "title": "What herons [/b] eat"})


ASKED = "What do herons [/b] of the harbour of " + TOWN + " eat?"

SPOKEN = [
    Row(
        "[/b] in a question, on a terminal", "terminal",
        act=Command(
            (
                ("report", ASKED, "--connector", "tavily"),
                ("reports", "list"),
            ),
            terminal=True,
        ),
        mind={"outline": _titled}, extra=12, check=_printed(re.escape("[/b]")),
    ),
    Row(
        "[/y] in a path, on a terminal", "terminal",
        act=Command(
            (("ingest", "{folder}/x[/y].md"), ("tree",), ("sources", "list")),
            (("x[/y].md", GOOD),), terminal=True,
        ),
        check=_printed(re.escape("x[/y]")),
    ),
    Row(
        "a tree of an empty library", "terminal", act=Command((("tree",),)), exit=None,
        check=_printed("quire ingest"),
    ),
    Row("a run killed by a script", "terminal", act=Stopped(), extra=40, check=_found_again),
    Row(
        "sources with a null byte, for the graph", "input",
        act=Graph("ingest", json.dumps({"sources": ["a\x00b"]})), exit=1,
    ),
    Row("sources that are no texts, for the graph", "input",
        act=Graph("ingest", '{"sources": [1]}'), exit=1),
    Row("no sources, for the graph", "input", act=Graph("ingest", "{}"), exit=1),
    Row(
        "an unknown field of the context", "input",
        act=Graph("ingest", '{"sources": ["."]}', '{"spaec": "x"}'), exit=1,
    ),
    Row(
        "a value that a field does not take", "input",
        act=Graph("ingest", '{"sources": ["."]}', '{"top_k": "many"}'), exit=1,
    ),
    Row(
        "a last message that asks nothing (of a model)", "input",
        act=Graph(
            "report",
            json.dumps({"messages": [{"role": "user", "content": "Why?"},
                                     {"role": "assistant", "content": f"As to {TOWN}, so."}]}),
            '{"connectors": ["tavily"]}',
        ),
        exit=1,
    ),
]  # fmt: skip

ROWS = [*TEXTS, *CLAIMS, *SPOKEN]
