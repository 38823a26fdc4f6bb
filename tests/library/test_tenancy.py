"""A user who knows every id and name of another's rows gets at none, whoever connects.

Row-level security and the statements themselves each say whose a row is; the kind "unguarded" has
the first switched off. `test_statements.py` looks at every statement.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from library_pages import ask, page, section
from meanings import speaking
from saved_reports import MATERIAL, RUN, report
from served_databases import KINDS, served
from tenants import everything, filled

from library.index.folders import load_folder, refresh_folders
from library.library import Library, open_library
from library.memory import recall
from library.synced_sources import SyncedSource
from schema.errors import LibraryError
from schema.search import RETRIEVERS, Boost, Filters


@pytest.fixture(params=KINDS)
async def opened(
    request: pytest.FixtureRequest, data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[None]:
    async with served(request.param, data_dir, space.replace("-", "_"), monkeypatch):
        yield


@pytest.fixture
async def ann(opened: None) -> Library:
    """A user with something of everything."""
    return await filled("ann")


@pytest.fixture
async def bob(opened: None) -> Library:
    """Another one, in a space of the same name, who has nothing there."""
    return await open_library("notes", "bob")


async def test_nothing_is_listed(ann: Library, bob: Library) -> None:
    assert await bob.list_reports() == []
    assert await bob.list_report_versions("ann-cats") == []
    assert await bob.list_sources() == []
    assert await bob.count() == (0, 0)
    assert await bob.open_part("web").count() == (0, 0)
    assert await load_folder(bob) is None
    assert await load_folder(bob, "files") is None
    assert await bob.look_up("Cats") == []
    assert await bob.load_versions("files", ["file:///"]) == {}
    assert await bob.find_stored(["file:///cat.md"]) == {}


async def test_nothing_is_read(ann: Library, bob: Library) -> None:
    hits = (await ask(ann, "cat")).hits
    chunks, documents = [hit.chunk for hit in hits], [hit.document for hit in hits]
    assert chunks
    for library in (bob, await filled("bob")):
        assert await library.load_report("ann-cats") is None
        assert await library.load_passages(chunks) == {}
        assert await library.load_layouts(documents) == {}
        assert await library.load_links(documents) == {}
        assert await library.load_documents(documents) == {}
        assert await library.load_spans([(one, 0, 100) for one in documents]) == [""] * len(
            documents
        )
        assert await library.find_chunks_over([(one, 0, 100) for one in documents]) == {}
    assert await bob.load_text("file:///cat.md") == await ann.load_text("file:///cat.md")
    assert await bob.load_text("file:///other.md") is None
    assert (await bob.load_source("files", "/shelf")).root == "file:///"  # of his own, filled above


async def test_nothing_is_found(ann: Library, bob: Library) -> None:
    hits = (await ask(ann, "cat")).hits
    filters = Filters(documents=[hit.document for hit in hits])
    for library in (bob, speaking(bob)):
        for options in (
            {"filters": filters},
            {
                "walk_depth": 2,
                "near_symbol": "cat_code",
                "retrievers": RETRIEVERS,
                "boosts": get_args(Boost),
            },
            {"mode": "documents", "hierarchy": True},
        ):
            assert (await ask(library, "cat", **options)).hits == []
    assert await recall(bob, "memory", ["How do grey herons fish?"], 100) == []


async def test_nothing_is_changed(ann: Library, bob: Library) -> None:
    before = await everything(ann)
    with pytest.raises(LibraryError, match="taken"):
        await bob.save_report(report("ann-cats", title="Mine"), MATERIAL, "", RUN)
    with pytest.raises(LibraryError, match="revised or removed"):
        await bob.save_version(report("ann-cats", 2, title="Mine"), MATERIAL, "shorter")
    await bob.note_run("ann-cats", {"context": {"space": "stolen"}})
    await bob.update_source(SyncedSource(connector="files", location="/shelf", failure="mine"))
    assert await bob.embed_missing() == await refresh_folders(bob) == 0
    assert await everything(ann) == before
    await filled("bob")
    await bob.store([page("file:///cat.md", section("dog"), title="Cats")])
    assert await everything(ann) == before


async def test_nothing_is_deleted(ann: Library, bob: Library) -> None:
    before = await everything(ann)
    assert await bob.remove_report("ann-cats") == 0
    assert await bob.remove(["file:///cat.md"]) == 0
    assert await bob.open_part("memory").remove(["r"]) == 0
    assert await bob.open_part("web").remove_fetched_before(datetime.now(UTC), 9) == 0
    assert await bob.remove_source("files", "/shelf") is None
    assert await everything(ann) == before


async def test_two_users_run_through_everything_side_by_side(ann: Library) -> None:
    """A space of each name, the same uris, and each sees its own."""
    before = await everything(ann)
    theirs = await filled("bob")
    assert (await everything(theirs))[0] == before[0]
    await theirs.remove_source("files", "/shelf")
    await theirs.remove_report("bob-cats")
    assert await everything(ann) == before
