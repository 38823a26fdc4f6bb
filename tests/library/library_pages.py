"""Documents to store, and a look at the rows they became."""

from typing import Any

from library.library import Library
from schema.documents import Document


def page(uri: str, text: str, **described: Any) -> Document:
    """A document of the connector `files`, unless told otherwise."""
    return Document(
        **{"uri": uri, "text": text, "connector": "files", "language": "en"} | described
    )


def section(word: str) -> str:
    """Text that fills one chunk."""
    return (
        f"## About {word}\n\n"
        + f"The {word} stands here with some words of its own. " * 18
        + "\n\n"
    )


def sections(*words: str) -> str:
    """Text of one chunk per word."""
    return "".join(map(section, words))


async def rows(library: Library, query: str, *parameters: Any) -> list[Any]:
    """What a query of one's own finds, in a session of the library's user."""
    async with library._database.session(library.user) as connection:
        return await (await connection.execute(query, parameters)).fetchall()


async def chunk_rows(library: Library) -> dict[str, tuple[int, int, int]]:
    """(id, start, end) of every chunk of the space, by text."""
    found = await rows(
        library,
        "SELECT c.text, c.id, c.start_offset, c.end_offset FROM quire.chunks c "
        "JOIN quire.spaces s ON s.id = c.space_id WHERE s.name = %s",
        library.space,
    )
    return {row[0]: row[1:] for row in found}


async def statistics(library: Library) -> tuple[int, dict[int, int]]:
    """What the idf of a space is made of: its count of chunks, and df by term."""
    spaces = await rows(
        library, "SELECT id, chunks FROM quire.spaces WHERE name = %s", library.space
    )
    if not spaces:
        return 0, {}
    terms = await rows(
        library, "SELECT term, df FROM quire.terms WHERE space_id = %s", spaces[0][0]
    )
    return spaces[0][1], dict(terms)


async def texts(library: Library, query: str, **options: Any) -> list[str]:
    """The texts of the passages that a search finds, best first."""
    found = await library.search(query, **{"limit": 10} | options)
    held = await library.passages([hit.chunk for hit in found.hits])
    return [held[hit.chunk].text for hit in found.hits]


async def uris(library: Library, query: str, **options: Any) -> list[str]:
    """The documents that a search finds, in the order of their best passage, once each."""
    found = await library.search(query, **{"limit": 10} | options)
    described = await library.documents([hit.document for hit in found.hits])
    return list(dict.fromkeys(described[hit.document].uri for hit in found.hits))
