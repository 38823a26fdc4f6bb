"""Pages of a folder in the library of a test's space."""

from pathlib import Path

from graphs.ingest import graph as ingest_graph
from library.library import Library, open_library
from schema.context import Context


async def store_pages(space: str, folder: Path) -> tuple[Library, list[int]]:
    """A library with what lies in a folder, and the ids of its documents, by title."""
    await ingest_graph.ainvoke({"sources": [str(folder)]}, context=Context(space=space))
    library = await open_library(space)
    return library, await list_documents(library)


async def list_documents(library: Library) -> list[int]:
    """The ids of what its space holds, by title."""
    found = await library.fetch(
        "SELECT d.id FROM quire.documents d JOIN quire.spaces s ON s.id = d.space_id "
        "WHERE s.name = %(name)s ORDER BY d.title",
        name=library.space,
    )
    return [identity for [identity] in found]
