"""Searching: languages, hostile queries, filters, documents, evidence."""

import pytest
from library_pages import ask, index, page, section, sections, texts, uris

from library.library import Library
from library.search.search_pass import PASSAGES_PER_DOCUMENT
from retrieval.passages.pool import MIN_RELEVANCE
from schema.search import Filters

PAGES = {
    "en": "An inverted index maps every term to the passages that hold it.",
    "de": "Die Datenbanken speichern Häuser und Straßen in großen Tabellen.",
    "zh": "信息检索系统把每个词和它的位置存入倒排索引。",
    "ar": "يحفظ الفهرس كل كلمة في المجموعة ومكانها في النص الكامل.",
    "hi": "यह पुस्तकालय किताबों और पाठकों की सूची रखता है।",
}


@pytest.fixture
async def pages(library: Library) -> Library:
    """A page in each of several languages, and one in English about something else."""
    await library.store([page(code, text, language="") for code, text in PAGES.items()])
    await library.store([page("cats", "Cats sleep on warm roofs and hunt at night.")])
    return library


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Which terms does an index map?", "en"),
        ("Was speichert eine Datenbank?", "de"),
        ("HAUS und STRASSE", "de"),
        ("检索系统", "zh"),
        ("فهرس الكلمات", "ar"),
        ("किताब", "hi"),
        ("a cat's sleep", "cats"),
    ],
)
async def test_each_language_is_found(pages: Library, query: str, first: str) -> None:
    assert (await uris(pages, query))[0] == first


async def test_scores_and_evidence_lie_in_the_unit_interval(pages: Library) -> None:
    hits = (await ask(pages, "index cats Datenbank", limit=10)).hits
    assert len(hits) == 3
    assert all(0 <= hit.score <= 1 and 0 < hit.relevance <= 1 for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_a_question_about_something_else_has_little_evidence(pages: Library) -> None:
    foreign = (await ask(pages, "What is the chemistry of the volcanoes?", limit=10)).hits
    near = (await ask(pages, "What is the map of terms in the index?", limit=10)).hits
    assert foreign
    assert all(hit.relevance < MIN_RELEVANCE for hit in foreign)
    assert near[0].relevance > 0.5


@pytest.mark.parametrize(
    "query",
    ["", " ", "?!", "\0", "\ud83d", "🙂", "%s %(x)s '; DROP TABLE quire.chunks; --", "\u202eindex",
     "x" * 100_000, "index " * 10_000, " ".join(f"word{i}" for i in range(10_000)), "索" * 20_000],
    ids=["empty", "blank", "marks", "nul", "half a pair", "emoji", "sql", "right to left", "no end",
         "one word often", "many words", "characters"],
)  # fmt: skip
async def test_any_query_gets_an_answer(pages: Library, query: str) -> None:
    found = await ask(pages, query, limit=5)
    assert bool(found.hits) == ("index" in query)
    assert found.degraded == []


async def test_an_empty_space_finds_nothing(library: Library) -> None:
    assert (await ask(library, "index", limit=5)).hits == []
    await library.store([page("a", "Text.")])
    await library.remove(["a"])
    assert (await ask(library, "text", limit=5)).hits == []


async def test_a_search_repeats(library: Library) -> None:
    """Also where all score the same."""
    await library.store([page(str(i), f"Text {i} {i + 100} {i + 200}.") for i in range(30)])
    runs = [await ask(library, "text", limit=7) for _ in range(3)]
    assert [hit.score for hit in runs[0].hits] == [1.0] * 7
    assert runs[0] == runs[1] == runs[2]


async def test_the_rarest_words_do_not_hide_the_others(library: Library) -> None:
    await library.store(
        [page(f"c{i}", f"A common text, {i} {i + 100} {i + 200}.") for i in range(12)]
    )
    await library.store([page("r", "One rare1 rare2 rare3 rare4 rare5 only.")])
    found = await uris(library, "common rare1 rare2 rare3 rare4 rare5", limit=10)
    assert (found[0], len(found)) == ("r", 10)


@pytest.fixture
async def shelves(library: Library) -> Library:
    """Six pages that tell apart what filters keep to."""
    await library.store(
        [
            page("file:///a/b", "Shelf one.", published="2023"),
            page("file:///a/b/c", "Shelf two.", published="2024-05-01"),
            page("file:///a/bc", "Shelf three.", published="2024-05-02T10:00:00Z"),
            page("file:///a/B", "Shelf four."),
            page("file:///a/b%20c/d", "Shelf five.", published="2025-01-01"),
            page("http://w", "Shelf six.", connector="web", published="2024-12-31"),
        ]
    )
    return library


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (Filters(), "one two three four five six"),
        (Filters(connectors=["web"]), "six"),
        (Filters(connectors=["web", "files"]), "one two three four five six"),
        (Filters(connectors=["none"]), ""),
        (Filters(under=["file:///a/b"]), "one two"),
        (Filters(under=["file:///a/b/"]), "two"),
        (Filters(under=["file:///a/b/c", "file:///a/bc"]), "two three"),
        (Filters(under=["file:///a/b%20c"]), "five"),
        (Filters(under=["file:///a/_"]), ""),
        (Filters(under=["file:///a"]), "one two three four five"),
        (Filters(since="2024"), "two three five six"),
        (Filters(since="2024-05-02"), "three five six"),
        (Filters(until="2024-05-02"), "one two"),
        (Filters(until="2024-05-01"), "one"),
        (Filters(since="2024", until="2025"), "two three six"),
        (Filters(since="2024", connectors=["files"], under=["file:///a/b"]), "two"),
        (Filters(under=["\0", "\ud83d"]), ""),
    ],
)
async def test_a_filter_keeps_to_what_it_says(
    shelves: Library, filters: Filters, kept: str
) -> None:
    found = await texts(shelves, "shelf", filters=filters)
    assert {text.split()[1].strip(".") for text in found} == set(kept.split())


async def test_documents_mode_groups_passages(library: Library) -> None:
    many = [f"index w{i}" for i in range(PASSAGES_PER_DOCUMENT + 3)]
    await library.store(
        [
            page("long", sections(*many)),
            page("two", sections("index", "index two")),
            page("one", section("index one")),
            page("none", section("cat")),
        ]
    )
    hits = (await ask(library, "index", limit=2, mode="documents")).hits
    documents = [hit.document for hit in hits]
    assert len(set(documents)) == 2
    assert documents == sorted(documents, key=documents.index)
    assert max(map(documents.count, documents)) <= PASSAGES_PER_DOCUMENT


async def test_a_title_and_a_heading_say_what_a_chunk_is_about(library: Library) -> None:
    await library.store([page("a", "# Heron\n\nIt fishes.", title="Waterfowl"), page("b", "It.")])
    assert await uris(library, "waterfowl") == await uris(library, "heron") == ["a"]


async def test_a_search_changes_nothing(pages: Library) -> None:
    before = await index(pages)
    await ask(pages, "index", limit=5)
    assert await index(pages) == before
