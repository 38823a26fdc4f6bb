"""Searching a space: a words arm, a meaning arm, their fusion.

An arm that cannot be used says so with a code; the others go on.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pgvector import SparseVector, Vector
from psycopg.errors import DataException

from library.database import Connection
from library.prepare import storable
from library.spaces import Space, find_space
from library.store import SPARSE_DIMENSIONS
from models.embeddings import Embedder
from retrieval.analysis import content_weight, detect_language, query_terms, term_id
from retrieval.bm25 import idf
from retrieval.fusion import average, ranked
from schema.context import SearchMode
from schema.documents import Hit
from schema.errors import ModelUnavailableError
from schema.report import Degraded

CANDIDATE_TERMS = 4
"""Rarest query words that pick the candidates of an unfiltered search: over 100,000 chunks the
top 10 then equals that of a full scan."""

PASSAGES_PER_DOCUMENT = 6
"""Passages that one document may bring into a search of whole documents."""

QUERY_CHARACTERS = 10_000


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a search is kept to; an empty field keeps to nothing. Dates are ISO 8601."""

    connectors: Sequence[str] = ()
    documents: Sequence[int] = ()
    under: Sequence[str] = ()
    since: str = ""
    until: str = ""

    def __bool__(self) -> bool:
        return any((self.connectors, self.documents, self.under, self.since, self.until))


@dataclass(frozen=True)
class Found:
    """The hits of one search, best first, and what kept it from being better."""

    hits: list[Hit]
    degraded: list[Degraded] = field(default_factory=list)


@dataclass(frozen=True)
class _Row:
    document: int
    score: float
    evidence: float


async def search(
    connection: Connection,
    user: str,
    space_name: str,
    query: str,
    *,
    limit: int,
    embedder: Embedder | None = None,
    filters: Filters | None = None,
    mode: SearchMode = "chunks",
) -> Found:
    """Find the passages of a space that speak of a query.

    Args:
        connection: a session of this user.
        user: the owner.
        space_name: the search space; an unknown one is empty.
        query: a question or words, in any language; 10,000 characters are read.
        limit: passages wanted, or documents in the mode `documents`.
        embedder: the embedding model; None leaves the words alone to search.
        filters: what to keep to.
        mode: rank passages one by one, or whole documents by their best passage.

    Returns:
        Hits, best first. In the mode `documents` the passages of a document stand together.
    """
    space = await find_space(connection, user, space_name)
    if space is None or not space.chunks:
        return Found([])
    depth = limit * (PASSAGES_PER_DOCUMENT if mode == "documents" else 2)
    filters = filters or Filters()
    query = storable(query[:QUERY_CHARACTERS])
    words = await _words(connection, space, query, filters, depth)
    meaning, degraded = await _meaning(connection, space, query, embedder, filters, depth)
    rows = words | meaning
    arms = [{chunk: row.score for chunk, row in arm.items()} for arm in (words, meaning)]
    hits = [
        Hit(chunk=chunk, document=rows[chunk].document, score=score, evidence=rows[chunk].evidence)
        for chunk, score in ranked(average(arms), len(rows))
    ]
    return Found(_whole_documents(hits, limit) if mode == "documents" else hits[:limit], degraded)


async def _words(
    connection: Connection, space: Space, query: str, filters: Filters, depth: int
) -> dict[int, _Row]:
    """BM25 over the chunks that hold the rarest words of the query."""
    query_words = query_terms(query, space.languages)
    count = Counter(term_id(term) for word in query_words for term in word)
    cursor = await connection.execute(
        "SELECT term, df FROM quire.terms WHERE space_id = %s AND term = ANY(%s)",
        (space.id, list(count)),
    )
    df: dict[int, int] = dict(await cursor.fetchall())
    if not df:
        return {}
    value = {term: idf(df.get(term, 0), space.chunks) for term in count}
    rarest = sorted(df, key=lambda term: (df[term], term))
    conditions, parameters = _conditions(filters)
    cursor = await connection.execute(
        "SELECT c.id, c.document_id, -(c.weights <#> %(query)s), c.terms FROM quire.chunks c "  # noqa: S608
        "WHERE c.space_id = %(space)s AND c.terms && %(candidates)s::int[] "
        f"{conditions} ORDER BY c.weights <#> %(query)s, c.id LIMIT %(depth)s",
        {
            "query": SparseVector({t: count[t] * value[t] for t in df}, SPARSE_DIMENSIONS),
            "space": space.id,
            "candidates": rarest if filters else _enough(rarest, df, depth),
            "depth": depth,
            **parameters,
        },
    )
    evidence = _Evidence(query, query_words, value)
    return {
        chunk: _Row(document, float(score), evidence.of(held))
        for chunk, document, score, held in await cursor.fetchall()
    }


async def _meaning(
    connection: Connection,
    space: Space,
    query: str,
    embedder: Embedder | None,
    filters: Filters,
    depth: int,
) -> tuple[dict[int, _Row], list[Degraded]]:
    """Cosine similarity of the query's vector, by exact scan of the space."""
    if embedder is None or space.embedding_model is None:
        return {}, []
    if space.embedding_model != embedder.name:
        detail = (
            f"The library's vectors are of {space.embedding_model}, the configured model is "
            f"{embedder.name}: only words were searched. Ingest again to make new vectors."
        )
        return {}, [Degraded(code="embedding_model_changed", detail=detail)]
    try:
        vector = await embedder.embed_query(query)
    except ModelUnavailableError as error:
        return {}, [Degraded(code="embedding_unavailable", detail=str(error))]
    conditions, parameters = _conditions(filters)
    try:
        async with connection.transaction():  # a savepoint: the words' rows are read already
            cursor = await connection.execute(
                "SELECT c.id, c.document_id, 1 - (e.embedding <=> %(vector)s) "  # noqa: S608
                "FROM quire.embeddings e JOIN quire.chunks c ON c.id = e.chunk_id "
                f"WHERE e.space_id = %(space)s {conditions} "
                "ORDER BY e.embedding <=> %(vector)s, c.id LIMIT %(depth)s",
                {"vector": Vector(vector), "space": space.id, "depth": depth, **parameters},
            )
            rows = await cursor.fetchall()
    except DataException:  # vectors of different lengths
        detail = (
            f"{embedder.name} makes vectors of another length than the library's: only words were "
            "searched. Remove the documents and ingest them again."
        )
        return {}, [Degraded(code="embedding_model_changed", detail=detail)]
    return {chunk: _Row(document, float(score), 1.0) for chunk, document, score in rows}, []


def _enough(rarest: list[int], df: dict[int, int], depth: int) -> list[int]:
    """The rarest terms: at least four, and so many that they can fill the result."""
    chosen, candidates = 0, 0
    while chosen < len(rarest) and (chosen < CANDIDATE_TERMS or candidates < 2 * depth):
        candidates += df[rarest[chosen]]
        chosen += 1
    return rarest[:chosen]


def _conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    """SQL for the filters, on chunks as `c`; the text is fixed, values are parameters."""
    tests = {
        "connectors": "d.connector = ANY(%(connectors)s)",
        "documents": "d.id = ANY(%(documents)s)",
        "under": "EXISTS (SELECT FROM unnest(%(under)s::text[]) AS root WHERE d.uri = root "
        "OR starts_with(d.uri, rtrim(root, '/') || '/'))",
        "since": "d.published >= %(since)s",
        "until": "d.published <> '' AND d.published < %(until)s",
    }
    values = {name: getattr(filters, name) for name in tests if getattr(filters, name)}
    if not values:
        return "", {}
    joined = " AND ".join(tests[name] for name in values)
    return (
        f"AND c.document_id IN (SELECT d.id FROM quire.documents d "  # noqa: S608
        f"WHERE d.space_id = %(space)s AND {joined})",
        {name: _storable(value) for name, value in values.items()},
    )


def _storable(value: str | Sequence[str] | Sequence[int]) -> object:
    """A filter's value as a parameter, without characters that PostgreSQL refuses."""
    if isinstance(value, str):
        return storable(value)
    return [storable(one) if isinstance(one, str) else one for one in value]


class _Evidence:
    """Which share of a query's weight a chunk's terms hold.

    A word's weight is 1 + its idf, a tenth of that for function words; a word that the space does
    not know weighs most. So a question about something else finds little, whatever BM25 says.
    The 1 is for small spaces, where the idf of the very subject is near 0.
    """

    def __init__(
        self, query: str, words: Iterable[frozenset[str]], value: dict[int, float]
    ) -> None:
        language = detect_language(query)
        self._words = [
            (
                {term_id(term) for term in word},
                (1 + min(value[term_id(term)] for term in word))
                * min(content_weight(term, language) for term in word),
            )
            for word in set(words)
        ]
        self._total = sum(weight for _, weight in self._words) or 1.0

    def of(self, held: Iterable[int]) -> float:
        terms = set(held)
        return sum(weight for ids, weight in self._words if ids & terms) / self._total


def _whole_documents(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Group hits by document, best document first, a few passages each."""
    by_document: dict[int, list[Hit]] = {}
    for hit in hits:
        by_document.setdefault(hit.document, []).append(hit)
    groups = list(by_document.values())[:limit]
    return [hit for group in groups for hit in group[:PASSAGES_PER_DOCUMENT]]
