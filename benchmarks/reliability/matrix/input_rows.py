"""What strangers write: files, markup, figures in words; and what the command line says of it."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from fakes.openai_chat import ChatRequest
from fakes.writer import section_of

from benchmarks.reliability.matrix.actions import (
    TOWN,
    Command,
    Graph,
    Outcome,
    Report,
    Stopped,
    Written,
    resume_id,
)
from benchmarks.reliability.matrix.row import FIRST, Check, Row
from benchmarks.reliability.world.chat_model import Mind, facts


def _printed(wanted: str) -> Check:
    """Something must be printed, as a regular expression tells it."""

    def check(got: Outcome) -> Iterable[str]:
        if not re.search(wanted, got.ran.out + got.ran.err):
            yield f"“{wanted}” is not printed"

    return check


def _found_again(got: Outcome) -> Iterable[str]:
    if not resume_id(got.ran.err):
        yield "the run's id is not on standard error"
    if got.then is None or got.then.code != 0:
        yield "it could not be gone on with"


def _report_of(files: dict[str, str], mind: Callable[[ChatRequest], str]) -> dict[str, Any]:
    """The parts of a row whose report is written from files, by a mind of its own."""
    return {"act": Written(tuple(files.items())), "mind": {"write_section": mind}}


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


def _surrogates(request: ChatRequest) -> str:
    return f"{Mind(errs=False)(request)} It is told \ud83c of at length."


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
        extra=15, check=_printed("3 added"), tested=True,
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
    Row("half a character in a section", "writer's text", mind={"write_section": _surrogates}),
    Row(
        "HTML and headings in a section", "writer's text",
        mind={
            "write_section": _markup,
            "revise_report": lambda _: '{"edits": []}',
            "repair_sentences": lambda _: '{"sentences": []}',
        },
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
        check=_printed("quire ingest|(?i:empty|nothing)"),
    ),
    Row(
        "a question whose bytes are no text", "terminal",
        act=Command((("report", f"How old are \udcff the piers of {TOWN}?",
                      "--connector", "tavily"),)),
        exit=None,
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
