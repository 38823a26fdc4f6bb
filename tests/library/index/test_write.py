"""Storing: only what changed, exact offsets, exact counts."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from itertools import count, islice

import pytest
from library_pages import ask, chunk_rows, index, page, rows, section, sections, texts

from library.index import write as storing
from library.index.prepare import prepare_document
from library.library import Library, open_library
from retrieval.search.inverted_index import BLOCK_SIZE
from schema.documents import Document


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
        stored = await library.load_text(uri)
        assert stored is not None
        assert stored[start:end] == held


async def test_documents_are_added(library: Library) -> None:
    stored = await library.store([page("a", sections("cat", "dog")), page("b", section("owl"))])
    assert [(one.uri, one.outcome) for one in stored] == [("a", "added"), ("b", "added")]
    assert await library.count() == (2, 3)
    assert await library.load_text("a") == sections("cat", "dog")
    await check_offsets(library, "a", "b")


async def test_what_is_told_of_a_document_is_kept(library: Library) -> None:
    [stored] = await library.store(
        [page("u", "Text here.", title="T", author="A", site="S", url="http://u", published="2024")]
    )
    info = (await library.load_documents([stored.document, 10**15]))[stored.document]
    assert (info.uri, info.title, info.author, info.site) == ("u", "T", "A", "S")
    assert (info.url, info.published, info.language) == ("http://u", "2024", "en")


async def test_an_unchanged_document_costs_no_row(library: Library) -> None:
    await library.store([page("a", sections("cat", "dog"))])
    where = (
        "SELECT c.id, c.ctid::text FROM quire.chunks c JOIN quire.spaces s ON s.id = c.space_id "
        "WHERE s.name = %s ORDER BY c.id"
    )
    before = await rows(library, where, library.space), await index(library)
    [again] = await library.store([page("a", sections("cat", "dog"), version="2")])
    assert again.outcome == "unchanged"
    assert (await rows(library, where, library.space), await index(library)) == before
    assert await library.load_versions("files", ["a"]) == {"a": "2"}


async def test_unchanged_chunks_keep_their_rows(library: Library) -> None:
    await library.store([page("a", sections("ant", "cat", "dog", "owl"))])
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


async def test_a_chunk_that_is_no_longer_the_opening_is_none(
    library: Library, fresh: Library
) -> None:
    await library.store([page("a", sections("cat", "dog"))])
    await library.store([page("a", sections("owl", "cat", "dog"))])
    await fresh.store([page("a", sections("owl", "cat", "dog"))])
    assert await index(library) == await index(fresh)


async def test_equal_chunks_of_one_document_are_all_kept(library: Library) -> None:
    await library.store([page("a", sections("cat", "cat", "cat"))])
    await library.store([page("a", sections("dog", "cat", "cat"))])
    assert await library.count() == (1, 3)
    await check_offsets(library, "a")


def python_code(words: Sequence[str]) -> str:
    """A source file with one function, and one chunk, per word."""
    body = "".join(f"    total += {number} * step  # counted\n" for number in range(20))
    return "".join(
        f"def {word}(step):\n    import shelf.rake\n\n    total = rake_{word}()\n"
        f"{body}    return total\n\n\n"
        for word in words
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8])
async def test_all_that_many_changes_leave_equals_a_fresh_space(
    library: Library, fresh: Library, seed: int
) -> None:
    random_ = random.Random(seed)
    words = ["cat", "dog", "owl", "emu", "ant", "bee"]
    held: dict[str, Document] = {}
    for _ in range(12):
        batch = {}
        for uri in ("a", "b", "file:///c.py"):
            chosen = random_.choices(words, k=random_.randint(0, 4))
            text = python_code(chosen) if uri.endswith("py") else sections(*chosen)
            batch[uri] = page(
                uri,
                text + random_.choice(["", "\n[x](http://other) [[Wiki Page]]\n"]),
                title=random_.choice(["", "Red Heron", "Herons of the north", "readFile"]),
                language=random_.choice(["en", "de"]),
                aliases=random_.choice([(), ("One", "Two"), ("Red heron",)]),
                links=random_.choice([(), ("http://more",)]),
            )
        await library.store(list(batch.values()))
        gone = random_.choice(["a", "b", "d"])
        await library.remove([gone])
        held = {uri: document for uri, document in (held | batch).items() if uri != gone}
    await fresh.store(list(held.values()))
    assert await index(library) == await index(fresh)
    assert await library.count() == await fresh.count()
    await check_offsets(library, *held)


async def test_a_file_is_defined_by_its_first_chunk_whichever_that_is(
    library: Library, fresh: Library
) -> None:
    for words in (["cat", "dog", "owl"], ["dog", "owl"], ["bee", "dog", "owl"]):
        await library.store([page("file:///shelf.py", python_code(words))])
        modules = await rows(
            library,
            "SELECT c.start_offset FROM quire.symbols x JOIN quire.chunks c ON c.id = x.chunk_id "
            "JOIN quire.spaces s ON s.id = x.space_id WHERE s.name = %s AND x.kind = 'module'",
            library.space,
        )
        assert modules == [(0,)]
    await fresh.store([page("file:///shelf.py", python_code(["bee", "dog", "owl"]))])
    assert await index(library) == await index(fresh)


@pytest.mark.parametrize("change", [{"title": "Zebra"}, {"language": "de"}])
async def test_a_new_title_or_language_is_indexed(
    library: Library, fresh: Library, change: dict[str, str]
) -> None:
    await library.store([page("a", sections("cat", "dogs"), title="Yak")])
    [again] = await library.store([page("a", sections("cat", "dogs"), **{"title": "Yak"} | change)])
    await fresh.store([page("a", sections("cat", "dogs"), **{"title": "Yak"} | change)])
    assert again.outcome == "changed"
    assert await index(library) == await index(fresh)
    assert len(await texts(library, "zebra")) == (2 if "title" in change else 0)


async def test_removed_documents_leave_nothing(library: Library) -> None:
    await library.store(
        [
            page("a", section("cat"), title="Cat", aliases=("Tom",), links=("b",)),
            page("b", section("dog")),
            page("file:///c.py", python_code(["owl"])),
        ]
    )
    assert await library.remove(["a", "b", "file:///c.py", "never"]) == 3
    assert await library.count() == (0, 0)
    assert await index(library) == ((0, 0, {}), Counter(), Counter())
    for table in ("documents", "names", "links", "chunks", "symbols", "postings"):
        query = f"SELECT 1 FROM quire.{table} t JOIN quire.spaces s ON s.id = t.space_id"
        assert await rows(library, f"{query} WHERE s.name = %s", library.space) == []
    assert await chunk_rows(library) == {}
    assert await library.load_text("a") is None
    assert await texts(library, "cat dog") == []


async def test_the_later_of_two_doubles_wins(library: Library) -> None:
    stored = await library.store([page("a", section("cat")), page("a", section("dog"))])
    assert len(stored) == 1
    assert await library.load_text("a") == section("dog")


@pytest.mark.parametrize("text", ["", " \n", "---", "\0"])
async def test_a_document_without_words_has_no_chunks(library: Library, text: str) -> None:
    await library.store([page("a", text, language="")])
    assert await library.count() == (1, 0)
    assert await ask(library, "words", limit=3) is not None


async def test_tasks_that_store_the_same_leave_exact_counts(
    library: Library, fresh: Library
) -> None:
    batch = [page(f"u{i}", sections(*words)) for i, words in enumerate(["ab", "bc", "cd", "d"])]
    outcomes = await asyncio.gather(*(library.store(batch) for _ in range(8)))
    await fresh.store(batch)
    assert sum(one.outcome == "added" for stored in outcomes for one in stored) == len(batch)
    assert await library.count() == await fresh.count()
    assert await index(library) == await index(fresh)


async def test_tasks_that_change_and_remove_leave_exact_counts(
    library: Library, fresh: Library
) -> None:
    versions = [sections("cat", word) for word in ("dog", "owl", "emu", "ant")]
    await asyncio.gather(
        *(library.store([page("a", text), page("b", text)]) for text in versions),
        *(library.remove(["a"]) for _ in range(4)),
    )
    held = [(uri, await library.load_text(uri)) for uri in ("a", "b")]
    await fresh.store([page(uri, text) for uri, text in held if text is not None])
    assert await index(library) == await index(fresh)


async def test_spaces_of_one_user_stand_apart(library: Library, fresh: Library) -> None:
    await library.store([page("a", section("cat"))])
    await fresh.store([page("a", section("dog"))])
    assert await library.load_text("a") == section("cat")
    assert len(await texts(library, "dog")) == 0
    assert await (await open_library("never-used")).count() == (0, 0)


async def test_versions_are_those_at_or_below_the_roots(library: Library) -> None:
    await library.store(
        [page(uri, "Text.", version=uri) for uri in ("f:/a/b", "f:/a/b/c", "f:/a/bc", "f:/x")]
        + [page("f:/a/b/web", "Text.", connector="web")]
    )
    assert set(await library.load_versions("files", ["f:/a/b/"])) == {"f:/a/b/c"}
    assert set(await library.load_versions("files", ["f:/a", "f:/x"])) == {
        "f:/a/b", "f:/a/b/c", "f:/a/bc", "f:/x"
    }  # fmt: skip


async def languages(library: Library) -> dict[str, int]:
    query = "SELECT languages FROM quire.spaces WHERE name = %s"
    [(held,)] = await rows(library, query, library.space)
    return dict(held)


async def test_languages_are_counted_and_forgotten(library: Library) -> None:
    await library.store([page(uri, "Text.", language=uri[0:2]) for uri in ("en1", "en2", "de1")])
    assert await languages(library) == {"en": 2, "de": 1}
    await library.store([page("en2", "Text.", language="fr")])
    assert await languages(library) == {"en": 1, "fr": 1, "de": 1}
    await library.remove(["de1"])
    assert await languages(library) == {"en": 1, "fr": 1}
    await library.store([page("en2", "Other text.", language="fr")])
    assert await languages(library) == {"en": 1, "fr": 1}


async def test_a_posting_takes_four_bytes(library: Library) -> None:
    await library.store([page(uri, f"heron fish {uri}") for uri in ("a1", "b1", "c1")])
    query = (
        "SELECT octet_length(entries), count(*) FROM quire.postings p JOIN quire.spaces s "
        "ON s.id = p.space_id WHERE s.name = %s AND field = 0 GROUP BY 1 ORDER BY 1"
    )
    assert await rows(library, query, library.space) == [(4, 3), (12, 2)]


async def test_ids_beyond_every_small_number_are_indexed_and_removed(
    library: Library, fresh: Library
) -> None:
    """As in a library of long use; ids of chunks and documents are 64 bits wide."""
    documents = [page("a", section("cat"), title="Cat"), page("b", section("dog"), title="Dog")]
    prepared = [prepare_document(document) for document in documents]
    async with library.connect() as connection:
        ids = count(2**31 + 3 * BLOCK_SIZE - 1)

        async def new_ids(_: object, table: str, wanted: int) -> list[int]:
            return list(islice(ids, wanted))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(storing, "_draw_ids", new_ids)
            await storing.store_documents(connection, library.user, library.space, prepared)
    await fresh.store(documents)
    assert await index(library) == await index(fresh)
    assert await texts(library, "dog") == [section("dog").strip()]
    await library.store([page("a", section("owl"), title="Owl")])
    await library.remove(["b"])
    await fresh.store([page("a", section("owl"), title="Owl")])
    await fresh.remove(["b"])
    assert await index(library) == await index(fresh)


@pytest.mark.slow
async def test_storing_and_searching_at_once_end_as_a_fresh_space(
    library: Library, fresh: Library
) -> None:
    words = ["cat", "dog", "owl", "emu", "ant", "bee"]
    versions = [[words[(turn + place) % 6] for place in range(3)] for turn in range(6)]
    done = asyncio.Event()

    async def write() -> None:
        for chosen in versions:
            batch = [page(f"u{i}", sections(*chosen), title=chosen[i]) for i in range(3)]
            await asyncio.gather(library.store(batch), library.remove(["u2"]))
        done.set()

    async def read() -> int:
        found = 0
        while not done.is_set():
            hits = (await ask(library, "cat dog owl bee", limit=5, mode="documents")).hits
            held = await library.load_passages([hit.chunk for hit in hits])
            assert all(0 <= hit.score <= 1 for hit in hits)
            found += len(held)
        return found

    _, *found = await asyncio.gather(write(), read(), read())
    assert sum(found)
    held = [(uri, await library.load_text(uri)) for uri in ("u0", "u1", "u2")]
    await fresh.store(
        [
            page(uri, text, title=versions[-1][place])
            for place, (uri, text) in enumerate(held)
            if text is not None
        ]
    )
    assert await index(library) == await index(fresh)
