"""Postings that wait: searches find them, and rows are made of them, whatever comes between."""

import pytest
from library_pages import ask, index, page, rows, section, texts
from test_segments import store_at

from library.batch_writer import BatchWriter
from library.index import postings
from library.library import Library
from retrieval.search.inverted_index import BLOCK_SIZE
from schema.documents import Document


def flock(first: int, *words: str) -> list[Document]:
    """Pages of one chunk each."""
    return [page(f"{n}", section(word), title=f"On {word}") for n, word in enumerate(words, first)]


BATCHES = (flock(0, "cat", "dog"), flock(2, "cat", "owl"), flock(4, "emu"))


async def waiting(library: Library) -> int:
    """How many packs of the space's chunks wait."""
    query = (
        "SELECT count(*)::int FROM quire.buffered_postings p JOIN quire.spaces s "
        "ON s.id = p.space_id WHERE s.name = %s AND p.field = 0 AND octet_length(p.entries) > 0"
    )
    return int((await rows(library, query, library.space))[0][0])


async def found(library: Library, query: str) -> list[tuple[str, float, float]]:
    """What a search finds: texts with their scores."""
    hits = (await ask(library, query, retrievers=["lexical", "title"])).hits
    passages = await library.load_passages([hit.chunk for hit in hits])
    return [(passages[hit.chunk].text, hit.score, hit.relevance) for hit in hits]


async def test_what_waits_is_found_and_counted_as_if_it_did_not(
    library: Library, fresh: Library
) -> None:
    await library.store(BATCHES[0])  # rows, to which the others are added
    for batch in BATCHES[1:]:
        await library.store(batch, more_follow=True)
    await fresh.store([page for batch in BATCHES for page in batch])
    assert await waiting(library) > 0
    for query in ("cat", "owl words", "on emu", "dog cat stands"):
        assert await found(library, query) == await found(fresh, query)
    words = {"cat", "owl", "stand", "unknown"}
    assert await library.count_terms(words) == await fresh.count_terms(words)
    await library.merge_postings()
    assert await waiting(library) == 0
    assert await index(library) == await index(fresh)


async def test_a_term_that_is_too_common_to_be_scored_is_so_in_what_waits(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("library.search.score_words.MOST_POSTINGS", 2)
    await library.store(flock(0, "cat", "cat", "cat", "dog"))
    await library.store(flock(4, "cat"), more_follow=True)
    assert len(await texts(library, "dog cat")) == 1


@pytest.mark.parametrize("what", ["changed", "removed", "stored"])
async def test_what_comes_between_ends_the_waiting_and_leaves_a_right_index(
    library: Library, fresh: Library, what: str
) -> None:
    for batch in BATCHES:
        await library.store(batch, more_follow=True)
    kept = [one for batch in BATCHES for one in batch]
    if what == "changed":
        kept[1] = page("1", section("yak"), title="On yaks")
        await library.store([kept[1]], more_follow=True)
        await library.merge_postings()
    elif what == "removed":
        await library.remove([kept.pop(1).uri])
    else:
        kept += flock(5, "yak")
        await library.store(kept[-1:])
    assert await waiting(library) == 0
    await fresh.store(kept)
    assert await index(library) == await index(fresh)


async def test_a_full_block_makes_rows_each_written_once(
    library: Library, fresh: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = (29 * BLOCK_SIZE, 29 * BLOCK_SIZE + 5_000, 30 * BLOCK_SIZE - 2)
    for batch, start in zip(BATCHES, places, strict=True):
        assert await waiting(library) > 0 or batch is BATCHES[0]
        await store_at(library, batch, start, monkeypatch, more_follow=True)
    assert await waiting(library) > 0  # the last batch is still in the block
    await store_at(library, flock(5, "yak", "gnu"), 30 * BLOCK_SIZE, monkeypatch, more_follow=True)
    assert await waiting(library) == 0
    await fresh.store([*(one for batch in BATCHES for one in batch), *flock(5, "yak", "gnu")])
    assert await index(library) == await index(fresh)


async def test_so_many_batches_wait_and_no_more(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "MOST_BATCHES", 3)
    held = []
    for n in range(7):
        await library.store(flock(n, "cat"), more_follow=True)
        held.append(await waiting(library) > 0)
    assert held == [True, True, False, True, True, False, True]


async def test_a_batch_writer_leaves_nothing_waiting(library: Library) -> None:
    async with BatchWriter(library) as writer:
        for batch in BATCHES:
            await writer.put(batch)
            await writer.drain()
        assert await waiting(library) > 0
    assert await waiting(library) == 0
    assert len(await texts(library, "cat")) == 2
