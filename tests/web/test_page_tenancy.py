"""What is another member's is not there: no page, event, file or link tells of it."""

from typing import Any

import pytest
from graph_runs import CONCEPTS, QUESTION
from lxml import html
from test_report_pages import ARTICLE, write_report
from visitors import MEMBERS, Visitor, faults, said

from schema.context import Context
from serving.runs import run_ingest

PAGES = [
    *("", "/events", "/changes", "/export/json", "/export/html", "/export/pdf"),
    *("/passages/0", "/passages/0?version=1", "?version=1"),
]
CHANGES: dict[str, dict[str, str]] = {
    "/stop": {}, "/resume": {}, "/remove": {}, "/dismiss": {},
    "/revise": {"section": "0", "instruction": "x"},
    "/ask": {"question": "What is HNSW?"},
    "/outline": {"do": "send"},
    "/share": {"version": "1", "days": "7"},
    "/links/1/revoke": {}, "/answers/1/remove": {},
}  # fmt: skip


def without_tokens(text: str) -> str:
    page = html.document_fromstring(text)
    return said(page.cssselect("main")[0])


@pytest.fixture
async def law(monkeypatch: pytest.MonkeyPatch) -> str:
    """A space of a group that holds the sample pages."""
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    await run_ingest(
        [str(CONCEPTS)], Context(space="@law/cases"), lambda _: None, member=MEMBERS["ada"]
    )
    return "@law/cases"


async def check_closed(stranger: Visitor, path: str) -> None:
    """Every route answers what it answers of a report that does not exist."""
    unknown = "/reports/zzzzzzzz"
    for page in PAGES:
        answer, none = await stranger.get(path + page), await stranger.get(unknown + page)
        assert answer.status_code == none.status_code == 404, page
        assert without_tokens(answer.text) == without_tokens(none.text)
    for change, fields in CHANGES.items():
        answer = await stranger.post(path + change, fields)
        none = await stranger.post(unknown + change, fields)
        assert answer.status_code == none.status_code == 404, change
        assert without_tokens(answer.text) == without_tokens(none.text)


@pytest.mark.slow
async def test_reports_of_a_group_are_read_by_its_readers_and_by_nobody_else(
    enter: Any, law: str
) -> None:
    ada, ben = enter("ada"), enter("ben")
    path = await write_report(ada, law)
    page = await ben.read(path)
    assert page.cssselect(ARTICLE)
    assert not page.cssselect("main form[method=post]")
    for change, fields in CHANGES.items():
        assert (await ben.post(path + change, fields)).status_code in (303, 403), change
    assert (await ada.read(path)).cssselect(ARTICLE)
    for name in ("eve", "ops", ""):
        stranger = enter(name)
        await check_closed(stranger, path)
        assert path not in (await stranger.get("/reports")).text
        assert path not in (await stranger.get("/")).text


@pytest.mark.slow
async def test_one_s_own_reports_are_nobody_else_s_also_while_they_are_written(
    enter: Any, law: str
) -> None:
    cyd = enter("cyd")
    asked = {"question": QUESTION, "space": law, "approve_outline": "yes"}
    path = (await cyd.post("/reports", asked)).headers["location"]
    await cyd.wait_for(path, lambda page: page.cssselect("form.outline"))
    ben = await enter("ben").read(path)
    assert not ben.cssselect("main form[method=post]")
    await check_closed(enter("eve"), path)
    await check_closed(enter("ops"), path)
    own = (await cyd.post("/reports", {"question": "What is a zeppelin?"})).headers["location"]
    await cyd.wait_for(own, lambda page: page.cssselect("[role=alert]"))
    assert (await enter("ada").get(own)).status_code == 404


async def test_a_library_is_seen_by_readers_and_changed_by_curators(enter: Any, law: str) -> None:
    ben, eve = enter("ben"), enter("eve")
    page = await ben.read(f"/library?space={law}")
    assert not page.cssselect("main form[method=post]")
    assert "10 documents" in said(page)
    nothing = await eve.get("/library?space=@nowhere/cases")
    closed = await eve.get(f"/library?space={law}")
    assert closed.status_code == nothing.status_code == 403
    assert said(html.fromstring(closed.text)).replace("law", "nowhere") == said(
        html.fromstring(nothing.text)
    )
    assert (await eve.get(f"/library/events?space={law}")).status_code == 403
    source = f"files:{CONCEPTS}"
    for visitor in (ben, eve, enter("cyd"), enter("ops")):
        for change, fields in {
            "add": {"connector": "web", "location": "https://x.example"},
            "sync": {"source": source}, "remove": {"source": source},
            "remove-file": {"file": "bm25.md"}, "dismiss": {}, "stop": {"job": "1"},
        }.items():  # fmt: skip
            answer = await visitor.post(f"/library/{change}", {"space": law, **fields})
            assert answer.status_code == 403, change
        sent = {"files": ("a.md", b"# A\n\nText.")}
        answer = await visitor.post("/library/upload", {"space": law}, files=sent)
        assert answer.status_code == 403


async def test_members_have_nothing_read_from_the_server_s_disk(enter: Any) -> None:
    ada = enter("ada")
    for connector, location in [
        ("files", "/etc/passwd"), ("files", "/nowhere"), ("", "/etc/passwd"),
        ("files:/etc", "x"), ("captures", "x"),
    ]:  # fmt: skip
        given = {"space": "@law/disk", "connector": connector, "location": location}
        answer = await ada.post("/library/add", given)
        assert answer.status_code == 422, given
        assert "check the path" not in answer.text
    assert "Nothing yet" in said(await ada.read("/library?space=@law/disk"))


@pytest.mark.slow
async def test_a_group_s_report_is_revised_and_asked_by_its_writers(enter: Any, law: str) -> None:
    cyd = enter("cyd")
    path = await write_report(cyd, law, research_mode="deep")
    option = (await cyd.read(path)).cssselect("#revise-section option")[1]
    await cyd.post(f"{path}/revise", {"section": option.get("value"), "instruction": "Shorter."})
    page = await cyd.wait_for(path, lambda page: page.cssselect(".versions") or faults(page))
    assert faults(page) == []
    await cyd.post(f"{path}/ask", {"question": "What is reciprocal rank fusion?"})
    page = await cyd.wait_for(path, lambda page: page.cssselect(".answers h3") or faults(page))
    assert faults(page) == []
    assert "from the report's own sources" in said(page.cssselect(".answers")[0])
