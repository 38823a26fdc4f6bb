"""The rows of the inverted index: a common word's are not written anew by every batch."""

from itertools import count, islice
from pathlib import Path

import psycopg
import pytest
from library_pages import index, page, rows, section, texts
from served_databases import served

from library.database.connections import close_databases
from library.index import write as storing
from library.index.prepare import prepare_document
from library.library import Library, open_library
from retrieval.search.inverted_index import BLOCK_SIZE
from schema.documents import Document


async def test_a_common_word_gets_rows_of_its_own_span_and_a_rare_one_one_a_block(
    library: Library, fresh: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = [page(f"a{n}", section("cat" if n else "emu")) for n in range(12)]
    second = [page(f"b{n}", section("cat" if n else "emu")) for n in range(12)]
    for documents, start in ((first, 10 * BLOCK_SIZE), (second, 11 * BLOCK_SIZE - 100)):
        await store_at(library, documents, start, monkeypatch)
    await fresh.store([*first, *second])
    query = (
        "SELECT p.segment, octet_length(p.entries) FROM quire.postings p "
        "JOIN quire.spaces s ON s.id = p.space_id WHERE s.name = %s AND p.field = 0 "
        "AND octet_length(p.entries) IN (8, 44)"
    )
    found = await rows(library, query, library.space)
    assert {row for row in found if row[1] == 44} == {(0, 44), (3, 44)}  # 11 entries each
    assert {row for row in found if row[1] == 8} == {(0, 8)}
    assert await index(library) == await index(fresh)
    await library.remove(["a3", *[f"b{n}" for n in range(12)]])
    await fresh.remove(["a3", *[f"b{n}" for n in range(12)]])
    assert await index(library) == await index(fresh)
    assert (0, 40) in await rows(library, query.replace("8, 44", "40"), library.space)


async def store_at(
    library: Library,
    documents: list[Document],
    start: int,
    patch: pytest.MonkeyPatch,
    *,
    more_follow: bool = False,
) -> None:
    """Store documents whose rows get the ids from a number on."""
    ids = count(start)

    async def new_ids(_: object, table: str, wanted: int) -> list[int]:
        return list(islice(ids, wanted))

    with patch.context() as inside:
        inside.setattr(storing, "_draw_ids", new_ids)
        async with library.connect() as connection:
            prepared = [prepare_document(document) for document in documents]
            await storing.store_documents(
                connection, library.user, library.space, prepared, more_follow=more_follow
            )


async def test_a_library_from_before_segments_is_carried_forward(
    data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served("superuser", data_dir, space.replace("-", "_"), monkeypatch) as admin:
        library = await open_library(space)
        await library.store([page(f"a{n}", section("cat")) for n in range(12)])
        before = await index(library)
        await close_databases()
        async with await psycopg.AsyncConnection.connect(admin) as connection:
            await connection.execute(
                "ALTER TABLE quire.postings DROP CONSTRAINT postings_pkey, DROP COLUMN segment, "
                "ADD PRIMARY KEY (space_id, field, term, block)"
            )
            await connection.execute("COMMENT ON SCHEMA quire IS 'an older one'")
        library = await open_library(space)
        assert await index(library) == before
        assert len(await texts(library, "cat")) > 0
        await library.store([page("b", section("cat")), page("a0", section("owl"))])
        assert await texts(library, "owl") == [section("owl").strip()]
        assert await library.remove(["b", *[f"a{n}" for n in range(12)]]) == 13
        assert await rows(library, "SELECT term FROM quire.postings WHERE space_id > %s", 0) == []
