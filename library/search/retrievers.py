"""The retrievers of a search: each finds chunks in its own way, and can score what others found."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from pgvector import HalfVector

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from library.index.filters import build_conditions
from library.index.prepare import fold_name
from library.index.vectors import find_nearest
from library.search.chunk_filter import ChunkFilter
from library.search.score_words import score_words
from library.session import clean_text
from retrieval.search.bm25_scores import BM25Scores
from retrieval.search.fusion import merge_variants, scale_by_maximum
from retrieval.search.query import Query, RelevanceScorer
from schema.search import Filters

EXACT_DOCUMENTS = 5
"""Documents of one name that an exact lookup returns."""

TITLE_DOCUMENTS = 50


class LexicalRetriever:
    """BM25 over all chunks of a space, for a query and its variants."""

    def __init__(
        self,
        queries: Sequence[Query],
        scored: Sequence[tuple[BM25Scores, Mapping[int, int]]],
        chunks: int,
    ) -> None:
        self._scores = [scores for scores, _ in scored]
        self._weights = [
            RelevanceScorer(query.content_words, df, chunks)
            for query, (_, df) in zip(queries, scored, strict=True)
        ]

    @classmethod
    async def from_database(
        cls, connection: Connection, space: Space, queries: Sequence[Query]
    ) -> "LexicalRetriever":
        """Score the space."""
        scored = []
        for query in queries:
            found = await score_words(connection, space, "chunks", query.content_words)
            if not found[1] and query.content_words != query.words:
                found = await score_words(connection, space, "chunks", query.words)
            scored.append(found)
        return cls(queries, scored, space.chunks)

    async def find(self, connection: Connection, kept: ChunkFilter, depth: int) -> list[int]:
        """The best chunks that pass the filters, best first: `depth` of each variant, or all."""
        found = [await kept.find_best(connection, one, depth) for one in self._scores]
        return list(dict.fromkeys(chain.from_iterable(found)))

    def score(self, chunks: Sequence[int]) -> dict[int, float]:
        """Scaled scores of some chunks; the variants have one vote."""
        ids = np.array(chunks, np.int64)
        return merge_variants(
            [
                scale_by_maximum(dict(zip(chunks, s.scores_for(ids).tolist(), strict=True)))
                for s in self._scores
            ]
        )

    def measure_coverage(self, chunks: Sequence[int]) -> "QueryCoverage":
        """What each chunk holds of the query."""
        ids = np.array(chunks, np.int64)
        return QueryCoverage(
            [
                dict(zip(chunks, scores.find_matched_terms(ids), strict=True))
                for scores in self._scores
            ],
            self._weights,
        )


@dataclass(frozen=True)
class QueryCoverage:
    """The words of a query, and of its variants, that chunks hold; see `retrieval.search.query`."""

    terms: Sequence[Mapping[int, set[int]]]
    weights: Sequence[RelevanceScorer]

    def measure_share(self, chunks: Sequence[int]) -> float:
        """Which share of the query's weight some chunks hold together; of the variants, the best.

        A chunk that no retriever found, but a walk, counts nothing.
        """
        return max(
            evidence.score(set().union(*(held.get(chunk, ()) for chunk in chunks)))
            for held, evidence in zip(self.terms, self.weights, strict=True)
        )


class TitleRetriever:
    """BM25 over the titles of a space's documents."""

    def __init__(self, scores: BM25Scores) -> None:
        self._scores = scores

    @classmethod
    async def from_database(
        cls, connection: Connection, space: Space, query: Query
    ) -> "TitleRetriever":
        """Score the titles."""
        scores, _ = await score_words(connection, space, "titles", query.content_words)
        return cls(scores)

    def find(self, limit: int) -> list[int]:
        """Documents with the best titles, best first."""
        return self._scores.best(limit)

    def score(self, documents: Mapping[int, int]) -> dict[int, float]:
        """Scaled scores of chunks, given with their documents."""
        ids = np.array(list(documents.values()), np.int64)
        return scale_by_maximum(
            dict(zip(documents, self._scores.scores_for(ids).tolist(), strict=True))
        )


@dataclass(frozen=True)
class DenseRetriever:
    """Vectors of a query and its variants, in the model of the space.

    `knows_language` says whether the model was trained on the query's language.
    """

    vectors: Sequence[HalfVector]
    knows_language: bool = True
    _found: dict[tuple[ChunkFilter, int, int], tuple[list[int], dict[int, float]]] = field(
        default_factory=dict, init=False, compare=False
    )
    """What a pass found: the next one, of other retrievers, asks for cosines alone."""

    async def find(
        self,
        connection: Connection,
        space: Space,
        kept: ChunkFilter,
        depth: int,
        others: Sequence[int],
    ) -> tuple[list[int], dict[int, float]]:
        """The nearest chunks that pass the filters: `depth` of each variant, or all.

        Returns:
            These chunks; the cosine of each and of some others that have a vector: of the
            variants, the highest. A vector of zeros is near to nothing, and has none.
        """
        near: dict[int, None] = {}
        cosines: list[dict[int, float]] = []
        filters = kept.conditions
        for number, vector in enumerate(self.vectors):
            found, held = self._found.get((kept, depth, number), ([], {}))
            missing = [chunk for chunk in (*others, *near) if chunk not in held]
            if not held:
                found, held = await find_nearest(
                    connection, space, vector, filters, depth, missing, passing=kept.passing
                )
                self._found[kept, depth, number] = found, held
            elif missing:
                held |= (await find_nearest(connection, space, vector, filters, 0, missing))[1]
            near |= dict.fromkeys(found)
            cosines.append(held)
        for vector, held in zip(self.vectors[:-1], cosines, strict=False):
            missing = [chunk for chunk in near if chunk not in held]
            held.update((await find_nearest(connection, space, vector, filters, 0, missing))[1])
        best: dict[int, float] = {}
        wanted = {*near, *others}
        for chunk, cosine in chain.from_iterable(held.items() for held in cosines):
            if chunk in wanted and not math.isnan(cosine):
                best[chunk] = max(cosine, best.get(chunk, -1.0))
        return [chunk for chunk in near if chunk in best], best


async def find_by_name(
    connection: Connection, space: Space, text: str, limit: int | None = EXACT_DOCUMENTS
) -> list[int]:
    """Documents whose uri, tree path, url, full title or alias is the query itself."""
    wanted = clean_text(text.strip())
    path = wanted.removeprefix(f"library://{space.name}/")
    cursor = await connection.execute(
        "SELECT id FROM (SELECT id, 0 AS rank FROM quire.documents WHERE space_id = %(space)s "
        "AND (uri = %(uri)s OR path = %(path)s) UNION ALL "
        "SELECT document_id, 1 + alias::int FROM quire.names "
        f"WHERE space_id = %(space)s AND name = %(name)s) AS found WHERE {OWNER_CHECK} "
        "GROUP BY id ORDER BY min(rank), id LIMIT %(limit)s",
        {
            **space.sql_parameters,
            "uri": wanted,
            "path": path,
            "name": fold_name(wanted),
            "limit": limit,
        },
    )
    return [row[0] for row in await cursor.fetchall()]


async def find_chunks(
    connection: Connection, space: Space, documents: Sequence[int], filters: Filters
) -> dict[int, list[int]]:
    """Chunks of some documents that pass the filters, in the order of the text."""
    condition, parameters = build_conditions(filters)
    cursor = await connection.execute(
        "SELECT c.document_id, c.id FROM quire.chunks c "
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK} AND c.document_id = "
        f"ANY(%(wanted)s){condition} "
        "ORDER BY c.document_id, c.start_offset",
        {**space.sql_parameters, "wanted": list(documents), **parameters},
    )
    found: dict[int, list[int]] = {document: [] for document in documents}
    for document, chunk in await cursor.fetchall():
        found[document].append(chunk)
    return found


async def find_documents(
    connection: Connection, space: Space, chunks: Sequence[int]
) -> dict[int, int]:
    """The document of each chunk."""
    cursor = await connection.execute(
        "SELECT id, document_id FROM quire.chunks "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND id = ANY(%(chunks)s)",
        {**space.sql_parameters, "chunks": list(chunks)},
    )
    return dict(await cursor.fetchall())
