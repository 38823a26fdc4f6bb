"""A library of the first layout, opened by today's code."""

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from library_pages import index, page, rows, uris
from psycopg import sql

from library.database import embedded_postgres
from library.database.connections import close_databases
from library.library import open_library

FIRST_LAYOUT = Path(__file__).with_name("first_layout.sql").read_text()

PAGES = {
    "file:///heron.md": ("Herons", "en", "Herons were fishing in the shallow water."),
    "file:///haus.md": ("Häuser", "de", "Die Häuser stehen an den Straßen der Stadt."),
}


@pytest.fixture(params=["superuser", "owner"])
async def old(
    request: pytest.FixtureRequest,
    data_dir: Path,
    space: str,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[None]:
    """A database of the first layout, used by its server's superuser or by its owner alone."""
    name = space.replace("-", "_")
    admin = embedded_postgres.start_server(data_dir)
    async with await psycopg.AsyncConnection.connect(admin, autocommit=True) as connection:
        for command in ("CREATE ROLE {0} LOGIN", "CREATE DATABASE {0} OWNER {0}"):
            await connection.execute(sql.SQL(command).format(sql.Identifier(name)))
    here = psycopg.conninfo.make_conninfo(admin, dbname=name)
    async with await psycopg.AsyncConnection.connect(here) as connection:
        await connection.execute("CREATE EXTENSION vector")
    if request.param == "owner":
        here = psycopg.conninfo.make_conninfo(here, user=name)
    async with await psycopg.AsyncConnection.connect(here) as connection:
        await connection.execute(FIRST_LAYOUT.encode())
    monkeypatch.setenv("QUIRE_DATABASE_URL", here)
    yield
    await close_databases()


async def test_documents_of_the_first_layout_stay(old: None) -> None:
    library = await open_library("old", "ann")
    assert await library.count() == (2, 0)
    assert await library.load_text("file:///heron.md") == PAGES["file:///heron.md"][2]
    told = await rows(
        library, "SELECT title, author, published, path, superseded FROM quire.documents ORDER BY 1"
    )
    assert told == [(title, "An Author", "2024", "", False) for title, _, _ in PAGES.values()]
    assert await uris(library, "herons") == []


async def test_every_document_is_to_be_read_again(old: None) -> None:
    library = await open_library("old", "ann")
    assert await rows(library, "SELECT DISTINCT hash, version FROM quire.documents") == [("", "")]
    assert set((await library.load_versions("files", ["file:///heron.md"])).values()) == {""}


async def test_the_next_store_indexes_them_again(old: None) -> None:
    library, fresh = await open_library("old", "ann"), await open_library("fresh", "ann")
    ids = await rows(library, "SELECT uri, id FROM quire.documents ORDER BY 1")
    documents = [
        page(uri, text, title=title, language=language, version="v1")
        for uri, (title, language, text) in PAGES.items()
    ]
    assert {one.outcome for one in await library.store(documents)} == {"changed"}
    await fresh.store(documents)
    assert await index(library) == await index(fresh)
    query = "SELECT d.uri, d.id FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id"
    assert await rows(library, f"{query} WHERE s.name = 'old' ORDER BY 1") == ids
    assert await uris(library, "a heron fishes") == ["file:///heron.md"]
    assert await uris(library, "Haus") == ["file:///haus.md"]
    await library.remove(list(PAGES))
    await fresh.remove(list(PAGES))
    assert await index(library) == await index(fresh)


async def test_users_stand_apart_as_before(old: None) -> None:
    ann, bob = await open_library("old", "ann"), await open_library("old", "bob")
    assert await bob.count() == (1, 0)
    assert await rows(ann, "SELECT count(*) FROM quire.documents") == [(2,)]
    assert await rows(bob, "SELECT uri, hash FROM quire.documents") == [("file:///owl.md", "")]


async def test_the_tables_are_those_of_a_new_library(old: None, space: str) -> None:
    columns = (
        "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
        "WHERE table_schema = 'quire' ORDER BY 1, 2"
    )
    upgraded = await rows(await open_library("old", "ann"), columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("QUIRE_DATABASE_URL")
        new = await rows(await open_library(space), columns)
    assert upgraded == new
