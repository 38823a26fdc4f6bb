"""Whatever a writer sends back, every mark of the report holds and no valid one is lost."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from html import unescape
from random import Random

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, outline_of, section_of
from graph_runs import QUESTION, asked, check_report, get_sections, speaking
from markdown_it import MarkdownIt

from citations.markers import find_markers
from graphs.report import graph
from library.library import Library, open_library
from schema.context import Context
from schema.report import Report

_SOURCE = re.compile(r'<source n="(\d+)"[^>]*title="([^"]*)"[^>]*>(.*?)</source>', re.DOTALL)
_FIGURE = re.compile(r"(?<![\w.,/-])\d{2,3}(?= [a-z]+)")
_MARK = re.compile(r"\[\s*(\d+)\s*\]")
_FACT = re.compile(r"(?<=[.>\n] )?[A-Z][^.!?#\n|`<>\[\]]{40,200}(?=\.\s)")
ODD_TEXTS = [
    ("{A} [{a}, {b}].", "ab"),
    ("{A} [{a}; {b}, 99]. {C}[{c}].", "abc"),
    ("{A} [{a}]-[{a}]. {B} [{b}]–[99].", "ab"),
    ("{A} [99]. {B} [{b}].", "b"),
    ("{A} [99][{a}][0]. {B} [98, {b}].", "ab"),
    ("{A} ([{a}](https://example.org/a_(b))). {B} ([{b}]). {C} [99](http://x.y/z_(1)).", "ab"),
    ("{A} [^{a}]. {B} [^{b}][^99].", "ab"),
    ("{A} 【{a}】. {B} 【99】【{b}，{c}】.", "abc"),
    ("{A}. [{a}] {B}. [{b}]", "ab"),
    ("{A}.[{a}] {B}.[99] {C}.[{c}]", "ac"),
    ("{A} [{a}]. {B} [{b}]. {C} [{c}", "ab"),
    ("{A} {a}]. {B} [{b}]. [", "b"),
    ("{A} [[{a}]]. {B} [[99]{b}]. {C} [[{c}], [97]].", "ac"),
    ("{A} [{a}] [{a}], [{a}]. {B} [{b}][{b}].", "ab"),
    ("{A} [123456789012345678901234567890]. {B} [{b}]. {C} [1-200].", "b"),
    ("{A} [ {a} , {b} ]. {C} [{c}\n].", "abc"),
    ("{A} \\[{a}\\]. {B} [{b}\\]. {C} \\[99\\].", "ab"),
    ("{A} [{a}].\n\n```python\nx[99] = y[{b}]\n```\n\n{B} [{b}].", "ab"),
    ("{A} [{a}].\n\n```python\nx[99] = 3", "a"),
    ("{A} [{a}].\n\n~~~\nx[99]\n```\n~~~\n\n{B}.", "a"),
    ("{A} is `x[99]` [{a}]. `y[{b}]` is {B} [{b}].", "ab"),
    ("```ts_rank``` is code. {A} [{a}]. {B} [{b}].", "ab"),
    ("{A} [{a}]. ``` {B} [{b}].", "ab"),
    ("{A} ` [{a}]. {B} ` [{b}]! `x[99] ` {C} [{c}].", "bc"),
    ("| fact | source |\n| --- | --- |\n| {A} | [{a}] |\n| {B} [{b}] | [99] |\n\n{C}[{c}].", "abc"),
    ("### {A} [{a}]\n\n{B} [{b}].\n\n#### Heading [99]", "b"),
    ("- {A} [{a}]\n- {B} [{b}, 99]\n  - {C} [{c}]\n- [99]\n", "abc"),
    ("1. {A} [{a}].\n2. [99] {B} [{b}].\n\n> {C} [{c}].\n> Quoted [99].", "abc"),
    ("**{A}.** [{a}] **{B}**. [{b}]\n\n_{C}._ [{c}]", "abc"),
    ("זהו טקסט בעברית [{a}, 99]. {A} [{a}].", "a"),
    ("هل هذا نص؟ [{a}] نعم، هذا نص [99]. {B} [{b}].", "ab"),
    ("🙂 {A} 🚀[{a}]🔥. {B} 👩‍👩‍👧 [{b}]. 1️⃣ [99]", "ab"),
    ("{A}。[{a}]{B}。【{b}】这是一句话。[99]", "ab"),
    ("- {A} [{a}]\n- [{b}] {B}\n", "ab"),
    ("\u202e{A} [{a}]\u202c [\u200f99]. {B} [{b}]\u2028{C} [{c}]\x0c", "abc"),
    ("[{a}]\n\n[99]\n\n{A}.\n[{a}]\n{B}.\n[{b}]", "ab"),
    ("![picture [99]](https://example.org/x.png) {A} [{a}]. [link [{b}]](http://x.y) {B}.", "ab"),
    ("<p>{A} [{a}]</p>\n<!-- [99] --> {B} [{b}].", "ab"),
    ("{A} [{a}].\n\n```chart\n{chart}\n```\n\n{B} [{b}].", "abk"),
    ("{A} [{a}].\n```chart\n{bad}\n```\n{B} [{b}].\n\n  ~~~vega-lite\n{chart}\n  ~~~", "abk"),
    ("{A} [{a}].\n\n```chart\n{table}\n```\n{B} [{b}].\n\n```chart\n{{\"title\": [99]", "abk"),
]  # fmt: skip
"""A text, and which sources have to be cited in the end.

`{A}`, `{B}` and `{C}` are facts without their stops, of the sources `{a}`, `{b}` and `{c}`; numbers
such as 99 are of none. `{chart}` is a chart of a figure that source `{k}` has, `{bad}` of one that
it has not; `{table}` cannot be drawn and has marks in its cells.
"""

TITLES = [one["title"] for one in json.loads(outline_of(3))["sections"]]
ORDER = Random(11).sample(ODD_TEXTS, len(ODD_TEXTS))


class OddWriter:
    """Writes odd texts with facts of the sources, each fact once, and notes what has to be cited.

    Attributes:
        forms: the texts by section.
        cited: titles of the sources that have to be cited, by section.
    """

    def __init__(self, forms: Mapping[str, tuple[str, str]]) -> None:
        self.forms = forms
        self.cited: dict[str, set[str]] = {}
        self.said: set[str] = set()

    def __call__(self, request: ChatRequest) -> str:
        form, wanted = self.forms[section_of(request)]
        given: dict[str, str] = {}
        titles: dict[str, str] = {}
        letters = iter("abc")
        for number, title, body in _SOURCE.findall(request.text):
            if "k" not in titles and (figure := _FIGURE.search(body)):
                given |= charts(int(number), int(figure[0]))
                titles["k"] = unescape(title)
            fact = next((one for one in _FACT.findall(body) if one not in self.said), "")
            if fact and (letter := next(letters, "")):
                self.said.add(fact)
                given |= {letter: number, letter.upper(): fact}
                titles[letter] = unescape(title)
        self.cited[section_of(request)] = {titles[letter] for letter in wanted}
        return form.format(**given)


def charts(number: int, figure: int) -> dict[str, str]:
    """The charts of a figure of a source, by their names in the texts."""

    def chart(value: int, **fields: str) -> str:
        values = [{"at": at, "k": value, **fields, "source": number} for at in ("first", "second")]
        x, y = {"field": "at", "type": "ordinal"}, {"field": "k", "type": "quantitative"}
        drawn = {"mark": "bar", "encoding": {"x": x, "y": y}, "data": {"values": values}}
        return json.dumps({"title": f"The figure {value} of [99]", **drawn})

    return {
        "chart": chart(figure),
        "bad": chart(98_765),
        "table": chart(figure, name="[99] `[98]` | x").replace('"bar"', '"map"'),
    }


def seen(markdown: str) -> str:
    """What a reader sees outside of code, as CommonMark has it, without signs of direction."""

    def texts() -> Iterator[str]:
        for block in MarkdownIt("commonmark", {"html": False}).enable("table").parse(markdown):
            yield "\n"
            for token in block.children or []:
                yield " " if token.type in ("code_inline", "softbreak") else token.content

    return "".join(one for one in "".join(texts()) if unicodedata.category(one) != "Cf")


async def check(report: Report, writer: OddWriter, library: Library) -> None:
    """`check_report`, for texts with code in them, and what each section has to cite."""
    titles = {one["number"]: one["title"] for one in report["references"]}
    called = [int(n) for one in report["sections"] for n in _MARK.findall(seen(one["text"]))]
    assert list(dict.fromkeys(called)) == list(titles) == [*range(1, len(titles) + 1)]
    assert {one["number"] for one in report["citations"]} == set(titles)
    for section in report["sections"]:
        called = [int(number) for number in _MARK.findall(seen(section["text"]))]
        assert called == find_markers(section["text"])
        assert writer.cited.get(section["title"], set()) <= {titles[number] for number in called}
    for one in report["citations"]:
        assert one["sentence"] in report["sections"][one["section"]]["text"]
        assert f"[{one['number']}]" in one["sentence"]
        stored = await library.load_text(one["document"]) or ""
        assert stored[one["start"] : one["end"]] == one["quote"] != ""
        assert f"{one['before']}{one['quote']}{one['after']}" in stored


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(ODD_TEXTS), 3))
async def test_every_mark_holds_and_no_valid_one_is_lost(first: int, samples: str) -> None:
    odd = [*ORDER, *ORDER][first : first + 3]
    writer = OddWriter(dict(zip(TITLES, odd, strict=True)))
    with speaking(Writer({"write_section": writer})):
        context = Context(space=samples, research_mode="deep")
        state = await graph.ainvoke(asked(QUESTION), context=context)
    report: Report = state["report"]
    assert [one["title"] for one in get_sections(report)] == TITLES
    library = await open_library(samples)
    await check(report, writer, library)
    if not any("`" in one["text"] or "~~~" in one["text"] for one in report["sections"]):
        await check_report(report, samples)
