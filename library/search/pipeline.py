"""Searching a space, top to bottom: retrievers, fusion, folders, boosts, walk, dedup, grade."""

from dataclasses import replace
from datetime import UTC, datetime

from library.database.connections import Connection
from library.database.spaces import find_space
from library.index.filters import holds_any
from library.index.folders import refresh_folders
from library.index.vectors import MixedLengthsError
from library.search.chunk_filter import ChunkFilter
from library.search.folder_boost import DescentResult, descend_tree
from library.search.fuse import fuse_candidates
from library.search.hits import select_documents, select_passages
from library.search.link_expansion import expand_links
from library.search.query_vectors import (
    QueryVectors,
    embed_variants,
    make_dense_retriever,
    report_length,
)
from library.search.retrieve import RetrieverResults, retrieve
from library.search.retrievers import DenseRetriever, LexicalRetriever
from library.search.search_pass import SearchPass, prepare_pass
from library.session import Session
from models.embeddings import Embedder
from retrieval.search.boosts import apply_boosts
from retrieval.search.candidates import Candidate
from schema.search import GRADES, SearchOptions, SearchResult, Step


async def search(
    session: Session, query: str, options: SearchOptions, embedder: Embedder | None
) -> SearchResult:
    """Find the passages of a space that speak of a query.

    Where a few long documents fill the lists, so that too few hits are left, one deeper pass is
    made. Where all that is found is weak, one wider pass is made, with every retriever and every
    kind of chunk. The better one answers.

    Args:
        session: of the space; an unknown one is empty.
        query: a question or words, in any language; 10,000 characters are read.
        options: how to search.
        embedder: the embedding model; None leaves the words alone to search.

    Returns:
        Hits, best first. In the mode `documents` the passages of a document stand together.
    """
    if options.hierarchy:
        await refresh_folders(session)
    vectors, degraded = await embed_variants(query, options, embedder)
    try:
        found = await _search_space(session, query, options, vectors, embedder)
    except MixedLengthsError:
        found = await _search_space(session, query, options, [], None)
        degraded = [report_length(embedder)] if embedder else []
    return replace(found, degraded=[*degraded, *found.degraded])


async def _search_space(
    session: Session,
    query: str,
    options: SearchOptions,
    vectors: QueryVectors,
    embedder: Embedder | None,
) -> SearchResult:
    """All passes of a search."""
    async with session.connect() as connection:
        space = await find_space(connection, session.user, session.space)
        if space is None or not space.chunks or not await holds_any(connection, space):
            return SearchResult([])
        asked = prepare_pass(space, query, options)
        dense, changed = make_dense_retriever(vectors, space, asked.queries[0].language, embedder)
        lexical = await LexicalRetriever.from_database(connection, space, asked.queries)
        kept = ChunkFilter(session.database, space, asked.filters)
        flat = await _search_flat(connection, asked, (lexical, dense, kept))
    found = await _complete_pass(session, asked, flat)
    if found.starved:
        found = await _run_pass(session, asked.deepen(), (lexical, dense, kept))
    if found.grade == "weak" and (wide := asked.widen()) != asked:
        if wide.filters != asked.filters:
            kept = ChunkFilter(session.database, space, wide.filters)
        wider = await _run_pass(session, wide, (lexical, dense, kept))
        found = _choose_better(found, wider)
    return replace(found, degraded=[*changed, *found.degraded])


_FlatResult = tuple[RetrieverResults, list[Candidate], Step]
"""What the retrievers found, the candidates that were fused of it, and how."""


_Means = tuple[LexicalRetriever, DenseRetriever | None, ChunkFilter]
"""What a pass finds chunks with. Another pass of the search need not read it again."""


async def _run_pass(session: Session, asked: SearchPass, means: _Means) -> SearchResult:
    """One pass: every stage once."""
    async with session.connect() as connection:
        flat = await _search_flat(connection, asked, means)
    return await _complete_pass(session, asked, flat)


async def _search_flat(connection: Connection, asked: SearchPass, means: _Means) -> _FlatResult:
    gathered = await retrieve(connection, asked, *means)
    return (gathered, *await fuse_candidates(connection, asked, gathered, means[1]))


async def _complete_pass(session: Session, asked: SearchPass, flat: _FlatResult) -> SearchResult:
    """The stages after the flat search."""
    gathered, candidates, fusion = flat
    descent = DescentResult(candidates, [])
    if asked.options.hierarchy:
        descent = await descend_tree(session, asked, candidates, asked.options.propagation)
    candidates = apply_boosts(
        descent.candidates,
        asked.options.boosts,
        query=asked.queries[0].text,
        language=asked.queries[0].language,
        detail=asked.detail,
        weights=asked.options.path_weights,
        today=datetime.now(UTC).date(),
    )
    candidates = await expand_links(session, asked, candidates)
    settled = select_documents if asked.options.mode == "documents" else select_passages
    hits = settled(asked, gathered, candidates)
    covered = round(gathered.coverage.measure_share([hit.chunk for hit in hits]), 4)
    sources = {hit.document for hit in hits}
    short = len(sources if asked.options.mode == "documents" else hits) < asked.options.limit
    full = any(len(chunks) >= asked.depth for chunks in gathered.found.values())
    found = SearchResult(hits, descent.degraded, coverage=covered, starved=short and full)
    end = Step("hits", {"count": len(hits), "best grade": found.grade, "covered": covered})
    return replace(found, trace=[asked.to_step(), *gathered.trace, fusion, *descent.trace, end])


def _choose_better(first: SearchResult, wider: SearchResult) -> SearchResult:
    """The pass with the better hits, and the trace of both."""
    best = max(first, wider, key=lambda found: (bool(found.hits), GRADES.index(found.grade)))
    between = Step("wider pass", {"why": "all hits are weak", "taken": best is wider})
    return replace(best, trace=[*first.trace, between, *wider.trace])
