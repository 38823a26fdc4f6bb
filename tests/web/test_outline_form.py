"""The outline is accepted or edited by forms alone, button by button."""

from typing import Any

import pytest
from graph_runs import QUESTION
from test_report_pages import ARTICLE
from visitors import Visitor, said

from serving.stored_reports import load_report


async def ask_for_outline(visitor: Visitor, space: str) -> str:
    asked = {"question": QUESTION, "space": space, "approve_outline": "yes"}
    path = str(
        (await visitor.post("/reports", asked | {"research_mode": "deep"})).headers["location"]
    )
    await visitor.wait_for(path, lambda page: page.cssselect("form.outline"))
    return path


def read_form(page: Any) -> dict[str, str]:
    """The fields of the outline's form as a browser sends them."""
    [form] = page.cssselect("form.outline")
    fields = {one.get("name"): one.get("value") for one in form.cssselect("input")}
    fields |= {one.get("name"): (one.text or "").lstrip("\n") for one in form.cssselect("textarea")}
    return {name: value for name, value in fields.items() if name != "csrf_token"}


def titles(fields: dict[str, str]) -> list[str]:
    return [value for name, value in fields.items() if name.startswith("title-")]


async def press(visitor: Visitor, path: str, fields: dict[str, str], button: str) -> Any:
    from lxml import html

    answer = await visitor.post(f"{path}/outline", {**fields, "do": button})
    assert answer.status_code == 200, answer.text
    return html.document_fromstring(answer.text)


@pytest.mark.slow
async def test_an_outline_is_accepted_as_it_is(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await ask_for_outline(visitor, samples)
    fields = read_form(await visitor.read(path))
    answer = await visitor.post(f"{path}/outline", {**fields, "do": "send"})
    assert answer.status_code == 303
    page = await visitor.wait_for(path, lambda page: page.cssselect(ARTICLE))
    shown = [said(one) for one in page.cssselect("[id^=section-] > h2")]
    assert shown == titles(fields)


@pytest.mark.slow
async def test_sections_are_moved_removed_added_and_named_anew(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await ask_for_outline(visitor, samples)
    page = await visitor.read(path)
    first, second, third = titles(read_form(page))
    page = await press(visitor, path, read_form(page), "down-0")
    assert titles(read_form(page)) == [second, first, third]
    assert page.cssselect("[autofocus]")[0].get("id") == "title-1"
    page = await press(visitor, path, read_form(page), "remove-2")
    page = await press(visitor, path, read_form(page), "add")
    fields = read_form(page)
    assert titles(fields) == [second, first, ""]
    fields |= {
        "title": "Mine & <b>yours</b>",
        "title-2": "Chunks",
        "questions-2": "How long should chunks be?\n\n",
    }
    refused = await visitor.post(f"{path}/outline", {**fields, "questions-0": " ", "do": "send"})
    assert refused.status_code == 422
    assert "Section 1 needs between one and 6 questions" in refused.text
    assert (await visitor.post(f"{path}/outline", {**fields, "do": "send"})).status_code == 303
    done = await visitor.wait_for(path, lambda page: page.cssselect(ARTICLE))
    assert said(done.cssselect("h1")[0]) == "Mine & <b>yours</b>"
    shown = [said(one) for one in done.cssselect("[id^=section-] > h2")]
    assert shown == [second, first, "Chunks"]
    again = await visitor.post(f"{path}/outline", {**fields, "do": "send"})
    assert again.status_code == 303  # from another window: it leads to what became of it


@pytest.mark.slow
async def test_a_field_that_nobody_offered_changes_nothing(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await ask_for_outline(visitor, samples)
    fields = read_form(await visitor.read(path))
    for button in ("up-0", "down-2", "remove-99", "keep", "drop table", ""):
        page = await press(visitor, path, fields, button)
        assert titles(read_form(page)) == titles(fields)
    bent = {**fields, "origin-0": "77", "questions-0": "What is new?", "do": "send"}
    assert (await visitor.post(f"{path}/outline", bent)).status_code == 303
    await visitor.wait_for(path, lambda page: page.cssselect(ARTICLE))
    assert (await load_report(path.rsplit("/", 1)[-1])).finished
