"""Searching a space, top to bottom: arms, fusion, folders, signals, walk, dedup, grade."""

from dataclasses import replace
from datetime import UTC, datetime

from library.arms import Meaning
from library.asked import Asked, read_asked
from library.database import Connection, Database
from library.descend import Descended, descended
from library.fuse import fused
from library.gather import Gathered, gather
from library.query_vectors import query_vectors, usable
from library.settle import passages, whole_documents
from library.spaces import find_space
from library.tree import refreshed
from library.walk import walked
from models.embeddings import Embedder
from retrieval.candidates import Candidate
from retrieval.signals import apply_signals
from schema.search import GRADES, Found, SearchOptions, Step


async def search(
    database: Database,
    user: str,
    space_name: str,
    query: str,
    options: SearchOptions,
    embedder: Embedder | None = None,
) -> Found:
    """Find the passages of a space that speak of a query.

    Where a few long documents fill the lists, so that too few hits are left, one deeper pass is
    made. Where all that is found is weak, one wider pass is made, with every arm and every kind of
    chunk. The better one answers.

    Args:
        database: the library's.
        user: the owner.
        space_name: the search space; an unknown one is empty.
        query: a question or words, in any language; 10,000 characters are read.
        options: how to search.
        embedder: the embedding model; None leaves the words alone to search.

    Returns:
        Hits, best first. In the mode `documents` the passages of a document stand together.
    """
    if options.hierarchy:
        await refreshed(database, user, space_name)
    vectors, degraded = await query_vectors(query, options, embedder)
    async with database.session(user) as connection:
        space = await find_space(connection, user, space_name)
        if space is None or not space.chunks:
            return Found([])
        asked = read_asked(space, query, options)
        meaning, changed = usable(vectors, space, asked.queries[0].language, embedder)
        flat = await _flat(connection, asked, meaning)
    found = await _settled(database, asked, flat)
    if found.starved:
        found = await _once(database, asked.deeper(), meaning)
    if found.grade == "weak" and asked.wider() != asked:
        wider = await _once(database, asked.wider(), meaning)
        found = _better(found, wider)
    return replace(found, degraded=[*degraded, *changed, *found.degraded])


_Flat = tuple[Gathered, list[Candidate], Step]
"""What the arms found, the candidates that were fused of it, and how."""


async def _once(database: Database, asked: Asked, meaning: Meaning | None) -> Found:
    """One pass: every stage once."""
    async with database.session(asked.space.user) as connection:
        flat = await _flat(connection, asked, meaning)
    return await _settled(database, asked, flat)


async def _flat(connection: Connection, asked: Asked, meaning: Meaning | None) -> _Flat:
    gathered = await gather(connection, asked, meaning)
    return (gathered, *await fused(connection, asked, gathered, meaning))


async def _settled(database: Database, asked: Asked, flat: _Flat) -> Found:
    """The stages after the flat search."""
    gathered, candidates, fusion = flat
    descent = Descended(candidates, [])
    if asked.options.hierarchy:
        descent = await descended(database, asked, candidates, asked.options.propagation)
    candidates = apply_signals(
        descent.candidates,
        asked.options.signals,
        query=asked.queries[0].text,
        language=asked.queries[0].language,
        detail=asked.detail,
        weights=asked.options.places,
        today=datetime.now(UTC).date(),
    )
    candidates = await walked(database, asked, candidates)
    settled = whole_documents if asked.options.mode == "documents" else passages
    hits = settled(asked, gathered, candidates)
    covered = round(gathered.held.share([hit.chunk for hit in hits]), 4)
    sources = {hit.document for hit in hits}
    short = len(sources if asked.options.mode == "documents" else hits) < asked.options.limit
    full = any(len(chunks) >= asked.depth for chunks in gathered.found.values())
    found = Found(
        hits, [*gathered.degraded, *descent.degraded], covered=covered, starved=short and full
    )
    end = Step("hits", {"count": len(hits), "best grade": found.grade, "covered": covered})
    return replace(found, trace=[asked.step(), *gathered.trace, fusion, *descent.trace, end])


def _better(first: Found, wider: Found) -> Found:
    """The pass with the better hits, and the trace of both."""
    best = max(first, wider, key=lambda found: (bool(found.hits), GRADES.index(found.grade)))
    between = Step("wider pass", {"why": "all hits are weak", "taken": best is wider})
    return replace(best, trace=[*first.trace, between, *wider.trace])
