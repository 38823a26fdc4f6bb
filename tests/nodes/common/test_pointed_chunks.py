"""The passages that a sentence points to, of pages in a library."""

from pathlib import Path

import pytest

from graphs.ingest import graph as ingest_graph
from library.library import Library, open_library
from nodes.common.pointed_chunks import MAX_POINTED, find_pointed_chunks
from schema.context import Context

FILLER = "A belt hums in the wind of the hall, and nobody minds. " * 12


async def list_documents(library: Library) -> list[int]:
    """The ids of what its space holds, by title."""
    found = await library.fetch(
        "SELECT d.id FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE s.name = %(name)s ORDER BY d.title",
        name=library.space,
    )
    return [identity for [identity] in found]


@pytest.fixture
async def manuals(space: str, tmp_path: Path) -> tuple[Library, list[int]]:
    """A library with the manuals of two machines, and the ids of these, by title."""
    for name in ("Loom", "Pump"):
        parts = [f"# {name} Manual", f"The {name} runs. {FILLER}", "## Spare parts"]
        parts += [f"A belt of the {name} costs 9 crowns. {FILLER}", "## Care", f"Oil it. {FILLER}"]
        (tmp_path / f"{name}.md").write_text("\n\n".join(parts) + "\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    library = await open_library(space)
    return library, await list_documents(library)


async def read_pointed(pointer: str, manuals: tuple[Library, list[int]]) -> list[str]:
    """The headings and first words of what a pointer leads to."""
    library, documents = manuals
    chunks = await find_pointed_chunks(pointer, documents, library)
    passages = await library.load_passages(list(chunks))
    assert {c: one.document for c, one in passages.items()} == chunks
    texts = [passages[chunk].text for chunk in chunks]
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


async def test_a_heading_of_many_passages_gives_its_first(space: str, tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text(f"# Long\n\n## Parts\n\n{(FILLER + chr(10) * 2) * 20}")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    library = await open_library(space)
    [document] = await list_documents(library)
    chunks = await find_pointed_chunks("it may stand under “Parts”", [document], library)
    places = (await library.load_layouts([document]))[document]
    under = [one.chunk for one in places if one.heading == "Parts"]
    assert len(under) > MAX_POINTED
    assert list(chunks) == under[:MAX_POINTED]


async def test_a_short_part_is_found_in_the_passage_that_begins_under_another_heading(
    space: str, tmp_path: Path
) -> None:
    (tmp_path / "mill.md").write_text("# Mill Manual\n\nIt mills.\n\n## Disk\n\nKeep 60 % free.\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    library = await open_library(space)
    found = (library, await list_documents(library))
    assert len(await read_pointed("it may stand under “Disk” in the Mill Manual.", found)) == 1
    assert await read_pointed("it may stand under “Tape” in the Mill Manual.", found) == []
