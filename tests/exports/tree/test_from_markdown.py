"""Sections as trees: nothing is loaded, nothing is run, no mark is lost."""

import json

import pytest
from hostile import report_of
from sample_report import REPORT

from exports.citation_styles import CitationStyle
from exports.formats import export
from exports.tree.from_markdown import SectionParser
from exports.tree.nodes import PandocNode, collect_text, node, string, table

NUMBERS = [one["number"] for one in REPORT["references"]]


def chart(place: int, title: str, sources: list[PandocNode]) -> list[PandocNode]:
    return [node("Chart", [title, collect_text(sources)])] if place == 0 else []


def read(text: str) -> list[PandocNode]:
    style = CitationStyle(REPORT["references"], "ieee", "en")
    return SectionParser(style, NUMBERS, chart).parse_blocks(text)


def kinds(text: str) -> list[str]:
    return [block["t"] for block in read(text)]


@pytest.mark.parametrize(
    "text", ["x{=latex}", "<b>x</b>", "<!-- x -->", "\\begin{x}", "$x$", "{{x}}", "#x[y]", "x^y^"]
)
def test_markup_of_any_format_stays_text(text: str) -> None:
    (block,) = read(f"a {text}")
    assert collect_text(block["c"]) == f"a {text}"
    assert {one["t"] for one in block["c"]} == {"Str"}


def test_raw_markup_is_code_or_text() -> None:
    assert kinds("<div>\n\n[1]\n\n</div>") == ["Para", "Para", "Para"]
    (block,) = read("`\\evil`{=latex}")
    assert [one["t"] for one in block["c"]] == ["Code", "Str"]
    for fence in ("```{=latex}", "~~~{=html}", "```{.x #y}"):
        (block,) = read(f"{fence}\n\\evil\n{fence[:3]}")
        assert (block["t"], block["c"][0][1], block["c"][1]) == ("CodeBlock", [], "\\evil")


def test_no_image_is_kept() -> None:
    remote, local = read("![a](http://x.example/y.png)\n\n![b](/etc/hostname)")
    assert remote["c"][0]["t"] == "Link"
    assert local["c"] == [string("b")]


@pytest.mark.parametrize("address", ["javascript:x", "file:///x", "data:,x", "#x", "/x", "x.md"])
def test_only_web_pages_are_linked(address: str) -> None:
    (block,) = read(f"[a]({address})")
    assert "Link" not in json.dumps(block)


def test_a_mark_that_looks_like_a_definition_is_a_mark() -> None:
    first, second = read("[1]: so\n\n[2][1]")
    assert first["c"][0]["c"][2] == ["#source-1", ""]
    assert [one["c"][2][0] for one in second["c"]] == ["#source-2", "#source-1"]


def test_a_chart_stands_alone_with_the_marks_behind_it() -> None:
    (drawn,) = read("![T](chart:0) [1]")
    assert drawn == node("Chart", ["T", " [1]"])
    assert kinds("Before. ![T](chart:0) After.") == ["Para", "Chart", "Para"]
    assert kinds("- ![T](chart:0)") == ["BulletList"]


def test_a_chart_that_cannot_stand_leaves_its_title_and_marks() -> None:
    (block,) = read("![T](chart:7) [1]")
    assert collect_text(block["c"]) == "T [1]"
    assert '"Chart"' not in json.dumps(read("# ![T](chart:0)\n\n| ![T](chart:0) |\n|-|"))


def test_lists_are_no_deeper_than_latex_can_set_and_lose_no_text() -> None:
    text = "\n".join(f"{'  ' * depth}- item {depth}" for depth in range(12))
    tree = json.dumps(read(text))
    assert tree.count('"BulletList"') == 4
    assert all(f"item {depth}" in tree for depth in range(12))


def test_headings_are_below_the_section_s() -> None:
    levels = [block["c"][0] for block in read("# a\n\n## b\n\n### c\n\n###### d")]
    assert levels == [2, 3, 3, 3]


def test_a_marker_inside_a_link_stands_behind_it() -> None:
    (block,) = read("[as [1] says](http://x.example)")
    assert collect_text(block["c"]) == "as  says[1]"
    assert [one["c"][2][0] for one in block["c"]] == ["http://x.example", "#source-1"]


def test_rows_are_as_wide_as_the_head() -> None:
    (read_,) = read("| a | b |\n|:-:|--:|\n| 1 |\n| 1 | 2 | 3 |")
    made = table([[[string("a")], [string("b")]], [[string("1")]], [[string("1")]] * 3])
    for block in (read_, made):
        head, (body,) = block["c"][3], block["c"][4]
        assert [len(row[1]) for row in [*head[1], *body[3]]] == [2, 2, 2]
    assert [column[0]["t"] for column in read_["c"][2]] == ["AlignCenter", "AlignRight"]


@pytest.mark.parametrize("name", ["html", "latex"])
def test_spans_without_end_in_each_other_are_text(name: str) -> None:
    """A writer that loops: emphasis in emphasis, a thousand times."""
    text = f"{'**a ' * 1000}c{' b**' * 1000}"
    assert b"a a a a c b b b b" in export(report_of(text), name)
