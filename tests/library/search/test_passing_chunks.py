"""What passes a filter is listed once, and anew when its space has changed; vectors likewise."""

import pytest
from library_pages import page, uris
from meanings import speaking

from library.library import Library, open_library
from library.search import chunk_filter, passing_chunks
from schema.search import Filters

NOTES = {"filters": Filters(under=["notes:"]), "retrievers": ["lexical"]}
LISTING = "string_agg(int8send"


@pytest.fixture
async def notes(library: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A library so large, as it thinks, that what passes a filter is listed."""
    monkeypatch.setattr(chunk_filter, "MOST_FILTERED", 0)
    speaking(library)
    await library.store([page("notes:/a", "A grey heron."), page("other:/b", "A white heron.")])
    await library.embed_missing()
    return library


async def test_the_same_filter_is_listed_once(notes: Library, statements: list[str]) -> None:
    assert await uris(notes, "heron", **NOTES) == ["notes:/a"]
    assert await uris(notes, "grey", **NOTES) == ["notes:/a"]
    assert sum(LISTING in one for one in statements) == 1
    assert await uris(notes, "heron", filters=Filters(under=["other:"])) == ["other:/b"]


async def test_what_is_stored_and_removed_later_counts(notes: Library) -> None:
    assert await uris(notes, "heron", **NOTES) == ["notes:/a"]
    await notes.store([page("notes:/c", "Heron, heron.")])
    assert sorted(await uris(notes, "heron", **NOTES)) == ["notes:/a", "notes:/c"]
    await notes.remove(["notes:/a"])
    assert await uris(notes, "heron", **NOTES) == ["notes:/c"]


async def test_a_document_whose_date_alone_changed_passes(notes: Library) -> None:
    recent = {"filters": Filters(since="2024"), "retrievers": ["lexical"]}
    assert await uris(notes, "heron", **recent) == []
    await notes.store([page("notes:/a", "A grey heron.", published="2025-01-01")])
    assert await uris(notes, "heron", **recent) == ["notes:/a"]


async def test_what_another_space_holds_is_looked_up_anew(notes: Library, fresh: Library) -> None:
    beside = {"filters": Filters(not_in=fresh.space), "retrievers": ["lexical"]}
    assert len(await uris(notes, "heron", **beside)) == 2
    await fresh.store([page("notes:/a", "A grey heron.")])
    assert await uris(notes, "heron", **beside) == ["other:/b"]


async def test_spaces_have_lists_of_their_own(notes: Library, fresh: Library) -> None:
    assert await uris(notes, "heron", **NOTES) == ["notes:/a"]
    await fresh.store([page("notes:/d", "A heron far away.")])
    assert await uris(fresh, "heron", **NOTES) == ["notes:/d"]


async def test_readers_have_lists_of_their_own(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_filter, "MOST_FILTERED", 0)
    ann, bob = [
        await open_library(space, f"@{space}", (f"{one}@x.test",)) for one in ("ann", "bob")
    ]
    kept = page("notes:/b", "A white heron.", readers=("ann@x.test",))
    await ann.store([page("notes:/a", "A grey heron."), kept])
    for _ in range(2):
        assert await uris(bob, "heron", **NOTES) == ["notes:/a"]
        assert sorted(await uris(ann, "heron", **NOTES)) == ["notes:/a", "notes:/b"]


async def test_no_more_is_kept_than_there_is_room_for(
    notes: Library, monkeypatch: pytest.MonkeyPatch, statements: list[str]
) -> None:
    monkeypatch.setattr(passing_chunks, "MOST_KEPT", 1)
    for root in ("notes:", "other:", "other:", "notes:"):
        assert len(await uris(notes, "heron", filters=Filters(under=[root]))) == 1
    assert sum(LISTING in one for one in statements) == 3


async def test_a_second_pass_asks_for_no_vector_twice(
    notes: Library, statements: list[str]
) -> None:
    async with notes.connect() as connection:
        await connection.execute(
            "UPDATE quire.spaces SET cosine_mean = 0.9, cosine_deviation = 0.1 "
            "WHERE user_id = %s AND name = %s",
            (notes.user, notes.space),
        )
    found = await notes.search("pelican swamp")
    assert "wider pass" in [step.name for step in found.trace]
    assert sum("ORDER BY (e.embedding" in one for one in statements) == 1
