"""The retrievers at work: every chunk that any of them finds, scored by all of them.

A retriever is asked for its best chunks; then it also scores those of the others. So no chunk is
punished for standing just behind the end of a list, and averages compare like with like.
"""

from dataclasses import dataclass

from library.database.connections import Connection
from library.search.chunk_filter import ChunkFilter
from library.search.retrievers import (
    EXACT_DOCUMENTS,
    TITLE_DOCUMENTS,
    DenseRetriever,
    LexicalRetriever,
    QueryCoverage,
    TitleRetriever,
    find_by_name,
    find_chunks,
    find_documents,
)
from library.search.search_pass import SearchPass
from retrieval.search.fusion import scale_min_max
from schema.search import Retriever, Step


@dataclass(frozen=True)
class RetrieverResults:
    """What the retrievers found.

    Attributes:
        found: by retriever, the chunks that it found, best first.
        scores: by retriever, the score in 0..1 of every chunk that any retriever found.
        exact: chunks of documents that were looked up by name.
        coverage: what the chunks hold of the query's words.
        cosines: of chunks that have a vector.
        trace: how many chunks each retriever found.
    """

    found: dict[Retriever, list[int]]
    scores: dict[Retriever, dict[int, float]]
    exact: list[int]
    coverage: QueryCoverage
    cosines: dict[int, float]
    trace: list[Step]


async def retrieve(
    connection: Connection,
    asked: SearchPass,
    lexical: LexicalRetriever,
    dense: DenseRetriever | None,
    kept: ChunkFilter,
) -> RetrieverResults:
    """Ask the retrievers that are on.

    Args:
        connection: a session of the space's owner.
        asked: the query.
        lexical: its words, and those of its variants.
        dense: its vectors, where the space has some of the same model.
        kept: the filters of the pass.

    Raises:
        MixedLengthsError: these have another length.
    """
    retrievers, space, filters = asked.options.retrievers, asked.space, asked.filters
    found: dict[Retriever, list[int]] = {}
    titles = (
        await TitleRetriever.from_database(connection, space, asked.queries[0])
        if "title" in retrievers
        else None
    )
    if "lexical" in retrievers:
        found["lexical"] = await lexical.find(connection, kept, asked.depth)
    if "exact" in retrievers:
        most = None if filters else EXACT_DOCUMENTS
        named = await find_by_name(connection, space, asked.queries[0].text, most)
        chunks = await _choose_chunks(connection, asked, named, lexical)
        found["exact"] = chunks[:EXACT_DOCUMENTS]
    if titles:
        found["title"] = await _find_title_chunks(connection, asked, titles, lexical)
    cosines: dict[int, float] = {}
    chunks = list(dict.fromkeys(chunk for ids in found.values() for chunk in ids))
    if dense:
        found["dense"], cosines = await dense.find(connection, space, kept, asked.depth, chunks)
        chunks = list(dict.fromkeys([*chunks, *found["dense"]]))
    scores: dict[Retriever, dict[int, float]] = {}
    if "lexical" in found:
        scores["lexical"] = lexical.score(chunks)
    if titles:
        scores["title"] = titles.score(await find_documents(connection, space, chunks))
    if "dense" in found:
        scores["dense"] = scale_min_max(cosines)
    trace = [Step(f"retriever {name}", {"found": len(ids)}) for name, ids in found.items()]
    held = lexical.measure_coverage(chunks)
    return RetrieverResults(found, scores, found.get("exact", []), held, cosines, trace)


async def _find_title_chunks(
    connection: Connection, asked: SearchPass, titles: TitleRetriever, lexical: LexicalRetriever
) -> list[int]:
    """A chunk of each document with one of the best titles, of those that pass the filters."""
    length = TITLE_DOCUMENTS
    while True:
        documents = titles.find(length)
        chunks = await _choose_chunks(connection, asked, documents, lexical)
        kept_to = asked.filters or asked.space.restricted
        if not kept_to or len(chunks) >= TITLE_DOCUMENTS or len(documents) < length:
            return chunks[:TITLE_DOCUMENTS]
        length *= 8


async def _choose_chunks(
    connection: Connection, asked: SearchPass, documents: list[int], lexical: LexicalRetriever
) -> list[int]:
    """The chunk of each document that holds most of the query's words; else its first."""
    if not documents:
        return []
    chunks = await find_chunks(connection, asked.space, documents, asked.filters)
    score = lexical.score([chunk for held in chunks.values() for chunk in held])
    return [max(held, key=lambda one: score[one]) for held in chunks.values() if held]
