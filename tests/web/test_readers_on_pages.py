"""What is written from documents that not all of a group may read is there for their readers."""

from typing import Any

import httpx
import pytest
from graph_runs import CONCEPTS, QUESTION
from test_page_tenancy import check_closed
from test_report_pages import ARTICLE, write_report
from visitors import MEMBERS, faults, said

from graphs.report import graph as report_graph
from library.library import Library, open_library
from schema.access import KEEPER, Member
from schema.context import Context
from schema.errors import InputError
from serving.runs import name_member, run_deep_search, run_graph, run_ingest
from web.mcp_tools import Caller, PassageArguments, SearchArguments, read_passage, search_library

DEE = Member(
    identity="dee", name="Dee", groups={"law": "writer"}, known_as=("dee@x.test", "domain:x.test")
)
FAY = Member(identity="fay", name="Fay", groups={"law": "reader"}, known_as=("domain:x.test",))
FURTHER = "Who described the fusion rules CombSUM and CombMNZ?"

OTHERS = ("ada", "ben", "cyd", "eve", "ops")
"""A curator, a reader and a writer of the group, and two who are not in it."""


@pytest.fixture
async def kept(space: str, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A space of a group whose documents are for two of its members, as its keeper sees it."""
    monkeypatch.setitem(MEMBERS, "dee", DEE)
    monkeypatch.setitem(MEMBERS, "fay", FAY)
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    context = Context(space=f"@law/{space}")
    await run_ingest([str(CONCEPTS)], context, lambda _: None, member=MEMBERS["ada"])
    library = await open_library(space, "@law", (KEEPER,))
    await set_all(library, ("domain:x.test",))
    return library


async def set_all(library: Library, readers: tuple[str, ...]) -> None:
    """Have all documents of a space read by these."""
    versions = await library.load_versions("files", [f"file://{CONCEPTS}"])
    assert await library.set_readers(dict.fromkeys(versions, readers)) == len(versions) == 10


@pytest.mark.slow
async def test_a_report_is_for_whom_all_its_sources_are(enter: Any, kept: Library) -> None:
    dee = enter("dee")
    path = await write_report(dee, f"@law/{kept.space}")
    assert (await enter("fay").read(path)).cssselect(ARTICLE)
    for name in OTHERS:
        await check_closed(enter(name), path)
        assert path not in (await enter(name).get("/reports")).text
    await set_all(kept, ("dee@x.test",))
    await check_closed(enter("fay"), path)
    assert (await dee.read(path)).cssselect(ARTICLE)


@pytest.mark.slow
async def test_a_run_is_closed_as_soon_as_it_was_shown_them(enter: Any, kept: Library) -> None:
    dee = enter("dee")
    asked = {"question": QUESTION, "space": f"@law/{kept.space}", "approve_outline": "yes"}
    path = (await dee.post("/reports", asked)).headers["location"]
    await dee.wait_for(path, lambda page: page.cssselect("form.outline"))
    for name in OTHERS:
        await check_closed(enter(name), path)
    assert (await enter("fay").get(path)).status_code == 200


async def test_tools_and_answers_find_nothing_for_others(enter: Any, kept: Library) -> None:
    space, query = f"@law/{kept.space}", "HNSW"
    [chunk, *_] = [hit.chunk for hit in (await kept.search(query)).hits]
    for name in ("ada", "ben", "cyd"):
        caller = Caller(MEMBERS[name], None, None)  # type: ignore[arg-type]  # neither is used
        found = await search_library(SearchArguments(query=query, space=space), caller)
        assert found == {"results": []}
        with pytest.raises(InputError, match="no passage"):
            await read_passage(PassageArguments(passage=chunk, space=space), caller)
        assert "0 documents" in said(await enter(name).read(f"/library?space={space}"))
    context = Context(space=space)
    answer = await run_deep_search(FURTHER, context, lambda _: None, MEMBERS["cyd"])
    assert not answer["found"]
    assert (await run_deep_search(FURTHER, context, lambda _: None, DEE))["found"]


@pytest.mark.slow
async def test_nobody_is_reminded_of_them(enter: Any, kept: Library) -> None:
    space = f"@law/{kept.space}"
    await write_report(enter("dee"), space)
    memory = kept.open_part("memory")
    assert await memory.count() == (0, 0)
    await set_all(kept, ("everyone",))
    await write_report(enter("dee"), space)
    everybody = (await open_library(kept.space, "@law")).open_part("memory")
    assert (await everybody.count())[0] == (await memory.count())[0] == 1
    await set_all(kept, ("dee@x.test",))
    assert (await everybody.count())[0] == 0


@pytest.mark.slow
async def test_an_answer_below_a_report_is_for_whom_its_sources_are(
    enter: Any, kept: Library
) -> None:
    versions = await kept.load_versions("files", [f"file://{CONCEPTS}"])
    await kept.set_readers({one: ("everyone",) for one in versions if "fusion" not in one})
    dee, ben = enter("dee"), enter("ben")
    path = await write_report(enter("cyd"), f"@law/{kept.space}")
    await dee.post(f"{path}/ask", {"question": FURTHER, "search": "yes"})
    page = await dee.wait_for(path, lambda page: page.cssselect(".answers h3") or faults(page))
    assert not faults(page)
    assert said(page.cssselect(".answers h3")[0]) == FURTHER
    assert not (await ben.read(path)).cssselect(".answers h3")
    assert FURTHER not in (await ben.get(f"{path}/export/markdown")).text


@pytest.mark.slow
async def test_a_link_to_it_needs_an_operator_s_consent(
    enter: Any, kept: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    dee = enter("dee")
    path = await write_report(dee, f"@law/{kept.space}")
    asked = {"version": "1", "days": "7"}
    refused = await dee.post(f"{path}/share", asked)
    assert refused.status_code == 403
    assert "cannot be shared by a link" in refused.text
    monkeypatch.setenv("QUIRE_SHARE_RESTRICTED", "true")
    shared = await dee.post(f"{path}/share", asked)
    assert shared.status_code == 200
    link = shared.text.split("/shared/")[1][:43]
    async with httpx.AsyncClient(base_url=str(dee.client.base_url)) as anybody:
        assert (await anybody.get(f"/shared/{link}")).status_code == 200
        monkeypatch.delenv("QUIRE_SHARE_RESTRICTED")
        assert (await anybody.get(f"/shared/{link}")).status_code == 404


@pytest.mark.slow
async def test_a_run_of_which_nothing_is_noted_keeps_nothing(kept: Library) -> None:
    state = await run_graph(
        report_graph,
        {"messages": [{"role": "user", "content": QUESTION}]},
        lambda _: None,
        config={"configurable": name_member(DEE)},
        context=Context(space=f"@law/{kept.space}"),
    )
    assert "report_not_saved" in [one["code"] for one in state["report"]["degraded"]]
    assert await kept.open_part("memory").count() == (0, 0)
