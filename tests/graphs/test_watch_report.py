"""A report that is watched: only what its sources say otherwise now is written anew."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, task_of
from graph_runs import check_report, searching, speaking

from exports.digest import render_digest
from graphs.watch_report import graph as watch_graph
from library.library import open_library
from schema.context import Context
from schema.report import Report
from serving.reports import create_report
from serving.runs import run_ingest

QUESTION = "How warm and how large is the reservoir of Lake Tolden?"

PAGES = {
    "warmth.md": "# Warmth\n\nThe reservoir of Lake Tolden was 14 degrees warm in June. "
    "The reservoir of Lake Tolden is fed by two rivers from the north. "
    "Nobody measures its salt.\n",
    "size.md": "# Size\n\nThe reservoir of Lake Tolden holds 320 million cubic metres of water. "
    "Its dam was opened in 1962.\n",
    "people.md": "# People\n\nThe reservoir of Lake Tolden draws 9,000 swimmers a year. "
    "They come by train.\n",
}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def edit(pages: Path, name: str, before: str, after: str) -> None:
    text = (pages / name).read_text()
    assert before in text
    (pages / name).write_text(text.replace(before, after))


async def written(space: str, pages: Path) -> Report:
    context = Context(space=space, paths=[str(pages)], remember=False)
    report = (await create_report(QUESTION, context, lambda _: None)).report
    assert report
    return report


async def watched(space: str, pages: Path, report: Report) -> dict[str, Any]:
    """What came of a watch after a sync."""
    context = Context(space=space)
    await run_ingest([str(pages)], context, lambda _: None)
    state: dict[str, Any] = await watch_graph.ainvoke({"report_id": report["id"]}, context=context)
    return state


def other_sentences(before: Report, after: Report) -> None:
    """All text but the changed sentences is the same, byte by byte."""
    pieces = [section["text"] for section in before["sections"]]
    for one in after.get("changes", []):
        old, new = (
            (f"{one['sentence']} ", f"{one['now']} ") if one["now"] else (f"{one['sentence']} ", "")
        )
        pieces[one["section"]] = f"{pieces[one['section']]} ".replace(old, new).strip()
    for old, new, is_summary in zip(
        pieces,
        [section["text"] for section in after["sections"]],
        [section.get("kind") == "summary" for section in after["sections"]],
        strict=True,
    ):
        if not is_summary:
            assert old == new


@pytest.mark.slow
async def test_a_figure_that_changed_is_written_anew_and_told(space: str, pages: Path) -> None:
    before = await written(space, pages)
    edit(pages, "warmth.md", "14 degrees", "17 degrees")
    state = await watched(space, pages, before)
    after = state["report"]
    assert after["version"] == 2
    assert {one["kind"] for one in after["changes"]} == {"changed"}
    [told] = after["changes"]
    assert "14 degrees" in told["before"]
    assert "17 degrees" in told["after"]
    assert "17 degrees" in told["now"]
    text = "\n".join(section["text"] for section in after["sections"])
    assert "17 degrees" in text
    assert "14 degrees" not in text
    other_sentences(before, after)
    await check_report(after, space)
    kept = await (await open_library(space)).load_report(before["id"])
    assert kept
    assert kept.report == after


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("warmth.md", "Nobody measures its salt.", "Everybody measures its salt."),
        ("size.md", "# Size", "# How large it is"),
        ("people.md", "They come by train.", "They come by train.\n\nThey leave by bus."),
    ],
)
async def test_what_changes_beside_a_quote_makes_no_version(
    space: str, pages: Path, name: str, old: str, new: str
) -> None:
    before = await written(space, pages)
    assert not any(old in one["quote"] for one in before["citations"])
    edit(pages, name, old, new)
    state = await watched(space, pages, before)
    assert state["changes"] == []
    assert state["report"]["version"] == 1
    assert state["messages"][-1].text == "Nothing that the report says has changed in its sources."


async def test_a_source_that_went_takes_its_claims_with_it(space: str, pages: Path) -> None:
    before = await written(space, pages)
    (pages / "people.md").unlink()
    state = await watched(space, pages, before)
    after = state["report"]
    assert {one["kind"] for one in after["changes"]} == {"gone"}
    assert "9,000 swimmers" in "".join(one["text"] for one in before["sections"])
    assert "9,000 swimmers" not in "".join(one["text"] for one in after["sections"])
    assert not any("people" in one["document"] for one in after["citations"])
    other_sentences(before, after)


@pytest.mark.slow
async def test_a_newer_source_that_says_otherwise_is_heard(space: str, pages: Path) -> None:
    before = await written(space, pages)
    (pages / "survey.md").write_text(
        "# Survey\n\nThe reservoir of Lake Tolden holds 290 million cubic metres of water.\n"
    )
    state = await watched(space, pages, before)
    after = state["report"]
    assert {one["kind"] for one in after["changes"]} == {"contradicted"}
    text = "\n".join(section["text"] for section in after["sections"])
    assert "320 million" in text
    assert "290 million" in text
    assert any("290 million" in one["quote"] for one in after["conflicts"])
    await check_report(after, space)


@pytest.mark.slow
async def test_a_language_model_is_asked_once_for_each_section_that_changed(
    space: str, pages: Path
) -> None:
    before = await written(space, pages)
    edit(pages, "warmth.md", "14 degrees", "17 degrees")

    def mend(request: ChatRequest) -> str:
        assert "17 degrees" in request.text
        numbers = [int(n) for n in re.findall(r'<sentence n="(\d+)"', request.text)]
        source = re.search(r'<source n="(\d+)"[^>]*title="Warmth"', request.text)
        assert source
        wording = (
            f"Since then the reservoir of Lake Tolden was 17 degrees warm in June [{source[1]}]."
        )
        return json.dumps({"sentences": [{"sentence": n, "text": wording} for n in numbers]})

    with speaking(Writer({"repair_sentences": mend})) as api:
        state = await watched(space, pages, before)
        calls = [task_of(one) for one in api.requests]
    after = state["report"]
    changed = {one["section"] for one in after["changes"]}
    assert set(calls) == {"repair_sentences"}
    assert len(calls) <= 1.5 * len(changed)
    assert "Since then the reservoir of Lake Tolden was 17 degrees" in after["sections"][0]["text"]
    other_sentences(before, after)
    await check_report(after, space)


NEW = "In August 41 square kilometres of the reservoir of Lake Tolden are warm."


@pytest.mark.slow
async def test_what_a_new_source_tells_goes_into_the_section_that_asks_for_it(
    space: str, pages: Path
) -> None:
    before = await written(space, pages)
    (pages / "area.md").write_text(f"# Area of a lake\n\n{NEW} Its shores are steep.\n")
    (pages / "cats.md").write_text("# Cats\n\nCats sleep for 15 hours a day in a warm house.\n")
    (pages / "again.md").write_text(PAGES["size.md"].replace("# Size", "# How large"))
    state = await watched(space, pages, before)
    after = state["report"]
    assert after["version"] == 2
    [told] = after["changes"]
    assert (told["kind"], told["sentence"], told["after"]) == ("new", "", NEW)
    last = max(one["number"] for one in before["references"])
    assert told["now"] == f"{NEW[:-1]} [{last + 1}]."
    text = after["sections"][told["section"]]["text"]
    assert told["now"] in text
    old = before["sections"][told["section"]]["text"]
    assert text.replace(f" {told['now']}", "").replace(f"\n\n{told['now']}", "") == old
    [cited] = [one for one in after["citations"] if one["number"] == last + 1]
    assert (cited["verdict"], cited["sentence"]) == ("supported", told["now"])
    assert state["messages"][-1].text == "watched: 1 new finding."
    assert f"- New: {NEW[:20]}" in render_digest(after)
    again = await watched(space, pages, after)
    assert again["changes"] == []


@pytest.mark.slow
async def test_a_language_model_is_not_asked_for_a_new_finding(space: str, pages: Path) -> None:
    with speaking(Writer()) as api:
        before = await written(space, pages)
        (pages / "area.md").write_text(f"# Area of a lake\n\n{NEW} Its shores are steep.\n")
        asked = len(api.requests)
        state = await watched(space, pages, before)
        assert len(api.requests) == asked
    assert all(one["kind"] == "new" for one in state["changes"])


WEB = {
    "/warmth": ("Warmth of the reservoir of Lake Tolden", [PAGES["warmth.md"].split("\n\n")[1]]),
    "/size": ("Size of the reservoir of Lake Tolden", [PAGES["size.md"].split("\n\n")[1]]),
}


@pytest.mark.slow
async def test_what_a_search_finds_by_now_is_a_new_finding(space: str) -> None:
    context = Context(space=space, connectors=["searxng"], remember=False)
    with searching({**WEB}) as web:
        before = (await create_report(QUESTION, context, lambda _: None)).report
        assert before
        web.pages["/area"] = (
            "Area of the reservoir of Lake Tolden",
            [NEW, "Its shores are steep."],
        )
        web.found.append("/area")
        web.searches.clear()
        given = {"report_id": before["id"]}
        state: dict[str, Any] = await watch_graph.ainvoke(given, context=context)
        assert 0 < len(web.searches) <= 8
        assert [one["kind"] for one in state["changes"]] == ["new"]
        assert state["changes"][0]["after"] == NEW
        again = await watch_graph.ainvoke(given, context=context)
        assert again["changes"] == []
