"""The arms of a search: each finds chunks in its own way, and can score what others found."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pgvector import HalfVector

from library import postings
from library.database import Connection
from library.filters import conditions, kept
from library.prepare import folded_name, storable
from library.spaces import OWN, Space
from library.vectors import nearest
from retrieval.fusion import by_maximum, one_vote
from retrieval.inverted import Scores
from retrieval.query import Evidence, Query
from schema.search import Filters

EXACT_DOCUMENTS = 5
"""Documents of one name that an exact lookup returns."""

TITLE_DOCUMENTS = 50

FILTERED = 8
"""Times the depth: the beginning of a ranking that is put through the filters."""


class Words:
    """BM25 over all chunks of a space, for a query and its variants."""

    def __init__(self, queries: Sequence[Query], scored: Sequence[tuple[Scores, Mapping[int, int]]],
                 chunks: int) -> None:  # fmt: skip
        self._scores = [scores for scores, _ in scored]
        self._evidence = [
            Evidence(query.content, df, chunks)
            for query, (_, df) in zip(queries, scored, strict=True)
        ]

    @classmethod
    async def read(cls, connection: Connection, space: Space, queries: Sequence[Query]) -> "Words":
        """Score the space."""
        scored = []
        for query in queries:
            found = await postings.score(connection, space, "chunks", query.content)
            if not found[1] and query.content != query.words:
                found = await postings.score(connection, space, "chunks", query.words)
            scored.append(found)
        return cls(queries, scored, space.chunks)

    async def find(
        self, connection: Connection, space: Space, filters: Filters, depth: int
    ) -> list[int]:
        """The best chunks that pass the filters, best first: `depth` of each variant, or all."""
        found: dict[int, None] = {}
        for scores in self._scores:
            for chunk in await _best(connection, space, scores, filters, depth):
                found.setdefault(chunk)
        return list(found)

    def of(self, chunks: Sequence[int]) -> dict[int, float]:
        """Scaled scores of some chunks; the variants have one vote."""
        ids = np.array(chunks, np.int64)
        return one_vote(
            [by_maximum(dict(zip(chunks, s.of(ids).tolist(), strict=True))) for s in self._scores]
        )

    def held(self, chunks: Sequence[int]) -> "Held":
        """What each chunk holds of the query."""
        ids = np.array(chunks, np.int64)
        return Held(
            [dict(zip(chunks, scores.holding(ids), strict=True)) for scores in self._scores],
            self._evidence,
        )


@dataclass(frozen=True)
class Held:
    """The words of a query, and of its variants, that chunks hold; see `retrieval.query`."""

    terms: Sequence[Mapping[int, set[int]]]
    weighing: Sequence[Evidence]

    def share(self, chunks: Sequence[int]) -> float:
        """Which share of the query's weight some chunks hold together; of the variants, the best.

        A chunk that no arm found, but a walk, counts nothing.
        """
        return max(
            evidence.of(set().union(*(held.get(chunk, ()) for chunk in chunks)))
            for held, evidence in zip(self.terms, self.weighing, strict=True)
        )


async def _best(
    connection: Connection, space: Space, scores: Scores, filters: Filters, depth: int
) -> list[int]:
    """The best `depth` chunks that pass the filters: exactly those, whatever the filters keep.

    A beginning of the ranking is filtered first; where too few of it pass, so few chunks do that
    all of them can be ranked.
    """
    if not filters:
        return scores.best(depth)
    ranking = scores.best(depth * FILTERED)
    passing = await kept(connection, space, filters, ranking)
    if len(passing) < depth and len(ranking) == depth * FILTERED:
        passing = await kept(connection, space, filters)
        ranking = scores.best(depth, among=np.array(sorted(passing), np.int64))
    return [chunk for chunk in ranking if chunk in passing][:depth]


class Titles:
    """BM25 over the titles of a space's documents."""

    def __init__(self, scores: Scores) -> None:
        self._scores = scores

    @classmethod
    async def read(cls, connection: Connection, space: Space, query: Query) -> "Titles":
        """Score the titles."""
        scores, _ = await postings.score(connection, space, "titles", query.content)
        return cls(scores)

    def documents(self, limit: int) -> list[int]:
        """Documents with the best titles, best first."""
        return self._scores.best(limit)

    def of(self, documents: Mapping[int, int]) -> dict[int, float]:
        """Scaled scores of chunks, given with their documents."""
        ids = np.array(list(documents.values()), np.int64)
        return by_maximum(dict(zip(documents, self._scores.of(ids).tolist(), strict=True)))


@dataclass(frozen=True)
class Meaning:
    """Vectors of a query and its variants, in the model of the space.

    `knows_language` says whether the model was trained on the query's language.
    """

    vectors: Sequence[list[float]]
    knows_language: bool = True

    async def find(
        self, connection: Connection, space: Space, filters: Filters, depth: int
    ) -> list[int]:
        """The nearest chunks that pass the filters: `depth` of each variant, or all."""
        found: dict[int, None] = {}
        for vector in self.vectors:
            for chunk in await nearest(connection, space, vector, filters, depth):
                found.setdefault(chunk)
        return list(found)

    async def cosines(
        self, connection: Connection, space: Space, chunks: Sequence[int]
    ) -> dict[int, float]:
        """Cosine of each chunk that has a vector; of the variants, the highest."""
        best: dict[int, float] = {}
        for vector in self.vectors:
            cursor = await connection.execute(
                "SELECT chunk_id, 1 - (embedding <=> %(vector)s) FROM quire.embeddings "
                f"WHERE space_id = %(space)s AND {OWN} AND chunk_id = ANY(%(chunks)s)",
                {**space.named, "vector": HalfVector(vector), "chunks": list(chunks)},
            )
            for chunk, cosine in await cursor.fetchall():
                if not math.isnan(cosine):
                    best[chunk] = max(float(cosine), best.get(chunk, -1.0))
        return best


async def named(
    connection: Connection, space: Space, text: str, limit: int | None = EXACT_DOCUMENTS
) -> list[int]:
    """Documents whose uri, tree path, url, full title or alias is the query itself."""
    wanted = storable(text.strip())
    path = wanted.removeprefix(f"library://{space.name}/")
    cursor = await connection.execute(
        "SELECT id FROM (SELECT id, 0 AS rank FROM quire.documents WHERE space_id = %(space)s "
        "AND (uri = %(uri)s OR path = %(path)s) UNION ALL "
        "SELECT document_id, 1 + alias::int FROM quire.names "
        f"WHERE space_id = %(space)s AND name = %(name)s) AS found WHERE {OWN} "
        "GROUP BY id ORDER BY min(rank), id LIMIT %(limit)s",
        {
            **space.named,
            "uri": wanted,
            "path": path,
            "name": folded_name(wanted),
            "limit": limit,
        },
    )
    return [row[0] for row in await cursor.fetchall()]


async def chunks_of(
    connection: Connection, space: Space, documents: Sequence[int], filters: Filters
) -> dict[int, list[int]]:
    """Chunks of some documents that pass the filters, in the order of the text."""
    condition, parameters = conditions(filters)
    cursor = await connection.execute(
        "SELECT c.document_id, c.id FROM quire.chunks c "
        f"WHERE c.space_id = %(space)s AND {OWN} AND c.document_id = ANY(%(wanted)s){condition} "
        "ORDER BY c.document_id, c.start_offset",
        {**space.named, "wanted": list(documents), **parameters},
    )
    found: dict[int, list[int]] = {document: [] for document in documents}
    for document, chunk in await cursor.fetchall():
        found[document].append(chunk)
    return found


async def documents_of(
    connection: Connection, space: Space, chunks: Sequence[int]
) -> dict[int, int]:
    """The document of each chunk."""
    cursor = await connection.execute(
        "SELECT id, document_id FROM quire.chunks "
        f"WHERE space_id = %(space)s AND {OWN} AND id = ANY(%(chunks)s)",
        {**space.named, "chunks": list(chunks)},
    )
    return dict(await cursor.fetchall())
