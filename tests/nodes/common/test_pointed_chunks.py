"""The passages that a sentence points to, of pages in a library."""

from pathlib import Path

import pytest
from stored_pages import list_documents, store_pages

from graphs.ingest import graph as ingest_graph
from library.library import Library, open_library
from nodes.common.pointed_chunks import (
    PART_CHARACTERS,
    STRETCH_CHARACTERS,
    choose_pointed_chunks,
    find_pointed_parts,
)
from schema.context import Context

FILLER = "A belt hums in the wind of the hall, and nobody minds. " * 12


@pytest.fixture
async def manuals(space: str, tmp_path: Path) -> tuple[Library, list[int]]:
    """A library with the manuals of two machines, and the ids of these, by title."""
    for name in ("Loom", "Pump"):
        parts = [f"# {name} Manual", f"The {name} runs. {FILLER}", "## Spare parts"]
        parts += [f"A belt of the {name} costs 9 crowns. {FILLER}", "## Care", f"Oil it. {FILLER}"]
        (tmp_path / f"{name}.md").write_text("\n\n".join(parts) + "\n")
    return await store_pages(space, tmp_path)


async def read_pointed(pointer: str, manuals: tuple[Library, list[int]]) -> list[str]:
    """The first words of what a pointer leads to."""
    library, documents = manuals
    parts = await find_pointed_parts(pointer, documents, library)
    texts = []
    for part in parts:
        chunks = await choose_pointed_chunks(part, ["belt"], library)
        passages = await library.load_passages(chunks)
        assert {one.document for one in passages.values()} == {part.document}
        texts.append("".join(passages[chunk].text for chunk in chunks))
    return [text.lstrip("# ")[:40].replace("\n", " ") for text in texts]


async def test_a_heading_of_a_named_page_is_found_there_alone(
    manuals: tuple[Library, list[int]],
) -> None:
    found = await read_pointed("it may stand under “Spare  Parts” in the pump manual.", manuals)
    assert found == ["Spare parts  A belt of the Pump costs 9 "]


async def test_without_a_known_page_the_heading_is_looked_for_in_all(
    manuals: tuple[Library, list[int]],
) -> None:
    found = await read_pointed("it may stand under “Spare parts” in a booklet.", manuals)
    assert sorted(found) == [
        f"Spare parts  A belt of the {one} costs 9 " for one in ("Loom", "Pump")
    ]


@pytest.mark.parametrize("pointer", ["", "it may stand under “Licences” in the Pump Manual."])
async def test_what_points_nowhere_leads_nowhere(
    pointer: str, manuals: tuple[Library, list[int]]
) -> None:
    assert await read_pointed(pointer, manuals) == []


async def ingest(space: str, path: Path, text: str) -> tuple[Library, list[int]]:
    """A library with one page."""
    path.write_text(text)
    await ingest_graph.ainvoke({"sources": [str(path.parent)]}, context=Context(space=space))
    library = await open_library(space)
    return library, await list_documents(library)


async def read_chosen(
    pointer: str, subjects: list[str], page: tuple[Library, list[int]]
) -> list[str]:
    """The chunks that are read for gaps that point to the same part."""
    library, documents = page
    [part] = await find_pointed_parts(pointer, documents, library)
    chunks = await choose_pointed_chunks(part, subjects, library)
    passages = await library.load_passages(chunks)
    return [passages[chunk].text for chunk in chunks]


async def test_a_part_is_read_from_its_heading_to_the_next_of_its_level(
    space: str, tmp_path: Path
) -> None:
    text = (
        f"# Mill\n\nIt mills. {FILLER}\n\n## 2. Stones\n\nStones turn. {FILLER}\n\n{FILLER}\n\n"
        f"### 2.1. Dressing\n\nDress them in May. {FILLER}\n\n## 3. Sails\n\nSails fly. {FILLER}\n"
    )
    page = await ingest(space, tmp_path / "mill.md", text)
    for pointer in ("Mill, 2. Stones", "it may stand under “Stones” in the mill"):
        read = "\n".join(await read_chosen(pointer, ["who dresses them"], page))
        assert read.startswith("## 2. Stones")
        assert "Dress them in May." in read
        assert read.count(FILLER[:40]) == 3 * 12
        assert "Sails fly" not in read
        assert "It mills" not in read


async def test_of_a_long_part_each_gap_has_the_neighbours_that_speak_most_of_it(
    space: str, tmp_path: Path
) -> None:
    told = {3: "A warning comes at forty crowns.", 30: "The brass lever stops the mill."}
    days = "\n\n".join(f"{told.get(day, '')} {FILLER}" for day in range(40))
    page = await ingest(space, tmp_path / "mill.md", f"# Mill\n\n## Days\n\n{days}\n")
    subjects = ["At how many crowns the warning comes", "What the lever stops"]
    for asked in (subjects[:1], subjects[1:], subjects):
        read = await read_chosen("it may stand under “Days”", asked, page)
        text = "\n".join(read)
        assert (told[3] in text, told[30] in text) == tuple(one in asked for one in subjects)
        assert len(text) <= len(asked) * (STRETCH_CHARACTERS + 100)
    assert len(days) > PART_CHARACTERS


async def test_the_title_of_a_page_before_a_heading_names_no_heading(
    manuals: tuple[Library, list[int]],
) -> None:
    found = await read_pointed("Pump Manual, Care", manuals)
    assert [one[:10] for one in found] == ["Care  Oil "]


async def test_a_short_part_is_found_in_the_passage_that_begins_under_another_heading(
    space: str, tmp_path: Path
) -> None:
    (tmp_path / "mill.md").write_text("# Mill Manual\n\nIt mills.\n\n## Disk\n\nKeep 60 % free.\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    library = await open_library(space)
    found = (library, await list_documents(library))
    assert len(await read_pointed("it may stand under “Disk” in the Mill Manual.", found)) == 1
    assert await read_pointed("it may stand under “Tape” in the Mill Manual.", found) == []
