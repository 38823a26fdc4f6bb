"""A document's text from its chunks and what stands outside of them."""

from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from library_pages import index, page, rows, section, sections
from served_databases import served

from library.database.connections import close_databases
from library.document_texts import StoredText, cut_rest
from library.library import Library, open_library
from schema.documents import Chunk

CODE = "\n\n".join(f"def bird_{n}(egg):\n\n    return {'egg + ' * 40}{n}\n" for n in range(9))
FRAMED = f"\n\n  {sections('cat', 'dog')}\n\n----\n\n{section('ö🏚水')}\n\n***\n"


@given(st.text(max_size=30), st.lists(st.integers(0, 30)), st.integers(-1, 32), st.integers(-1, 32))
def test_any_span_of_any_text_cut_anywhere_is_read(
    text: str, cuts: list[int], first: int, last: int
) -> None:
    places = sorted({cut for cut in cuts if cut <= len(text)})
    pairs = list(zip(places[::2], places[1::2], strict=False))
    chunks = [Chunk(start=a, end=b, text=text[a:b], heading="", kind="body") for a, b in pairs]
    stored = StoredText(cut_rest(text, chunks), [(a, b, text[a:b]) for a, b in pairs])
    assert stored.read(first, last) == text[max(0, first) : max(0, last)]
    assert len(stored.read(0, 10**9)) == len(text)


@pytest.mark.parametrize(("uri", "text"), [("a.md", FRAMED), ("file:///a.py", CODE), ("b", " \n")])
async def test_a_text_is_read_as_it_was_and_its_characters_stand_in_one_place(
    library: Library, uri: str, text: str
) -> None:
    await library.store([page(uri, text)])
    assert await library.load_text(uri) == text
    [(rest, kept)] = await rows(
        library,
        "SELECT d.rest, (SELECT coalesce(sum(length(c.text)), 0) FROM quire.chunks c "
        "WHERE c.document_id = d.id) FROM quire.documents d "
        "JOIN quire.spaces s ON s.id = d.space_id WHERE s.name = %s",
        library.space,
    )
    assert len(rest) + kept == len(text)
    await library.store([page(uri, "New text."), page("other", text)])
    assert await library.load_text(uri) == "New text."


@pytest.mark.slow
async def test_a_library_of_whole_texts_is_carried_forward(
    data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As its owner, whom policies bind, and for every user."""
    async with served("owner", data_dir, space.replace("-", "_"), monkeypatch) as admin:
        texts = {"a.md": FRAMED, "file:///a.py": CODE, "c": " \n", "d": ""}
        libraries = [await open_library(space, user) for user in ("ann", "bob")]
        for library in libraries:
            await library.store([page(uri, text) for uri, text in texts.items()])
        before = [await index(library) for library in libraries]
        await close_databases()
        async with await psycopg.AsyncConnection.connect(admin) as connection:
            await connection.execute(
                "ALTER TABLE quire.documents ADD text text NOT NULL DEFAULT ''"
            )
            for uri, text in texts.items():
                await connection.execute(
                    "UPDATE quire.documents SET text = %s WHERE uri = %s", (text, uri)
                )
            await connection.execute("ALTER TABLE quire.documents DROP rest, DROP bytes")
            await connection.execute("COMMENT ON SCHEMA quire IS 'an older one'")
        for user, known in zip(("ann", "bob"), before, strict=True):
            library = await open_library(space, user)
            assert {uri: await library.load_text(uri) for uri in texts} == texts
            assert await index(library) == known
            sizes = await rows(
                library, "SELECT uri, bytes FROM quire.documents WHERE uri <> %s", ""
            )
            assert dict(sizes) == {uri: len(text.encode()) for uri, text in texts.items()}
            await library.store([page("a.md", section("owl"))])
            assert await library.load_text("a.md") == section("owl")
