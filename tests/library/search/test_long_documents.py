"""Long documents whose passages fill the lists: the others are found all the same."""

from typing import Any

import pytest
from library_pages import ask, page, uris

from library.database.spaces import find_space
from library.library import Library
from library.search import pipeline as searching
from library.search import search_pass as asking
from library.search.search_pass import MIN_DEPTH, prepare_pass
from schema.search import Filters, SearchMode, SearchOptions, SearchResult

LONG = MIN_DEPTH + 40
"""Passages of the long document, each of which stands above all others in the list of the words."""

OTHERS = 6
MODES: list[SearchMode] = ["chunks", "documents"]


@pytest.fixture
async def starving(library: Library) -> Library:
    """One long document that speaks of herons everywhere, and short ones that name them once."""
    passage = "The heron and the heron: herons, heron after heron. " * 14
    long = "".join(f"## Part {i}\n\n{passage}\n\n" for i in range(LONG))
    other = "Of one heron, on day {}, " + "and of many other things besides it. " * 12
    short = [page(f"short-{i}", other.format(i)) for i in range(OTHERS)]
    await library.store([page("long", long), *short])
    return library


def passes(found: SearchResult) -> int:
    """Passes that the search made that answered."""
    return [step.name for step in found.trace].count("hits")


async def depths(library: Library, monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[bool]:
    """Which passes a search made; True for a deeper one."""
    made: list[bool] = []
    flat = searching._search_flat

    async def seen(connection: Any, asked: asking.SearchPass, meaning: Any) -> Any:
        made.append(asked.deep)
        return await flat(connection, asked, meaning)

    with monkeypatch.context() as patch:
        patch.setattr(searching, "_search_flat", seen)
        await ask(library, "heron", **options)
    return made


@pytest.mark.parametrize("mode", MODES)
async def test_one_long_document_does_not_starve_the_others(
    starving: Library, mode: SearchMode
) -> None:
    found = await ask(starving, "heron", mode=mode)
    assert not found.starved
    assert passes(found) == 1  # the trace is that of the pass that answered
    [words] = [step.detail["found"] for step in found.trace if step.name == "retriever lexical"]
    assert words > MIN_DEPTH
    kept = {"filters": Filters(connectors=["files"])}
    for options in ({}, kept):  # filters hold in the deeper pass
        names = await uris(starving, "heron", mode=mode, **options)
        assert set(names) == {"long", *(f"short-{i}" for i in range(OTHERS))}
        assert names[0] == "long"
        await starving.store([page("elsewhere", "A heron.", connector="chat")])


@pytest.mark.parametrize("mode", MODES)
async def test_the_deeper_pass_is_what_finds_them(
    starving: Library, mode: SearchMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await depths(starving, monkeypatch, mode=mode) == [False, True]
    monkeypatch.setattr(asking, "DEEP_FACTOR", 1)
    found = await ask(starving, "heron", mode=mode)
    assert found.starved
    assert len({hit.document for hit in found.hits}) == 1


async def test_passages_of_one_document_are_not_taken_for_documents(
    starving: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six of the long one are shown, where five documents are wanted."""
    assert await depths(starving, monkeypatch, mode="documents", limit=5) == [False, True]
    assert len(await uris(starving, "heron", mode="documents", limit=5)) == 5


@pytest.mark.parametrize(("mode", "limit"), [("chunks", 3), ("documents", 1)])
async def test_no_deeper_pass_where_enough_was_found(
    starving: Library, monkeypatch: pytest.MonkeyPatch, mode: SearchMode, limit: int
) -> None:
    assert await depths(starving, monkeypatch, mode=mode, limit=limit) == [False]


@pytest.mark.parametrize("mode", MODES)
async def test_no_deeper_pass_where_all_was_found(
    library: Library, monkeypatch: pytest.MonkeyPatch, mode: SearchMode
) -> None:
    await library.store([page(f"short-{i}", f"One heron on day {i}.") for i in range(4)])
    assert await depths(library, monkeypatch, mode=mode) == [False]
    assert not (await ask(library, "heron", mode=mode)).starved


@pytest.mark.parametrize("mode", MODES)
async def test_a_deeper_pass_asks_each_retriever_for_more(
    library: Library, mode: SearchMode
) -> None:
    await library.store([page("a", "A heron.")])
    async with library.connect() as connection:
        space = await find_space(connection, library.user, library.space)
    assert space
    asked = prepare_pass(space, "heron", SearchOptions(mode=mode))
    assert asked.deepen().depth == asking.DEEP_FACTOR * asked.depth
    assert asked.deepen().queries == asked.queries
    assert asked.widen().depth == asked.depth
    assert asked.deepen().widen().depth == asked.deepen().depth
