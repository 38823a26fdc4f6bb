"""What is asked goes through the library: pages stay there, and filters keep to what is theirs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from connector_world import PAGES, QUESTIONS, StartTavily, ask
from fakes.sites.tavily_api import Page

from connectors.indexed.files import Files
from connectors.indexed.whole_library import WholeLibrary
from connectors.live.tavily import Tavily
from connectors.protocol import Limits
from connectors.search_all import SearchRequest, search_all
from library.library import Library
from schema.documents import Document
from schema.search import SearchOptions


async def test_pages_found_are_kept_and_can_be_searched(
    tavily: StartTavily, library: Library
) -> None:
    with tavily():
        (answered,) = await ask(library, "wind power")
    assert await library.open_part("web").load_text("https://b.test/wind") == PAGES[0].raw_content
    found = (
        await library.open_part("web").search("blades of a turbine", SearchOptions(limit=1))
    ).hits
    described = await library.load_documents([hit.document for hit in found])
    assert [one.uri for one in described.values()] == ["https://b.test/wind"]
    assert found[0].document in {hit.document for hit in answered.hits}


async def test_a_page_that_two_questions_find_is_one_document(
    tavily: StartTavily, library: Library
) -> None:
    with tavily(PAGES[:1]):
        answers = await ask(library, *QUESTIONS)
    assert len({hit.document for answered in answers for hit in answered.hits}) == 1
    assert await library.open_part("web").count() == (1, 1)
    assert await library.count() == (0, 0)


async def test_a_question_without_pages_finds_nothing_of_what_the_library_holds(
    tavily: StartTavily, library: Library
) -> None:
    await library.store([Document(uri="a", text="Granite is hard.", connector="files")])
    with tavily():
        (answered,) = await ask(library, "granite")
    assert answered.hits == []
    assert answered.degraded == []


async def test_indexed_connectors_search_what_is_theirs(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "50% wind"
    places = {name: (folder / name).as_uri() for name in ("in/a b.md", "in/c.md", "in2/d.md")}
    texts = [(uri, "files") for uri in places.values()] + [("https://b.test/wind", "tavily")]
    await library.store(
        [Document(uri=u, text=f"Wind turns blades. {u}", connector=c) for u, c in texts]
    )

    async def uris(connector: Files | WholeLibrary, *paths: Path | str) -> set[str]:
        search = SearchRequest(library, 9, paths=tuple(str(path) for path in paths))
        (found,) = await search_all([connector], ["wind"], search)
        described = await library.load_documents([hit.document for hit in found.hits])
        return {one.uri for one in described.values()}

    everything = {uri for uri, _ in texts}
    assert await uris(WholeLibrary()) == everything
    assert await uris(WholeLibrary(), folder / "in") == everything
    assert await uris(Files()) == set(places.values())
    assert await uris(Files(), folder / "in") == {places["in/a b.md"], places["in/c.md"]}
    assert await uris(Files(), folder / "in/a b.md", "50% wind/in2/") == {
        places["in/a b.md"],
        places["in2/d.md"],
    }
    assert await uris(Files(), tmp_path / "elsewhere") == set()


@pytest.mark.parametrize("mode", ["chunks", "documents"])
async def test_a_search_of_documents_brings_more_passages_of_one(
    tavily: StartTavily, library: Library, mode: Literal["chunks", "documents"]
) -> None:
    text = "\n\n".join(f"# Part {n}\n\n" + f"Wind turns blade {n}. " * 60 for n in range(9))
    with tavily([Page("Wind", "https://b.test/", "Wind", text)]):
        (found,) = await search_all([Tavily()], ["wind"], SearchRequest(library, 1, mode))
    assert len({hit.document for hit in found.hits}) == 1
    assert (len(found.hits) > 1) == (mode == "documents")


class Shelf:
    """Another package's live connector: it hands over the documents that it was given."""

    kind: Literal["live"] = "live"
    description = document_description = "a shelf"
    required_variables = ()
    package = ""
    languages = ()
    limits = Limits()

    def __init__(self, name: str, *documents: Document) -> None:
        self.name = name
        self.documents = documents
        self.since = ""

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        self.since = since
        return [replace(one, connector=self.name) for one in self.documents]


WIND = Document(uri="https://farm.test/wind", text="Wind turns the blades.", connector="", url="u")
SNIPPET = replace(WIND, uri="http://www.farm.test/wind/", text="Wind is moving air.", excerpt=True)


async def test_a_page_that_several_connectors_find_is_one_source(library: Library) -> None:
    shelves = [Shelf("a", SNIPPET), Shelf("b", WIND), Shelf("c", SNIPPET, WIND)]
    answers = await search_all(shelves, ["wind blades", "moving wind"], SearchRequest(library, 5))
    assert all(answered.hits for answered in answers)
    assert len({hit.document for answered in answers for hit in answered.hits}) == 1
    assert await library.open_part("web").load_text(WIND.uri) == WIND.text


async def test_a_connector_brings_no_more_than_its_share(library: Library) -> None:
    pages = [replace(WIND, uri=f"https://farm.test/{n}", text=f"Wind, part {n}.") for n in range(9)]
    shelves = [Shelf("a", *pages[:6]), Shelf("b", *pages[3:])]
    first, second = await search_all(shelves, ["wind"], SearchRequest(library, 3))
    assert (len(first.hits), len(second.hits)) == (3, 3)


async def test_an_excerpt_does_not_replace_the_page_that_was_read(library: Library) -> None:
    await search_all([Shelf("a", WIND)], ["wind"], SearchRequest(library, 5))
    (found,) = await search_all([Shelf("b", SNIPPET)], ["wind"], SearchRequest(library, 5))
    assert found.hits
    assert await library.open_part("web").load_text(WIND.uri) == WIND.text


async def test_excerpts_of_a_page_add_up_until_it_is_read(library: Library) -> None:
    other = replace(SNIPPET, text="Blades turn in it.")
    for shelf in (Shelf("a", SNIPPET), Shelf("b", other), Shelf("a", SNIPPET)):
        await search_all([shelf], ["wind"], SearchRequest(library, 5))
    assert await library.open_part("web").load_text(WIND.uri) == f"{SNIPPET.text}\n\n{other.text}"
    await search_all([Shelf("a", WIND)], ["wind"], SearchRequest(library, 5))
    assert await library.open_part("web").load_text(WIND.uri) == WIND.text


async def test_what_a_sync_keeps_up_is_not_replaced_by_a_search(library: Library) -> None:
    kept = replace(WIND, text="Wind, from the crawl.", connector="web", version="etag")
    await library.store([kept])
    (found,) = await search_all([Shelf("a", WIND)], ["wind"], SearchRequest(library, 5))
    assert found.hits
    assert await library.load_text(WIND.uri) == kept.text
    assert await library.load_versions("web", [WIND.uri]) == {WIND.uri: "etag"}


async def uris_of(library: Library, documents: Sequence[int]) -> list[str]:
    described = await library.load_documents(documents)
    return [described[document].uri for document in documents]


async def test_all_that_was_brought_is_named_best_first(library: Library) -> None:
    pages = [replace(WIND, uri=f"https://farm.test/{n}", text=f"Wind, part {n}.") for n in range(4)]
    stone = replace(WIND, uri="https://farm.test/stone", text="Granite is hard.")
    brought = [stone, *reversed(pages), replace(pages[2], uri="http://www.farm.test/2/")]
    answers = await search_all(
        [Shelf("a", *brought), WholeLibrary()], ["wind"], SearchRequest(library, 9)
    )
    live, indexed = answers
    best_first = [page.uri for page in (stone, *reversed(pages))]
    assert await uris_of(library, live.documents) == best_first
    assert {hit.document for hit in live.hits} == set(live.documents[1:])
    assert indexed.documents == ()


async def test_only_what_is_new_is_taken_from_a_connector_that_brings_more(
    library: Library,
) -> None:
    dates = ("2024-05-01", "2025-07-01", "", "2025", "2025-05")
    brought = [
        replace(WIND, uri=f"https://farm.test/{number}", published=published)
        for number, published in enumerate(dates)
    ]
    shelf = Shelf("a", *brought)
    (found,) = await search_all([shelf], ["wind"], SearchRequest(library, 3, since="2025-06-01"))
    assert shelf.since == "2025-06-01"
    assert await uris_of(library, found.documents) == [page.uri for page in brought[1:4]]


async def test_only_what_is_new_is_searched_in_the_library(
    library: Library, tmp_path: Path
) -> None:
    dates = {"old.md": "2024-05-01", "new.md": "2025-07-01", "undated.md": ""}
    held = [
        replace(WIND, uri=(tmp_path / name).as_uri(), connector="files", published=published)
        for name, published in dates.items()
    ]
    await library.store([*held, replace(WIND, connector="web", published="2025-07-01")])

    async def found(connector: Files | WholeLibrary, since: str) -> set[str]:
        (answered,) = await search_all(
            [connector], ["wind"], SearchRequest(library, 9, since=since)
        )
        return set(await uris_of(library, [hit.document for hit in answered.hits]))

    assert await found(Files(), "2025-06-01") == {held[1].uri}
    assert await found(WholeLibrary(), "2025-06-01") == {held[1].uri, WIND.uri}
    assert await found(Files(), "") == {document.uri for document in held}
