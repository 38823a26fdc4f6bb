"""The dense retriever: which language it knows, what is unrelated to it, its index."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from fakes.vectors import vector
from library_pages import ask, page, rows, sections, uris
from meanings import by_words, speaking
from pgvector import HalfVector
from psycopg.sql import SQL, Composed

from library.database.spaces import Space, find_space
from library.index import vectors
from library.index.filters import list_passing
from library.index.vectors import _query_nearest, find_nearest
from library.library import Library
from retrieval.search.grading import score_dense_relevance
from schema.search import Filters


async def space_of(library: Library) -> Space:
    async with library.connect() as connection:
        space = await find_space(connection, library.user, library.space)
    assert space is not None
    return space


# ---- the language of a query


@pytest.fixture
async def garage(library: Library) -> Library:
    """German and English pages; the model knows English alone."""
    speaking(library, languages=["en"])
    await library.store(
        [
            page("auto", "Der Wagen steht in der Werkstatt und wartet auf Reifen.", language="de"),
            page("car", "A car needs tyres.", language="en"),
            page("tea", "Green tea is brewed at eighty degrees.", language="en"),
        ]
    )
    await library.embed_missing()
    return library


@pytest.mark.parametrize(
    ("query", "language", "weight"),
    [
        ("Welcher Wagen steht noch in der Werkstatt?", "de", 0.0),  # it does not know German
        # here no word says much
        ("Welches automobile braucht jetzt sofort neue Pneus und Felgen?", "de", 0.5),
        ("Where does the automobile stand with its tyres?", "en", 0.5),
    ],
)
async def test_a_model_has_a_vote_by_the_language_of_the_query(
    garage: Library, query: str, language: str, weight: float
) -> None:
    found = await ask(garage, query)
    told = {step.name: step.detail for step in found.trace}
    assert told["query"]["language"] == language
    assert told["fusion"]["weights"]["dense"] == pytest.approx(weight)
    assert any("dense" in hit.retriever_scores for hit in found.hits) is bool(weight)
    if not weight:
        assert await uris(garage, query) == ["auto"]


# ---- lengths of vectors, and vectors of nothing


async def test_vectors_of_another_length_are_all_made_anew(library: Library) -> None:
    speaking(library)
    await library.store([page("a", sections("cat", "dog")), page("b", "Tea.")])
    assert await library.embed_missing() == 3
    speaking(library, lambda text: by_words(text, 32))
    found = await ask(library, "tea")
    assert [one["code"] for one in found.degraded] == ["embedding_model_changed"]
    assert "another length" in found.degraded[0]["detail"]
    assert found.hits[0].grade == "strong"
    await library.store([page("c", "Coffee.")])
    assert await library.embed_missing() == 4
    assert (await ask(library, "tea")).degraded == []
    lengths = await rows(
        library,
        "SELECT DISTINCT vector_dims(e.embedding::vector) FROM quire.embeddings e "
        "JOIN quire.spaces s ON s.id = e.space_id WHERE s.name = %s",
        library.space,
    )
    assert lengths == [(32,)]


async def test_a_query_without_meaning_leaves_the_words(library: Library) -> None:
    """Small models know no vector for a word that they never read, and answer with zeros."""

    def meaning(text: str) -> list[float]:
        return [0.0] * 8 if "unread" in text else vector(text, 8)

    speaking(library, meaning)
    await library.store([page("a", "Tea is green."), page("b", "Coffee is black.")])
    await library.embed_missing()
    found = await ask(library, "unread tea", detail="low")
    assert [hit.retriever_scores for hit in found.hits] == [{"lexical": 1.0}]
    assert (await ask(library, "unread", retrievers=["dense"])).hits == []


async def test_a_text_without_meaning_is_found_by_words_alone(library: Library) -> None:
    speaking(library, lambda text: [0.0] * 8 if "unread" in text else vector(text, 8))
    await library.store(
        [page("a", "Unread tea."), page("b", "Coffee is black."), page("c", "Tea.")]
    )
    await library.embed_missing()
    found = await ask(library, "tea")
    assert {hit.document for hit in found.hits if "lexical" in hit.retriever_scores} != set()
    assert all(0 <= hit.score <= 1 for hit in found.hits)
    assert set(await uris(library, "tea")) == {"a", "b", "c"}


async def test_documents_that_go_while_they_are_embedded_break_nothing(library: Library) -> None:
    speaking(library)
    await library.store([page("a", "Tea.")])
    model = library.embedder._model  # type: ignore[union-attr]
    plain = model.aembed_documents

    async def slow(texts: list[str]) -> list[list[float]]:
        await library.remove(["a"])
        return await plain(texts)

    model.aembed_documents = slow  # type: ignore[method-assign]
    await library.embed_missing()
    assert await library.count() == (0, 0)


# ---- what is unrelated


async def test_the_cosine_of_unrelated_chunks_is_measured(library: Library) -> None:
    speaking(library)
    await library.store([page(f"u{i}", sections(f"a{i}", f"b{i}")) for i in range(15)])
    await library.embed_missing()
    held = await rows(
        library,
        "SELECT c.document_id, e.embedding FROM quire.embeddings e JOIN quire.chunks c "
        "ON c.id = e.chunk_id JOIN quire.spaces s ON s.id = e.space_id WHERE s.name = %s",
        library.space,
    )
    unit = [np.array(v.to_list()) / np.linalg.norm(v.to_list()) for _, v in held]
    cosines = [
        float(unit[i] @ unit[j])
        for i in range(len(held))
        for j in range(i)
        if held[i][0] != held[j][0]
    ]
    measured = (await space_of(library)).cosine
    assert measured == pytest.approx((np.mean(cosines), np.std(cosines)), abs=1e-3)


async def test_few_chunks_have_no_background(library: Library) -> None:
    speaking(library)
    await library.store([page(f"u{i}", f"Text {i}.") for i in range(10)])
    await library.embed_missing()
    assert (await space_of(library)).cosine is None


async def test_evidence_of_meaning_is_height_over_the_background(library: Library) -> None:
    speaking(library)
    await library.store([page(f"u{i}", f"a{i} b{i} c{i} d{i}") for i in range(30)])
    await library.store([page("car", "car doctor")])
    await library.embed_missing()
    measured = (await space_of(library)).cosine
    assert measured is not None
    found = await ask(library, "automobile physician", retrievers=["dense"], limit=31)
    assert (await uris(library, "automobile physician", retrievers=["dense"]))[0] == "car"
    assert found.hits[0].relevance == 1
    assert found.hits[0].grade == "strong"
    assert found.hits[-1].grade == "weak"
    assert score_dense_relevance(measured[0], measured) == 0


async def test_a_new_model_forgets_the_background_of_the_old(library: Library) -> None:
    speaking(library)
    await library.store([page(f"u{i}", f"a{i} b{i}") for i in range(30)])
    await library.embed_missing()
    assert (await space_of(library)).cosine is not None
    await library.remove([f"u{i}" for i in range(2, 30)])
    speaking(library, name="test:other")
    await library.embed_missing()
    assert (await space_of(library)).cosine is None


# ---- the index


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A space of a few vectors gets an index."""
    monkeypatch.setattr(vectors, "INDEXED_FROM", 20)
    return


@pytest.fixture
async def indexed(eager: None, library: Library) -> Library:
    """Two hundred vectors under an index, every tenth in a folder of its own."""
    speaking(library)
    pages = [
        page(f"{'few' if i % 10 == 0 else 'many'}/{i}", f"a{i} b{i % 7} c{i % 13}")
        for i in range(200)
    ]
    await library.store(pages)
    assert await library.embed_missing() == 200
    return library


async def indexes(library: Library) -> dict[str, bool]:
    """Name and validity of the indexes of the space's vectors."""
    space = await space_of(library)
    found = await rows(
        library,
        "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
        "WHERE starts_with(c.relname, %s)",
        f"embeddings_of_{space.id}_",
    )
    return dict(found)


class Explaining:
    """A connection that tells the plan of a query in place of its rows."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def execute(self, query: Composed, parameters: Any) -> Any:
        return await self._connection.execute(SQL("EXPLAIN ") + query, parameters)


FORCED = "SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off"
"""With so few rows a scan is cheaper than any index."""


@pytest.mark.parametrize("filters", [Filters(), Filters(under=["few"])], ids=["all", "some"])
async def test_many_vectors_get_an_index_that_is_used(indexed: Library, filters: Filters) -> None:
    space = await space_of(indexed)
    name = f"embeddings_of_{space.id}_64"
    assert await indexes(indexed) == {name: True}
    async with indexed.connect() as connection:
        await connection.execute(FORCED)
        for exact in (False, True):
            plan = await _query_nearest(
                Explaining(connection),  # type: ignore[arg-type]
                space, HalfVector(by_words("b1 c1")), filters, 5, [], exact=exact,
            )  # fmt: skip
            assert any(name in str(line) for line in plan) == (not exact), plan


async def test_few_vectors_get_none(library: Library) -> None:
    speaking(library)
    await library.store([page("a", "Tea.")])
    await library.embed_missing()
    assert await indexes(library) == {}


@pytest.mark.parametrize("folder", ["few", "few/10", "none"])
async def test_a_filtered_search_through_the_index_finds_all_there_is(
    indexed: Library, folder: str
) -> None:
    space, filters = await space_of(indexed), Filters(under=[folder])
    query = HalfVector(by_words("b3 c4"))
    brute = await rows(
        indexed,
        "SELECT c.id FROM quire.chunks c JOIN quire.documents d ON d.id = c.document_id "
        "JOIN quire.embeddings e ON e.chunk_id = c.id WHERE c.space_id = %s "
        "AND (d.uri = %s OR starts_with(d.uri, %s))",
        space.id, folder, f"{folder}/",
    )  # fmt: skip
    async with indexed.connect() as connection:
        await connection.execute(FORCED)
        await connection.execute("SET LOCAL hnsw.max_scan_tuples = 1")  # it gives up early
        await connection.execute("SET LOCAL hnsw.ef_search = 15")
        found, _ = await find_nearest(connection, space, query, filters, 15)
    assert len(found) == min(15, len(brute)) == {"few": 15, "few/10": 1, "none": 0}[folder]
    assert set(found) <= {one for (one,) in brute}  # the graph chooses among equals
    hits = (await ask(indexed, "b3 c4", retrievers=["dense"], filters=filters, limit=30)).hits
    assert len(hits) == {"few": 20, "few/10": 1, "none": 0}[folder]


@pytest.mark.parametrize("most", [0, 10_000])
async def test_what_is_known_to_pass_a_filter_is_scanned_or_filtered_with_one_result(
    indexed: Library, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("library.index.vectors.MOST_SCANNED", most)
    space, filters = await space_of(indexed), Filters(under=["few"])
    query = HalfVector(by_words("b3 c4"))
    async with indexed.connect() as connection:
        passing = await list_passing(connection, space, filters)
        assert len(passing) == 20
        [other] = (await find_nearest(connection, space, query, Filters(), 1))[0]
        near, cosines = await find_nearest(
            connection, space, query, filters, 20, [other], passing=passing
        )
    assert sorted(near) == passing.tolist()
    assert [cosines[one] for one in near] == sorted((cosines[one] for one in near), reverse=True)
    assert other in cosines


@pytest.mark.slow
async def test_an_index_that_broke_off_is_made_again(indexed: Library) -> None:
    [name] = await indexes(indexed)
    async with indexed.database.maintenance() as connection:
        await connection.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(%s)",
            (f"quire.{name}",),
        )
    assert await indexes(indexed) == {name: False}
    await indexed.store([page("new", "New.")])
    await indexed.embed_missing()
    assert await indexes(indexed) == {name: True}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["test:words", "test:other"])
async def test_another_length_or_model_takes_the_index_along(indexed: Library, name: str) -> None:
    space = await space_of(indexed)
    speaking(indexed, lambda text: by_words(text, 32), name=name)
    await indexed.store([page("new", "New.")])
    assert await indexed.embed_missing() == 201
    assert await indexes(indexed) == {f"embeddings_of_{space.id}_32": True}
    assert (await ask(indexed, "b3 c4", retrievers=["dense"])).hits


@pytest.mark.slow
async def test_the_index_of_one_space_leaves_others_alone(indexed: Library, fresh: Library) -> None:
    before = await indexes(indexed)
    speaking(fresh, lambda text: by_words(text, 32))
    await fresh.store([page(f"u{i}", f"b{i} c{i}") for i in range(25)])
    await fresh.embed_missing()
    assert (await indexes(fresh)).keys() == {f"embeddings_of_{(await space_of(fresh)).id}_32"}
    assert await indexes(indexed) == before
    hits = (await ask(fresh, "b3 c4", retrievers=["dense"], limit=30)).hits
    assert len(hits) == 25


async def test_vectors_too_long_for_an_index_are_searched_without(
    eager: None, library: Library
) -> None:
    speaking(library, lambda text: by_words(text, 4_001))
    await library.store([page(f"u{i}", f"b{i} c{i}") for i in range(20)])
    assert await library.embed_missing() == 20
    assert await indexes(library) == {}
    assert (await uris(library, "b3 c3", retrievers=["dense"]))[0] == "u3"
