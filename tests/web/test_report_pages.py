"""From a question to a finished report, its versions and its answers, without scripts."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import typst
from fakes.writer import Writer, task_of
from graph_runs import QUESTION, speaking
from lxml import html
from visitors import Visitor, faults, said

from exports.bundle.verify import verify_bundle
from exports.formats import FORMATS
from library.library import open_library
from library.saved_reports import RunStart
from schema.context import Context
from serving.runs import run_ingest
from serving.stored_reports import load_report
from serving.watch import watch_report
from web.passages import link_to_passage

ARTICLE = "article.report"


async def write_report(visitor: Visitor, space: str, **asked: Any) -> str:
    """Have a report written; returns the path of its page."""
    answer = await visitor.post("/reports", {"question": QUESTION, "space": space} | asked)
    assert answer.status_code == 303, answer.text
    path = str(answer.headers["location"])
    await visitor.wait_for(path, lambda page: page.cssselect(ARTICLE))
    return path


@pytest.mark.slow
async def test_a_question_becomes_a_report_with_cards_that_lead_to_their_sources(
    enter: Any, samples: str
) -> None:
    visitor = enter()
    page = await visitor.read(await write_report(visitor, samples))
    assert page.cssselect("#references li")
    links = [one.get("href") for one in page.cssselect(".card a[href*='/passages/']")]
    assert links
    for link in links[:3]:
        passage = await visitor.read(link)
        quote = said(passage.cssselect("#passage")[0])
        card = next(one for one in page.cssselect(".card") if one.cssselect(f"a[href='{link}']"))
        assert quote in [said(one) for one in card.cssselect("mark")]
        assert len(said(passage.cssselect(".stored")[0])) > len(quote)


@pytest.mark.slow
async def test_a_quote_of_a_pdf_is_shown_with_its_page(
    enter: Any, space: str, tmp_path: Path
) -> None:
    lamps = {"Brass lamps": 7, "Glass lamps": 14, "Oil lamps": 21}
    pages = [f"{one} hang in the hall of Norby and burn {lamps[one]} hours." for one in lamps]
    path = tmp_path / "lamps.pdf"
    path.write_bytes(typst.compile("\n#pagebreak()\n".join(pages).encode()))
    await run_ingest([str(path)], Context(space=space), lambda _: None)
    visitor = enter()
    asked = {"question": "How long do glass lamps burn in Norby?"}
    report = await visitor.read(await write_report(visitor, space, **asked))
    [card, *_] = [one for one in report.cssselect(".card") if "14 hours" in said(one)]
    assert "page 2" in said(card.cssselect(".source")[0])
    passage = await visitor.read(card.cssselect("a[href*='/passages/']")[0].get("href"))
    assert "page 2" in said(passage.cssselect("main")[0])


@pytest.mark.parametrize(
    ("cited", "address"),
    [
        ({"quote": "a b", "page": 12}, "https://a.test/b#page=12"),
        ({"quote": "*a* b"}, "https://a.test/b#c:~:text=a%20b"),
        ({"quote": " "}, "https://a.test/b#c"),
    ],
)
def test_a_link_leads_to_the_page_of_a_pdf_or_to_the_words(cited: Any, address: str) -> None:
    assert link_to_passage("https://a.test/b#c", cited) == address


@pytest.mark.slow
async def test_the_list_finds_reports_by_words_of_their_title(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    held = [one.get("href") for one in (await visitor.read("/reports")).cssselect(".list a")]
    assert path in held
    found = await visitor.read("/reports?find=DENSE+vectors")
    assert path in [one.get("href") for one in found.cssselect(".list a")]
    assert not (await visitor.read("/reports?find=zeppelins")).cssselect(".list a")


async def test_a_link_to_a_report_without_a_title_or_a_question_has_words(
    enter: Any, samples: str
) -> None:
    library = await open_library(samples)
    begun = await library.begin_report("", RunStart(context={}, skipped=[]))
    [link] = (await enter().read("/reports")).cssselect(f'.list a[href="/reports/{begun.id}"]')
    assert said(link) == begun.id
    await library.remove_report(begun.id)


@pytest.mark.slow
async def test_every_format_is_a_download_and_never_a_page(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    for name, form in FORMATS.items():
        answer = await visitor.get(f"{path}/export/{name}?version=1")
        assert answer.status_code == 200, name
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert f"{form.suffix}" in answer.headers["content-disposition"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    bundle = await visitor.get(f"{path}/export/bundle")
    assert bundle.headers["content-disposition"].endswith(".quire")
    assert verify_bundle(bundle.content)[0].differences == ()
    assert (await visitor.get(f"{path}/export/exe")).status_code == 404


@pytest.mark.slow
async def test_events_are_resumed_and_end(enter: Any, samples: str) -> None:
    visitor = enter()
    with speaking(Writer()) as api:
        api.hang = lambda request: 60 if task_of(request) == "write_section" else 0
        answer = await visitor.post("/reports", {"question": QUESTION, "space": samples})
        path = answer.headers["location"]
        seen: list[str] = []
        async with asyncio.timeout(60), visitor.client.stream("GET", f"{path}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            async for line in stream.aiter_lines():
                seen.append(line)
                if "Writing from" in line:
                    break
        last = [line for line in seen if line.startswith("id: ")][-1]
        told = json.loads([line for line in seen if line.startswith("data: ")][-1][6:])
        assert "Searches" in told["html"]
        api.hang = lambda _: 0
        stopped = await visitor.post(f"{path}/stop")
        assert stopped.status_code == 303
        assert "was stopped" in said(await visitor.read(path))
        await visitor.post(f"{path}/resume")
        headers = {"last-event-id": last[4:]}
        async with asyncio.timeout(60):
            rest = (await visitor.get(f"{path}/events", headers=headers)).text
    numbers = [int(line[4:]) for line in rest.splitlines() if line.startswith("id: ")]
    assert all(number > int(last[4:]) for number in numbers[1:])
    assert rest.rstrip().splitlines()[-2] == "event: end"
    await visitor.wait_for(path, lambda page: page.cssselect(ARTICLE))


async def test_what_cannot_be_begun_says_why_and_keeps_what_was_typed(enter: Any) -> None:
    visitor = enter()
    for asked, words in [
        ({"question": " "}, "There is no question"),
        ({"question": "x" * 8_001}, "8,001 characters"),
        ({"question": QUESTION, "words": "7"}, "words cannot be"),
        ({"question": QUESTION, "language": "<b>"}, "language cannot be"),
        ({"question": QUESTION, "space": "@law/x"}, "not in a group law"),
        ({"question": QUESTION, "connectors": "nonsense"}, "not set up any more"),
    ]:
        answer = await visitor.post("/reports", asked)
        assert answer.status_code in (403, 422)
        page = await visitor.post("/reports", asked)
        assert words in page.text
        assert asked["question"].strip() in page.text


async def test_the_form_tells_what_a_report_will_take_and_takes_ceilings(
    enter: Any, samples: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = enter()
    asked = {"question": QUESTION, "space": samples, "max_tokens": "8000", "max_minutes": "0.5"}
    page = html.document_fromstring((await visitor.post("/estimate", asked)).text)
    assert "costs nothing: no language model is asked" in said(page.cssselect("[role=status]")[0])
    assert page.cssselect("[name=max_tokens]")[0].get("value") == "8000"
    monkeypatch.setenv("QUIRE_MODEL", "openai:gpt-test")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
    page = html.document_fromstring((await visitor.post("/estimate", asked)).text)
    assert "8,000 tokens" in said(page.cssselect("[role=status]")[0])
    for name, value, told in (
        ("max_tokens", "10", "max_tokens"),
        ("max_minutes", "0.05", "are too few for a report"),
        ("max_minutes", "soon", "The minutes cannot be “soon”"),
    ):
        answer = await visitor.post("/reports", {**asked, name: value})
        assert answer.status_code == 422
        assert told in faults(html.document_fromstring(answer.text))[0]


@pytest.mark.slow
async def test_a_ceiling_of_the_form_is_kept_by_the_run(enter: Any, samples: str) -> None:
    visitor = enter()
    with speaking(Writer()) as api:
        path = await write_report(visitor, samples, max_tokens="8000")
        kept = await load_report(path.rpartition("/")[2])
    assert kept.run["context"]["max_tokens"] == 8_000
    assert api.requests


async def test_a_run_that_finds_nothing_says_so_and_offers_to_ask_again(
    enter: Any, space: str
) -> None:
    visitor = enter()
    answer = await visitor.post("/reports", {"question": "What is a zeppelin?", "space": space})
    page = await visitor.wait_for(answer.headers["location"], faults)
    assert "What is a zeppelin?" in said(page)
    assert (
        page.cssselect("form[action='/'] input[name=question]")[0].get("value").startswith("What")
    )


@pytest.mark.slow
async def test_a_section_is_revised_and_the_versions_stand_side_by_side(
    enter: Any, samples: str
) -> None:
    visitor = enter()
    path = await write_report(visitor, samples, research_mode="deep")
    option = (await visitor.read(path)).cssselect("#revise-section option")[1]
    wish = {"section": option.get("value"), "instruction": "Shorter, <please>."}
    assert (await visitor.post(f"{path}/revise", wish)).status_code == 303
    page = await visitor.wait_for(path, lambda page: page.cssselect(".versions") or faults(page))
    assert faults(page) == []
    assert "Shorter, <please>." in said(page.cssselect(".versions")[0])
    compared = await visitor.read(f"{path}/changes")
    assert compared.cssselect("ins, del")
    changed = [said(one) for one in compared.cssselect(".compared > h2")]
    assert [one for one in changed if one != "Summary"] == [said(option)]
    old = await visitor.read(f"{path}?version=1")
    assert said(old.cssselect(".tools")[0]).startswith("Written")
    assert "version 1 of 2" in said(old)


@pytest.mark.slow
async def test_a_revision_that_cannot_be_made_leaves_a_sentence(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    await visitor.post(f"{path}/revise", {"section": "99", "instruction": "x"})
    page = await visitor.wait_for(path, faults)
    assert "section" in faults(page)[0]
    await visitor.post(f"{path}/dismiss")
    assert faults(await visitor.read(path)) == []


@pytest.mark.slow
async def test_a_follow_up_is_answered_below_the_report_with_its_own_citations(
    enter: Any, samples: str
) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    asked = {"question": "What is reciprocal rank fusion?"}
    assert (await visitor.post(f"{path}/ask", asked)).status_code == 303
    page = await visitor.wait_for(path, lambda page: page.cssselect(".answers h3") or faults(page))
    assert said(page.cssselect(".answers h3")[0]) == asked["question"]
    assert page.cssselect(".answers a.mark")
    ids = [one.get("id") for one in page.cssselect("[id]")]
    assert sorted(ids) == sorted(set(ids))
    [form] = page.cssselect(".answers form[action$='/remove']")
    await visitor.post(form.get("action"))
    assert not (await visitor.read(path)).cssselect(".answers h3")


@pytest.mark.slow
async def test_what_is_to_change_becomes_the_next_version(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    assert (await visitor.post(f"{path}/ask", {"question": "Make it shorter"})).status_code == 303
    page = await visitor.wait_for(path, lambda page: not page.cssselect(".live"))
    assert faults(page) == []
    assert "Make it shorter" in said(page.cssselect(".versions")[0])
    await visitor.post(f"{path}/ask", {"question": "Translate it into Spanish"})
    page = await visitor.wait_for(path, faults)
    assert "is no question to this report" in faults(page)[0]


@pytest.mark.slow
async def test_what_a_watch_changed_stands_above_the_report(
    enter: Any, space: str, tmp_path: Path
) -> None:
    visitor, source = enter(), tmp_path / "lake.md"
    source.write_text("# Lake\n\nThe lake of Tolden holds 320 million tons of water.\n")
    await run_ingest([str(tmp_path)], Context(space=space), lambda _: None)
    path = await write_report(
        visitor, space, question="How much water does the lake of Tolden hold?"
    )
    assert not (await visitor.read(path)).cssselect(".changed")
    source.write_text(source.read_text().replace("320", "298"))
    await run_ingest([str(tmp_path)], Context(space=space), lambda _: None)
    await watch_report(path.rpartition("/")[2], lambda _: None)
    [told] = (await visitor.read(path)).cssselect(".changed")
    assert "320" in said(told.cssselect("del")[0])
    assert "298" in said(told.cssselect("ins")[0])
    assert not (await visitor.read(f"{path}?version=1")).cssselect(".changed")


@pytest.mark.slow
async def test_a_removed_report_is_gone_with_its_links(enter: Any, samples: str) -> None:
    visitor = enter()
    path = await write_report(visitor, samples)
    shared = await visitor.post(f"{path}/share", {"version": "1", "days": ""})
    assert shared.status_code == 200
    assert (await visitor.post(f"{path}/remove")).status_code == 303
    assert (await visitor.get(path)).status_code == 404


@pytest.mark.parametrize(
    "identity", ["unknown2", "..%2f..", "%00%00%00%00%00%00%00%00", "ÄÖÜäöüß2"]
)
async def test_ids_that_are_none_lead_nowhere(enter: Any, identity: str) -> None:
    answer = await enter().get(f"/reports/{identity}")
    assert answer.status_code == 404
    assert "There is no such report." in answer.text or "Not Found" in answer.text
