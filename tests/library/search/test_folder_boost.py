"""A search that descends the tree: good folders lift, bad ones bury nothing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from library_pages import page, rows, section

from library.database.spaces import find_space, lock_space
from library.index.folders import mark_stale, refresh_folders
from library.library import Library
from library.search import folder_boost
from library.search.folder_boost import DescentResult, descend_tree
from library.search.search_pass import prepare_pass
from models.rerank import Ranking
from retrieval.search.candidates import Candidate
from retrieval.search.folder_descent import MAX_FOLDERS
from schema.documents import Document
from schema.search import Filters, SearchOptions

QUERY = "turbine bearing failure"


def note(path: str, text: str, **described: Any) -> Document:
    return page(f"file:///{path}", text, title=described.pop("title", path), **described)


NOTES = [
    note("wind/log.md", "The bearing of the turbine ran hot. A failure was feared.", title="Log"),
    note("wind/parts.md", "Turbine parts: a bearing, two seals, grease.", title="Parts"),
    note("wind/seals.md", "Seals keep the grease in the turbine.", title="Seals"),
    note("cooking/soup.md", "Onions, carrots and salt.", title="Soup"),
    note("cooking/bread.md", "Flour, water and salt.", title="Bread"),
    note("cooking/pan.md", "A failure to clean the pan.", title="Pan"),
    note(
        "cooking/odd.md", section("kitchen") + "## Plant\n\nTurbine bearing failure.", title="Odd"
    ),
    *(note(f"music/{i}.md", f"Song {i} in a minor key.", title=f"Song {i}") for i in range(30)),
]


@pytest.fixture
async def notes(library: Library) -> Library:
    """A folder about turbines, and one about cooking where the best note of all has strayed."""
    return await put(library, NOTES)


async def put(library: Library, notes: Sequence[Document]) -> Library:
    await library.store(notes)
    async with library.connect() as connection:
        space = await lock_space(connection, library.user, library.space)
        names = [f"{one.connector}/{one.uri.removeprefix('file:///')}" for one in notes]
        await mark_stale(connection, space, names)
    await refresh_folders(library)
    return library


async def flat(library: Library, query: str, **options: Any) -> list[Candidate]:
    """What the flat search finds, as candidates."""
    found = await library.search(query, SearchOptions(boosts=(), per_document=99, **options))
    return [
        Candidate(
            chunk=hit.chunk,
            document=hit.document,
            score=hit.score,
            retriever_scores=hit.retriever_scores,
        )
        for hit in found.hits
    ]


async def descent(
    library: Library,
    candidates: list[Candidate],
    propagation: float = 0.5,
    *,
    query: str = QUERY,
    reranker: str = "words",
    **options: Any,
) -> DescentResult:
    async with library.connect() as connection:
        space = await find_space(connection, library.user, library.space)
        assert space
    asked = prepare_pass(space, query, SearchOptions(**options))
    return await descend_tree(library, asked, candidates, propagation, reranker)


async def titles(library: Library, candidates: Sequence[Candidate]) -> dict[str, Candidate]:
    """Candidates by the title of their document, best first."""
    described = await library.load_documents([one.document for one in candidates])
    return {described[one.document].title: one for one in candidates}


async def test_a_good_folder_lifts_what_it_holds(notes: Library) -> None:
    candidates = await flat(notes, QUERY)
    before = await titles(notes, candidates)
    after = await titles(notes, (await descent(notes, candidates)).candidates)
    assert after["Parts"].score > before["Parts"].score
    assert after["Seals"].score > before["Seals"].score
    gain = after["Seals"].score / before["Seals"].score
    assert after["Seals"].why == (f"folder files/wind ×{gain:.2f}",)
    assert list(before).index("Seals") > list(before).index("Pan")
    assert list(after).index("Seals") < list(after).index("Pan")


async def test_a_leaf_under_a_misleading_folder_is_still_the_first(notes: Library) -> None:
    candidates = await flat(notes, QUERY)
    for propagation in (0.1, 0.5, 1.0):
        after = (await descent(notes, candidates, propagation)).candidates
        found = await titles(notes, after)
        assert found["Odd"].score == 1.0
        assert all(one.score <= 1.0 for one in after)
    assert {one.chunk for one in candidates} <= {one.chunk for one in after}


async def test_no_score_falls_and_the_best_come_first(notes: Library) -> None:
    candidates = await flat(notes, QUERY)
    after = (await descent(notes, candidates)).candidates
    scores = {one.chunk: one.score for one in after}
    assert all(scores[one.chunk] >= one.score for one in candidates)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


async def test_without_propagation_the_ranking_is_the_flat_one(notes: Library) -> None:
    candidates = await flat(notes, QUERY)
    after = (await descent(notes, candidates, 0.0)).candidates
    assert [(one.chunk, one.score, one.why) for one in after] == [
        (one.chunk, one.score, ()) for one in candidates
    ]


async def test_a_folder_brings_in_what_the_flat_search_cut_off(notes: Library) -> None:
    candidates = await flat(notes, QUERY, limit=2)
    assert "Seals" not in await titles(notes, candidates)
    after = await titles(notes, (await descent(notes, candidates, limit=4)).candidates)
    assert after["Seals"].why[0].startswith("folder files/wind ×")
    assert after["Seals"].retriever_scores["lexical"] < after["Seals"].score
    assert "Soup" not in after


async def test_a_search_of_one_retriever_without_words_brings_nothing_new(notes: Library) -> None:
    candidates = [
        Candidate(
            chunk=one.chunk,
            document=one.document,
            score=one.score,
            retriever_scores={"dense": 1.0},
        )
        for one in await flat(notes, QUERY, limit=2)
    ]
    after = (await descent(notes, candidates)).candidates
    assert {one.chunk for one in after} == {one.chunk for one in candidates}


async def test_filters_hold_for_what_folders_bring_in(notes: Library) -> None:
    more = [
        note("wind/fr.md", "Turbine bearing.", title="French", language="fr"),
        note("wind/chat.md", "Turbine bearing.", title="Chat", connector="chat"),
    ]
    await put(notes, more)

    async def kept_to(**filters: Any) -> tuple[set[str], list[str]]:
        options: dict[str, Any] = {"filters": Filters(**filters)}
        found = await descent(notes, await flat(notes, QUERY, limit=1, **options), **options)
        opened = [one.detail["folder"] for one in found.trace if one.name == "folder opened"]
        return set(await titles(notes, found.candidates)), opened

    everything, _ = await kept_to()
    assert {"French", "Chat", "Parts"} <= everything
    english, _ = await kept_to(language="en")
    assert "French" not in english
    assert "Parts" in english
    files, opened = await kept_to(connectors=["files"])
    assert "Chat" not in files
    assert "files/wind" in opened
    assert not any(folder.startswith("chat") for folder in opened)


async def test_it_works_with_no_reranker(notes: Library) -> None:
    found = await descent(notes, await flat(notes, QUERY))
    assert found.degraded == []
    assert found.trace[-1].name in ("descent converged", "folders exhausted")


async def test_a_reranker_that_fails_leaves_the_words_and_a_code(notes: Library) -> None:
    candidates = await flat(notes, QUERY)
    by_words = await descent(notes, candidates)
    found = await descent(notes, candidates, reranker="nonsense:x")
    assert [one["code"] for one in found.degraded] == ["reranker_unavailable"]
    assert found.candidates == by_words.candidates
    assert found.trace == by_words.trace


async def test_the_installation_s_reranker_is_asked(
    notes: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_RERANK_MODEL", "nonsense:x")
    async with notes.connect() as connection:
        space = await find_space(connection, notes.user, notes.space)
        assert space
    asked = prepare_pass(space, QUERY, SearchOptions())
    found = await descend_tree(notes, asked, await flat(notes, QUERY), 0.5)
    assert [one["code"] for one in found.degraded] == ["reranker_unavailable"]


async def test_a_reranker_puts_the_folders_in_order_on_the_scale_of_the_words(
    notes: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def prefers_cooking(query: str, texts: Sequence[str], name: str) -> Ranking:
        assert (query, name) == (QUERY, "some:model")
        return Ranking([1e6 if text.startswith("cooking: ") else -3.0 for text in texts])

    monkeypatch.setattr(folder_boost, "rerank_texts", prefers_cooking)
    candidates = await flat(notes, QUERY)
    by_words = await descent(notes, candidates)
    found = await descent(notes, candidates, reranker="some:model")
    assert found.trace[0].detail["folder"] == "files/cooking"
    assert found.trace[0].detail["score"] == by_words.trace[0].detail["score"]
    after = await titles(notes, found.candidates)
    assert after["Pan"].score > (await titles(notes, by_words.candidates))["Pan"].score
    assert all(one.score <= 1.0 for one in found.candidates)


async def test_the_trace_tells_what_was_opened_and_what_came_of_it(notes: Library) -> None:
    found = await descent(notes, await flat(notes, QUERY, limit=2))
    names = {step.name for step in found.trace}
    assert {"folder opened", "children scored", "leaf added", "leaf raised", "round ended"} <= names
    raised = {
        step.detail["leaf"]: step.detail["score"]
        for step in found.trace
        if step.name in ("leaf raised", "leaf added")
    }
    scores = {one.chunk: round(one.score, 4) for one in found.candidates if one.why}
    assert scores == raised


async def test_its_cost_is_bounded_in_a_large_tree(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where not all overviews are read at the start, those further down are read on the way."""
    monkeypatch.setattr(folder_boost, "MAX_FOLDERS", 3)
    await put(
        library,
        [note(f"a{i % 5}/b{i}/n.md", "Turbine. " + "Plain words. " * i) for i in range(40)],
    )
    candidates = await flat(library, "turbine", limit=3)
    found = await descent(library, candidates, query="turbine")
    opened = [step.detail["folder"] for step in found.trace if step.name == "folder opened"]
    assert 3 < len(opened) <= MAX_FOLDERS
    assert max(folder.count("/") for folder in opened) == 2
    assert len(found.candidates) > len(candidates)


@pytest.mark.parametrize(("read", "end"), [(8, "folder limit reached"), (100, "descent converged")])
async def test_it_does_not_converge_while_overviews_are_unread(
    library: Library, monkeypatch: pytest.MonkeyPatch, read: int, end: str
) -> None:
    monkeypatch.setattr(folder_boost, "MAX_FOLDERS", read)
    weak = [note(f"weak{i}/n.md", section("kitchen") + "A turbine.") for i in range(20)]
    await put(library, [*weak, *NOTES])
    candidates = await flat(library, QUERY, limit=2)
    found = await descent(library, candidates, limit=2)
    assert found.trace[-1].name == end


async def test_a_library_without_folders_is_searched_flat(library: Library) -> None:
    await library.store(NOTES)
    await rows(library, "DELETE FROM quire.folders RETURNING path")  # none was ever described
    candidates = await flat(library, QUERY)
    found = await descent(library, candidates)
    assert found.candidates == candidates
    assert [step.name for step in found.trace] == ["folders exhausted"]


@pytest.mark.parametrize("query", ["", "?!", "\0", "zzz"])
async def test_a_query_that_finds_nothing_is_no_trouble(notes: Library, query: str) -> None:
    found = await descent(notes, await flat(notes, query), query=query)
    assert found.candidates == await flat(notes, query)


async def test_variants_have_one_vote(notes: Library) -> None:
    candidates = await flat(notes, QUERY)
    alone = await descent(notes, candidates)
    repeated = await descent(notes, candidates, variants=[QUERY, QUERY])
    assert repeated.candidates == alone.candidates


async def test_a_candidate_without_a_score_may_be_lifted(notes: Library) -> None:
    candidates = [replace(one, score=0.0) for one in await flat(notes, QUERY)]
    found = await descent(notes, candidates)
    assert {one.chunk for one in candidates} <= {one.chunk for one in found.candidates}
    assert all(one.score >= 0 for one in found.candidates)
