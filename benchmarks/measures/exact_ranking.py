"""The first ten of the retrievers beside those of a plain reckoning that leaves nothing out.

By words, every entry of every term of a query is added up here, one by one; by meaning, the query's
vector is held against all vectors. What is filtered is filtered here, by what documents say.
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from pgvector import HalfVector

from library.search.search_pass import MIN_DEPTH
from retrieval.search.inverted_index import BLOCK_SIZE, ENTRY
from retrieval.search.query import Query, analyse_query, weigh_query_terms

FIRST = 10
TIE = 1e-3
"""Of a score: weights are kept with 11 bits, and sums are rounded differently."""

Row = Mapping[str, Any]
"""Of a chunk: its `id`, and `connector`, `uri`, `language` and `published` of its document."""

Keeps = Callable[[Row], bool]


async def compare(
    library: Any, queries: Sequence[str], filters: Mapping[str, tuple[Any, Keeps]]
) -> dict[str, dict[str, float]]:
    """What share of the reference's first ten the retrievers find.

    Args:
        library: whose embedder is None where it has no vectors.
        queries: what is asked.
        filters: by name, as a search takes them and as a test of a row.

    Returns:
        By "words" and, with vectors, "meaning": by the filter's name, and for "none".
    """
    from library.database.spaces import find_space
    from schema.search import Filters

    shares: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    async with library.connect() as connection:
        space: Any = await find_space(connection, library.user, library.space)
        rows = await _read_rows(connection, space)
        everything: tuple[Any, Keeps] = (Filters(), lambda _: True)
        kept = {
            name: (given, {row["id"] for row in rows if keeps(row)})
            for name, (given, keeps) in {"none": everything, **filters}.items()
        }
        ids, table = await _read_vectors(connection, space) if library.embedder else ([], None)
        for query in queries:
            read, vector = analyse_query(query, space.languages), None
            plain = {"words": await _score_plainly(connection, space, read)}
            if table is not None:
                vector = await library.embedder.embed_query(query)
                cosines = table @ np.array(vector, np.float32)
                plain["meaning"] = dict(zip(ids, cosines.tolist(), strict=True))
            for name, (given, passing) in kept.items():
                found = await _ask(library, connection, space, read, vector, given)
                for way, scores in plain.items():
                    wanted = {one: scores[one] for one in passing & scores.keys()}
                    shares[way][name].append(_share(found[way], wanted))
    return {
        way: {name: float(np.mean(each)) for name, each in by_filter.items()}
        for way, by_filter in shares.items()
    }


async def _ask(
    library: Any, connection: Any, space: Any, read: Query, vector: list[float] | None, filters: Any
) -> dict[str, list[int]]:
    """What the retrievers find, best first."""
    from library.search.chunk_filter import ChunkFilter
    from library.search.retrievers import DenseRetriever, LexicalRetriever

    lexical = await LexicalRetriever.from_database(connection, space, [read])
    kept = ChunkFilter(library.database, space, filters)
    found = {"words": await lexical.find(connection, kept, MIN_DEPTH)}
    if vector is not None:
        dense = DenseRetriever([HalfVector(vector)])
        found["meaning"], _ = await dense.find(connection, space, kept, MIN_DEPTH, found["words"])
    return found


def _share(found: Sequence[int], scores: Mapping[int, float]) -> float:
    """Which share of the first ten by score was found; any of equal ones will do."""
    best = heapq.nlargest(FIRST, scores.values())
    if not best:
        return float(not found)
    least = best[-1] * (1 - TIE)
    return sum(scores.get(one, 0.0) >= least for one in found[:FIRST]) / len(best)


async def _read_rows(connection: Any, space: Any) -> list[Row]:
    cursor = await connection.execute(
        "SELECT c.id, d.connector, d.uri, d.language, d.published FROM quire.chunks c "
        "JOIN quire.documents d ON d.id = c.document_id WHERE c.space_id = %s",
        (space.id,),
    )
    names = ("id", "connector", "uri", "language", "published")
    return [dict(zip(names, row, strict=True)) for row in await cursor.fetchall()]


async def _score_plainly(connection: Any, space: Any, query: Query) -> Mapping[int, float]:
    """BM25 of every chunk that holds a word of a query."""
    terms = list({term for word in query.content_words for term in word.terms})
    cursor = await connection.cursor(binary=True).execute(
        "SELECT term, block, entries FROM quire.postings WHERE space_id = %s AND field = 0 "
        "AND term = ANY(%s::int[])",
        (space.id, terms),
    )
    held: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for term, block, entries in await cursor.fetchall():
        start = block * BLOCK_SIZE
        read = np.frombuffer(entries, ENTRY).tolist()
        held[term].extend((start + place, weight) for place, weight in read)
    df = {term: len(entries) for term, entries in held.items()}
    values = weigh_query_terms(query.content_words, df, space.chunks)
    scores: dict[int, float] = defaultdict(float)
    for term, entries in held.items():
        for one, weight in entries:
            scores[one] += weight * values[term]
    return scores


async def _read_vectors(connection: Any, space: Any) -> tuple[list[int], Any]:
    """Every chunk that has a vector, and the vectors at length 1."""
    cursor = await connection.cursor(binary=True).execute(
        "SELECT chunk_id, embedding FROM quire.embeddings WHERE space_id = %s", (space.id,)
    )
    rows = await cursor.fetchall()
    table = np.array([row[1].to_numpy() for row in rows], np.float32)
    return [row[0] for row in rows], table / np.linalg.norm(table, axis=1, keepdims=True)
