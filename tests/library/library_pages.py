"""Documents to store, and a look at the rows they became."""

from collections import Counter
from typing import Any

import numpy as np

from library.library import Library
from retrieval.search.inverted_index import BLOCK_SIZE, ENTRY
from schema.documents import Document
from schema.search import SearchOptions, SearchResult


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
    async with library.connect() as connection:
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


Index = tuple[tuple[int, int, dict[str, int]], Counter[Any], Counter[Any]]


async def index(library: Library) -> Index:
    """All that is derived from a space's documents, told without ids, so that spaces compare.

    Returns:
        (count of documents, of chunks, documents by language); what postings hold, as (field,
        term, weight, text or title); names, links and symbols.
    """
    spaces = await rows(
        library,
        "SELECT id, documents, chunks, languages FROM quire.spaces "
        "WHERE name = %s AND user_id = %s",
        library.space,
        library.user,
    )
    if not spaces:
        return (0, 0, {}), Counter(), Counter()
    [(space, *counts)] = spaces
    documents = dict(
        await rows(library, "SELECT id, uri FROM quire.documents WHERE space_id = %s", space)
    )
    chunks = {
        identity: (documents[document], *rest)
        for identity, document, *rest in await rows(
            library,
            "SELECT id, document_id, start_offset, kind, heading, text FROM quire.chunks "
            "WHERE space_id = %s",
            space,
        )
    }
    postings: Counter[Any] = Counter()
    for field, term, block, entries in await rows(
        library,
        "SELECT field, term, block, entries FROM quire.postings WHERE space_id = %s",
        space,
    ):
        assert entries, "a row of postings that holds nothing"
        texts = chunks if field == 0 else documents
        for place, weight in np.frombuffer(entries, ENTRY).tolist():
            postings[field, term, weight, texts[block * BLOCK_SIZE + place]] += 1
    described: Counter[Any] = Counter()
    for table, columns in (("names", "name, alias"), ("links", "target")):
        for document, *values in await rows(
            library, f"SELECT document_id, {columns} FROM quire.{table} WHERE space_id = %s", space
        ):
            described[table, documents[document], *values] += 1
    for chunk, *values in await rows(
        library,
        "SELECT chunk_id, role, name, symbol, kind FROM quire.symbols WHERE space_id = %s",
        space,
    ):
        described["symbols", chunks[chunk], *values] += 1
    return tuple(counts), postings, described  # type: ignore[return-value]


async def ask(library: Library, query: str, **options: Any) -> SearchResult:
    """What a search finds, ten passages unless told otherwise."""
    return await library.search(query, SearchOptions(**options))


async def texts(library: Library, query: str, **options: Any) -> list[str]:
    """The texts of the passages that a search finds, best first."""
    found = await ask(library, query, **options)
    held = await library.load_passages([hit.chunk for hit in found.hits])
    return [held[hit.chunk].text for hit in found.hits]


async def uris(library: Library, query: str, **options: Any) -> list[str]:
    """The documents that a search finds, in the order of their best passage, once each."""
    found = await ask(library, query, **options)
    described = await library.load_documents([hit.document for hit in found.hits])
    return list(dict.fromkeys(described[hit.document].uri for hit in found.hits))
