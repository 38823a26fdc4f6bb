"""Storing: only what changed, exact offsets, exact counts."""

import asyncio
import random

import pytest
from library_pages import chunk_rows, page, rows, section, sections, statistics, texts

from library.library import Library, open_library


async def check_offsets(library: Library, *uris: str) -> None:
    """Every chunk of some documents stands where its row says."""
    found = await rows(
        library,
        "SELECT d.uri, c.text, c.start_offset, c.end_offset FROM quire.chunks c "
        "JOIN quire.documents d ON d.id = c.document_id "
        "JOIN quire.spaces s ON s.id = c.space_id WHERE s.name = %s AND d.uri = ANY(%s)",
        library.space,
        list(uris),
    )
    assert found
    for uri, held, start, end in found:
        stored = await library.text(uri)
        assert stored is not None
        assert stored[start:end] == held


async def test_documents_are_added(library: Library) -> None:
    stored = await library.store([page("a", sections("cat", "dog")), page("b", section("owl"))])
    assert [(one.uri, one.outcome) for one in stored] == [("a", "added"), ("b", "added")]
    assert await library.count() == (2, 3)
    assert await library.text("a") == sections("cat", "dog")
    await check_offsets(library, "a", "b")


async def test_what_is_told_of_a_document_is_kept(library: Library) -> None:
    [stored] = await library.store(
        [page("u", "Text here.", title="T", author="A", site="S", url="http://u", published="2024")]
    )
    info = (await library.documents([stored.document, 10**15]))[stored.document]
    assert (info.uri, info.title, info.author, info.site) == ("u", "T", "A", "S")
    assert (info.url, info.published, info.language) == ("http://u", "2024", "en")


async def test_an_unchanged_document_costs_no_row(library: Library) -> None:
    await library.store([page("a", sections("cat", "dog"))])
    where = "SELECT id, ctid::text FROM quire.chunks ORDER BY id"
    before = await rows(library, where), await statistics(library)
    [again] = await library.store([page("a", sections("cat", "dog"), version="2")])
    assert again.outcome == "unchanged"
    assert (await rows(library, where), await statistics(library)) == before
    assert await library.versions("files", ["a"]) == {"a": "2"}


async def test_unchanged_chunks_keep_their_rows(library: Library) -> None:
    await library.store([page("a", sections("cat", "dog", "owl"))])
    before = await chunk_rows(library)
    [changed] = await library.store([page("a", "🙂 New.\n\n" + sections("emu", "cat", "owl"))])
    after = await chunk_rows(library)
    assert changed.outcome == "changed"
    for word in ("cat", "owl"):
        text = section(word).strip()
        assert after[text][0] == before[text][0]
        assert after[text][1] != before[text][1]
    assert section("dog").strip() not in after
    await check_offsets(library, "a")


async def test_equal_chunks_of_one_document_are_all_kept(library: Library) -> None:
    await library.store([page("a", sections("cat", "cat", "cat"))])
    await library.store([page("a", sections("dog", "cat", "cat"))])
    assert await library.count() == (1, 3)
    await check_offsets(library, "a")


async def test_counts_of_many_changes_equal_a_fresh_space(library: Library, fresh: Library) -> None:
    random_ = random.Random(7)
    words = ["cat", "dog", "owl", "emu", "ant", "bee"]
    held: dict[str, str] = {}
    for _ in range(15):
        batch = {u: sections(*random_.choices(words, k=random_.randint(0, 4))) for u in "abc"}
        await library.store([page(uri, text) for uri, text in batch.items()])
        gone = random_.choice("abcd")
        await library.remove([gone])
        held = {uri: text for uri, text in (held | batch).items() if uri != gone}
    await fresh.store([page(uri, text) for uri, text in held.items()])
    assert await statistics(library) == await statistics(fresh)
    assert await library.count() == await fresh.count()
    await check_offsets(library, *held)


@pytest.mark.parametrize("change", [{"title": "Zebra"}, {"language": "de"}])
async def test_a_new_title_or_language_is_indexed(
    library: Library, fresh: Library, change: dict[str, str]
) -> None:
    await library.store([page("a", sections("cat", "dogs"), title="Yak")])
    [again] = await library.store([page("a", sections("cat", "dogs"), **{"title": "Yak"} | change)])
    await fresh.store([page("a", sections("cat", "dogs"), **{"title": "Yak"} | change)])
    assert again.outcome == "changed"
    assert await statistics(library) == await statistics(fresh)
    assert len(await texts(library, "zebra")) == (2 if "title" in change else 0)


async def test_removed_documents_leave_nothing(library: Library) -> None:
    await library.store([page("a", section("cat")), page("b", section("dog"))])
    assert await library.remove(["a", "b", "never"]) == 2
    assert await library.count() == (0, 0)
    assert await statistics(library) == (0, {})
    assert await chunk_rows(library) == {}
    assert await library.text("a") is None
    assert await texts(library, "cat dog") == []


async def test_the_later_of_two_doubles_wins(library: Library) -> None:
    stored = await library.store([page("a", section("cat")), page("a", section("dog"))])
    assert len(stored) == 1
    assert await library.text("a") == section("dog")


@pytest.mark.parametrize("text", ["", " \n", "---", "\0"])
async def test_a_document_without_words_has_no_chunks(library: Library, text: str) -> None:
    await library.store([page("a", text, language="")])
    assert await library.count() == (1, 0)
    assert await library.search("words", limit=3) is not None


async def test_tasks_that_store_the_same_leave_exact_counts(
    library: Library, fresh: Library
) -> None:
    batch = [page(f"u{i}", sections(*words)) for i, words in enumerate(["ab", "bc", "cd", "d"])]
    outcomes = await asyncio.gather(*(library.store(batch) for _ in range(8)))
    await fresh.store(batch)
    assert sum(one.outcome == "added" for stored in outcomes for one in stored) == len(batch)
    assert await library.count() == await fresh.count()
    assert await statistics(library) == await statistics(fresh)


async def test_tasks_that_change_and_remove_leave_exact_counts(
    library: Library, fresh: Library
) -> None:
    versions = [sections("cat", word) for word in ("dog", "owl", "emu", "ant")]
    await asyncio.gather(
        *(library.store([page("a", text), page("b", text)]) for text in versions),
        *(library.remove(["a"]) for _ in range(4)),
    )
    held = [(uri, await library.text(uri)) for uri in ("a", "b")]
    await fresh.store([page(uri, text) for uri, text in held if text is not None])
    assert await statistics(library) == await statistics(fresh)


async def test_spaces_of_one_user_stand_apart(library: Library, fresh: Library) -> None:
    await library.store([page("a", section("cat"))])
    await fresh.store([page("a", section("dog"))])
    assert await library.text("a") == section("cat")
    assert len(await texts(library, "dog")) == 0
    assert await (await open_library("never-used")).count() == (0, 0)


async def test_versions_are_those_at_or_below_the_roots(library: Library) -> None:
    await library.store(
        [page(uri, "Text.", version=uri) for uri in ("f:/a/b", "f:/a/b/c", "f:/a/bc", "f:/x")]
        + [page("f:/a/b/web", "Text.", connector="web")]
    )
    assert set(await library.versions("files", ["f:/a/b/"])) == {"f:/a/b/c"}
    assert set(await library.versions("files", ["f:/a", "f:/x"])) == {
        "f:/a/b", "f:/a/b/c", "f:/a/bc", "f:/x"
    }  # fmt: skip
