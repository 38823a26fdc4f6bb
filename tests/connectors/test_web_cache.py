"""What was found on the web stands apart from the user's own documents, and for a term."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from uuid import uuid4

import pytest

from connectors.indexed.web_results import WebResults
from connectors.indexed.whole_library import WholeLibrary
from connectors.protocol import Limits
from connectors.search_all import ConnectorResult, SearchRequest, search_all
from connectors.web_cache import PURGE_BATCH, remove_expired
from library.journal import Journal
from library.library import Library
from schema.documents import Document

PAGE = Document(
    uri="https://farm.test/wind",
    url="https://farm.test/wind",
    text="Wind turns the blades of the farm.",
    connector="engine",
)
EXCERPT = replace(PAGE, text="Wind is moving air.", excerpt=True)
QUESTION = "What does wind turn?"


class Engine:
    """A search engine that finds the same whatever it is asked."""

    kind: Literal["live"] = "live"
    name = "engine"
    description = document_description = "pages"
    required_variables = ()
    package = ""
    languages = ()
    limits = Limits()

    def __init__(self, *pages: Document) -> None:
        self.pages = pages

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        now = datetime.now(UTC)
        return [replace(page, fetched=page.fetched or now) for page in self.pages]


def days_ago(days: float) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


async def found(
    library: Library, *pages: Document, question: str = QUESTION, **how: object
) -> ConnectorResult:
    """A live search that brings these pages."""
    search = SearchRequest(library, 5, **how)  # type: ignore[arg-type]
    (answered,) = await search_all([Engine(*pages)], [question], search)
    return answered


async def known(library: Library, *connectors: WebResults | WholeLibrary) -> dict[str, list[str]]:
    """The uris that connectors of a later run bring, by connector."""
    answers = await search_all(connectors or [WebResults()], [QUESTION], SearchRequest(library, 5))
    described = await library.load_documents([hit.document for one in answers for hit in one.hits])
    return {
        one.connector: list(dict.fromkeys(described[hit.document].uri for hit in one.hits))
        for one in answers
    }


def run(library: Library) -> Journal:
    return Journal(library.user, uuid4().hex)


async def test_a_later_run_asks_what_was_found_apart_from_the_library(library: Library) -> None:
    await library.store([replace(PAGE, uri="file:///a.md", url="", connector="files")])
    answered = await found(library, PAGE)
    assert await known(library, WholeLibrary(), WebResults()) == {
        "library": ["file:///a.md"],
        "web_results": [PAGE.uri],
    }
    assert await library.count() == (1, 1)
    (described,) = (await library.load_documents(list(answered.documents))).values()
    assert described.space == f"{library.space}~web"


async def test_a_part_that_holds_nothing_is_not_asked(library: Library) -> None:
    await library.store([replace(PAGE, uri="file:///a.md", connector="files")])
    assert list(await known(library, WholeLibrary(), WebResults())) == ["library"]


async def test_an_excerpt_is_no_source_of_a_later_run(library: Library) -> None:
    assert (await found(library, EXCERPT)).hits
    assert await known(library) == {"web_results": []}
    await found(library, PAGE)
    assert await known(library) == {"web_results": [PAGE.uri]}


async def test_a_page_is_used_for_its_term_and_no_longer(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    await found(library, replace(PAGE, fetched=days_ago(20)))
    assert await known(library) == {"web_results": [PAGE.uri]}
    monkeypatch.setenv("QUIRE_WEB_DAYS", "19")
    assert await known(library) == {"web_results": []}
    await found(library, PAGE)  # found again, its term begins again
    assert await known(library) == {"web_results": [PAGE.uri]}
    monkeypatch.setenv("QUIRE_WEB_DAYS", "0")
    assert await known(library) == {"web_results": []}


async def test_what_is_older_than_its_term_is_removed_but_for_a_day_of_grace(
    library: Library,
) -> None:
    web = library.open_part("web")
    ages = {"https://a.test/29": 29.0, "https://a.test/30": 30.5, "https://a.test/31": 31.5}
    pages = [replace(PAGE, uri=uri, fetched=days_ago(age)) for uri, age in ages.items()]
    await web.store(pages)
    own = replace(PAGE, uri="https://own.test/", fetched=days_ago(99))
    await library.store([own])
    assert await remove_expired(library) == 1
    assert list(await web.find_stored(list(ages))) == list(ages)[:2]
    assert await library.load_text(own.uri) == own.text


@pytest.mark.parametrize("moment", ["a search", "a sync"])
async def test_it_is_removed_when_something_is_found_or_synced(
    library: Library, moment: str, tmp_path: Path
) -> None:
    from connectors.indexed.files import Files
    from connectors.sync import synchronise

    web = library.open_part("web")
    await web.store([replace(PAGE, uri="https://a.test/", fetched=days_ago(40))])
    if moment == "a search":
        await found(library, PAGE)
    else:
        (tmp_path / "a.md").write_text("Some text.")
        await synchronise(library, Files(), str(tmp_path), lambda *_: None)
    assert await web.find_stored(["https://a.test/"]) == {}


async def test_no_call_removes_more_than_so_many(library: Library) -> None:
    web = library.open_part("web")
    pages = [
        replace(PAGE, uri=f"https://a.test/{n}", fetched=days_ago(50))
        for n in range(PURGE_BATCH + 3)
    ]
    await web.store(pages)
    assert [await remove_expired(library) for _ in range(3)] == [PURGE_BATCH, 3, 0]
    assert await web.count() == (0, 0)


async def test_an_excerpt_is_answered_from_the_page_that_an_earlier_run_read(
    library: Library,
) -> None:
    await found(library, PAGE)
    answered = await found(library, EXCERPT)
    assert answered.hits
    assert await library.open_part("web").load_text(PAGE.uri) == PAGE.text


@pytest.mark.parametrize("how", ["fresh", "no days"])
async def test_a_fresh_run_lets_nothing_older_in(
    library: Library, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await found(library, replace(PAGE, fetched=days_ago(1)))
    if how == "no days":
        monkeypatch.setenv("QUIRE_WEB_DAYS", "0")
    own = {"journal": run(library), "fresh": how == "fresh"}
    await found(library, EXCERPT, **own)
    assert await library.open_part("web").load_text(PAGE.uri) == EXCERPT.text


async def test_a_fresh_run_keeps_what_it_found_itself(library: Library) -> None:
    how = {"journal": run(library), "fresh": True}
    await found(library, PAGE, **how)
    await found(library, EXCERPT, question="What is wind?", **how)
    assert await library.open_part("web").load_text(PAGE.uri) == PAGE.text


async def test_a_page_of_the_library_stays_there_and_comes_once(library: Library) -> None:
    await found(library, PAGE)
    synced = replace(PAGE, text="Wind turns blades, says the crawl.", connector="web", version="1")
    await library.store([synced])
    assert await known(library, WholeLibrary(), WebResults()) == {
        "library": [PAGE.uri],
        "web_results": [],
    }
    answered = await found(library, PAGE)
    (described,) = (await library.load_documents(list(answered.documents))).values()
    assert described.space == library.space
    assert answered.hits
    assert await library.load_text(PAGE.uri) == synced.text


async def test_pages_here_and_there_answer_together(library: Library) -> None:
    other = replace(PAGE, uri="https://farm.test/blades", text="Blades are what wind turns.")
    await library.store([replace(PAGE, connector="web", version="1")])
    answered = await found(library, PAGE, other)
    described = await library.load_documents([hit.document for hit in answered.hits])
    assert {one.uri for one in described.values()} == {PAGE.uri, other.uri}


async def test_a_page_that_is_gone_meanwhile_is_only_missing(library: Library) -> None:
    answered = await found(library, PAGE)
    await library.open_part("web").remove([PAGE.uri])
    assert await library.load_documents(list(answered.documents)) == {}
    assert await library.load_passages([hit.chunk for hit in answered.hits]) == {}
    assert await library.load_spans([(answered.documents[0], 0, 9)]) == [""]
