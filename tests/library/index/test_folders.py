"""The tree: what its folders say, and that it is so again after every change below them."""

import asyncio
from collections.abc import Sequence

import pytest
from library_pages import page, rows

from library.database.spaces import lock_space
from library.index import folders as tree
from library.index.folders import list_ancestors, load_folder, mark_stale, refresh_folders
from library.index.prepare import prepare_document
from library.index.write import store_documents
from library.library import Library
from schema.documents import Document

WIND = "The wind turns the blades of the mill."
COAL = "Coal burns in the furnace of the works."


def note(path: str, text: str = WIND, title: str = "") -> Document:
    return page(f"file:///{path}", text, title=title or path.rpartition("/")[2])


async def put(library: Library, *documents: Document, gone: Sequence[str] = ()) -> None:
    """Store and remove documents; the folders above them are marked."""
    paths = [f"files/{document.uri.removeprefix('file:///')}" for document in documents]
    paths += [f"files/{path}" for path in gone]
    await library.store(documents)
    await library.remove([f"file:///{path}" for path in gone])
    async with library.connect() as connection:
        space = await lock_space(connection, library.user, library.space)
        await mark_stale(connection, space, paths)


async def said(library: Library) -> dict[str, tuple[object, ...]]:
    """Everything that the tree says, by path."""
    found = await rows(
        library,
        "SELECT f.path, f.parent, f.documents, f.abstract, f.overview, f.stale "
        "FROM quire.folders f JOIN quire.spaces s ON s.id = f.space_id WHERE s.name = %s",
        library.space,
    )
    return {row[0]: tuple(row[1:]) for row in found}


async def speaks(library: Library, word: str) -> list[str]:
    """Folders whose overview has a word."""
    return sorted(path for path, row in (await said(library)).items() if word in str(row[3]))


def test_ancestors_are_the_folders_above() -> None:
    assert list_ancestors("files/notes/a.md") == ["files/notes", "files"]
    assert list_ancestors("a.md") == []


async def test_folders_say_what_they_hold_at_every_level(library: Library) -> None:
    await put(library, note("notes/mill.md", title="The mill"), note("notes/old/coal.md", COAL))
    assert await refresh_folders(library) == 3
    folders = await said(library)
    assert folders["files/notes/old"] == (
        "files/notes", 1, "old: Coal, burns, furnace, md, works. coal.md",
        "# old\n\nDocuments: 1, folders: 0.\n\nCoal (1), burns (1), furnace (1), md (1), works (1)"
        "\n\n- coal.md: Coal burns in the furnace of the works.", False,
    )  # fmt: skip
    assert folders["files/notes"][:2] == ("files", 1)
    assert "- old: Coal, burns, furnace" in str(folders["files/notes"][3])
    assert "- The mill: The wind turns the blades" in str(folders["files/notes"][3])
    assert folders["files"][:2] == ("", 0)
    assert {"furnace", "blades"} <= set(str(folders["files"][2]).replace(",", " ").split())


@pytest.mark.parametrize(
    ("before", "after", "gone", "word", "speaking"),
    [
        ([note("a/b/mill.md")], [note("a/b/coal.md", COAL)], [], "furnace", "files a a/b"),
        ([note("a/b/m.md", title="Sails")], [note("a/b/m.md", title="Rotors")], [], "Rotors",
         "files a a/b"),
        ([note("a/b/m.md", title="Sails")], [note("a/b/m.md", title="Rotors")], [], "Sails", ""),
        ([note("a/mill.md"), note("b/coal.md", COAL)], [note("b/mill.md")], ["a/mill.md"],
         "blades", "files b"),
        ([note("a/b/mill.md"), note("a/b/coal.md", COAL)], [], ["a/b/coal.md"], "furnace", ""),
        ([note("a/b/mill.md"), note("a/b/coal.md", COAL)], [], ["a/b/coal.md"], "blades",
         "files a a/b"),
    ],
    ids=["added", "renamed", "former name", "moved", "removed", "what is left"],
)  # fmt: skip
async def test_a_change_shows_at_all_levels(
    library: Library,
    before: list[Document],
    after: list[Document],
    gone: list[str],
    word: str,
    speaking: str,
) -> None:
    await put(library, *before)
    await refresh_folders(library)
    await put(library, *after, gone=gone)
    await refresh_folders(library)
    folders = [f"files/{name}" if name != "files" else name for name in speaking.split()]
    assert await speaks(library, word) == folders


async def test_folders_that_hold_nothing_any_more_are_removed(library: Library) -> None:
    await put(library, note("a/b/c/mill.md"), note("a/coal.md", COAL))
    await refresh_folders(library)
    await put(library, gone=["a/b/c/mill.md"])
    assert await refresh_folders(library) == 4
    assert (await said(library)).keys() == {"files", "files/a"}
    await put(library, gone=["a/coal.md"])
    await refresh_folders(library)
    assert await said(library) == {}


async def test_only_folders_above_a_change_are_described_anew(library: Library) -> None:
    await put(library, note("a/mill.md"), note("b/coal.md", COAL))
    assert await refresh_folders(library) == 3
    assert await refresh_folders(library) == 0
    await put(library, note("b/ash.md", COAL))
    assert await refresh_folders(library) == 2


async def test_of_many_children_a_sample_speaks_and_the_rest_is_counted(library: Library) -> None:
    await put(library, *(note(f"a/n{i:02}.md") for i in range(40)))
    await refresh_folders(library)
    before = (await said(library))["files/a"]
    assert before[1] == 40
    assert "Documents: 40, folders: 0, left out here: 8." in str(before[3])
    assert str(before[3]).count("\n- ") == tree.SAMPLED_CHILDREN
    await put(library, note("a/another.md"))
    await refresh_folders(library)
    after = (await said(library))["files/a"]
    assert "left out here: 9." in str(after[3])
    lines = {line for line in str(before[3]).splitlines() if line.startswith("- ")}
    assert len(lines - set(str(after[3]).splitlines())) <= 1


async def test_folders_come_before_documents_in_a_sample(library: Library) -> None:
    subfolders = [note(f"a/sub{i}/coal.md", COAL) for i in range(9)]
    await put(library, *(note(f"a/n{i:02}.md") for i in range(40)), *subfolders)
    await refresh_folders(library)
    overview = str((await said(library))["files/a"][3])
    assert "Documents: 40, folders: 9, left out here: 17." in overview
    assert all(f"\n- sub{i}: " in overview for i in range(9))


@pytest.mark.slow
async def test_the_tree_is_the_same_however_it_came_about(
    library: Library, fresh: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = [note(f"{i % 3}/{i % 7}/n{i}.md", f"Note {i}. {WIND}") for i in range(50)]
    notes += [note(f"many/n{i}.md", COAL) for i in range(40)]
    await put(library, *notes)
    await refresh_folders(library)
    monkeypatch.setattr(tree, "FOLDERS_PER_TRANSACTION", 2)
    for one in reversed(notes):
        await put(fresh, one)
    await refresh_folders(fresh)
    assert await said(fresh) == await said(library)
    assert not any(row[4] for row in (await said(fresh)).values())


@pytest.mark.slow
async def test_writers_and_refreshers_at_once_leave_a_tree_that_is_true(
    library: Library, fresh: Library
) -> None:
    notes = [note(f"{i % 4}/n{i}.md", f"Note {i}. {WIND}") for i in range(24)]
    await put(library, notes[0])
    await asyncio.gather(
        *(put(library, one) for one in notes[1:]), *(refresh_folders(library) for _ in range(6))
    )
    await refresh_folders(library)
    await put(fresh, *notes)
    await refresh_folders(fresh)
    assert await said(library) == await said(fresh)


async def test_a_refresh_ends_where_another_process_was_quicker(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ten(*_: object) -> list[tuple[int]]:
        return [(10,)]

    await put(library, note("a/mill.md"))
    monkeypatch.setattr(library, "fetch", ten)
    assert await asyncio.wait_for(refresh_folders(library), 10) == 2


async def test_a_refresh_waits_for_a_writer_of_the_space(library: Library) -> None:
    await put(library, note("a/mill.md"))
    async with library.connect() as connection:
        space = await lock_space(connection, library.user, library.space)
        refreshing = asyncio.create_task(refresh_folders(library))
        await asyncio.sleep(0.3)
        assert not refreshing.done()
        await store_documents(
            connection, library.user, library.space, [prepare_document(note("a/coal.md", COAL))]
        )
        await mark_stale(connection, space, ["files/a/coal.md"])
    await refreshing
    await refresh_folders(library)
    assert await speaks(library, "furnace") == ["files", "files/a"]


@pytest.mark.parametrize("name", ["a_", "a%", "a'b", "a\\", "a b", "ä 文", "a!", "a0", "A"])
async def test_a_folder_s_name_may_be_anything(library: Library, name: str) -> None:
    await put(library, note(f"{name}/mill.md"), note("a/coal.md", COAL), note("a1", "Snow fell."))
    await refresh_folders(library)
    assert await speaks(library, "Snow") == ["files"]
    assert await speaks(library, "blades") == ["files", f"files/{name}"]
    assert await speaks(library, "furnace") == ["files", "files/a"]


async def test_a_document_may_be_called_like_a_folder(library: Library) -> None:
    await put(library, note("a"), note("a/b", COAL))
    await refresh_folders(library)
    found = await load_folder(library, "files")
    assert found
    assert [(one.path, one.document is None) for one in found.children] == [
        ("files/a", True),
        ("files/a", False),
    ]


async def test_a_folder_is_looked_into_a_page_at_a_time(library: Library) -> None:
    await put(library, note("a/z/mill.md"), *(note(f"a/n{i}.md", title=f"N {i}") for i in range(5)))
    await refresh_folders(library)
    first = await load_folder(library, "files/a", limit=3)
    rest = await load_folder(library, "files/a", offset=3, limit=10)
    assert first
    assert rest
    assert (first.documents, first.folders) == (5, 1)
    assert first.abstract.startswith("a: ")
    assert first.overview.startswith("# a\n")
    assert [one.path for one in first.children] == ["files/a/z", "files/a/n0.md", "files/a/n1.md"]
    assert first.children[0].text.startswith("z: ")
    assert [one.title for one in first.children[1:] + rest.children] == [f"N {i}" for i in range(5)]


async def test_the_uppermost_folders_stand_in_the_library(library: Library) -> None:
    await put(library, note("a/mill.md"))
    await refresh_folders(library)
    found = await load_folder(library, "")
    assert found
    assert [one.path for one in found.children] == ["files"]
    assert await load_folder(library, "files/nowhere") is None


async def test_an_unknown_space_has_nothing_to_refresh(library: Library) -> None:
    assert await refresh_folders(library) == 0
    assert await rows(library, "SELECT FROM quire.spaces WHERE name = %s", library.space) == []
