"""BM25 of a space: the rows of the inverted index that a query needs, read in one statement."""

from collections.abc import Mapping, Sequence

import numpy as np

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from library.index.buffered_postings import FIELD_CODES, OF_PARTS, IndexField, find_parts
from retrieval.search.bm25_scores import BM25Scores, Postings
from retrieval.search.inverted_index import Pack
from retrieval.search.query import QueryWord, weigh_query_terms

MOST_POSTINGS = 1_500_000
"""Entries that one query reads, its rarest terms first: bounds the time of a question whose every
word is common in a large library. The commonest terms, which tell least, go unscored beyond it."""

_READ = f"""
WITH known AS MATERIALIZED (
    SELECT term, block, entries, octet_length(entries) / 4 AS held FROM quire.postings
    WHERE space_id = %(space)s AND {OWNER_CHECK} AND field = %(field)s
        AND term = ANY(%(terms)s::int[])
), counted AS (
    SELECT term, sum(held)::int AS df FROM known GROUP BY term
), chosen AS (
    SELECT term, sum(df) OVER (ORDER BY df, term) <= greatest(%(most)s, min(df) OVER ()) AS scored
    FROM counted
), packs AS MATERIALIZED (
    SELECT block, terms, counts, entries {OF_PARTS}
)
SELECT string_agg(int4send(term) || int4send(block) || int4send(held) || int4send(scored::int),
        ''::bytea),
    string_agg(entries, ''::bytea) FILTER (WHERE scored),
    (SELECT array_agg(block) FROM packs), (SELECT array_agg(terms) FROM packs),
    (SELECT array_agg(counts) FROM packs), (SELECT array_agg(entries) FROM packs)
FROM known JOIN chosen USING (term)
"""
"""One row, since hundreds cost more than what they hold; its sums go through them in one order."""


async def score_words(
    connection: Connection, space: Space, field: IndexField, words: Sequence[QueryWord]
) -> tuple[BM25Scores, Mapping[int, int]]:
    """Score every chunk, or every title, of a space against the words of a query.

    Args:
        connection: a session of the space's owner.
        space: the search space.
        field: what to search.
        words: of the query, with repeats.

    Returns:
        The scores, and in how many texts each known term occurs.
    """
    terms = list({term for word in words for term in word.terms})
    cursor = await connection.cursor(binary=True).execute(
        _READ,
        {
            **space.sql_parameters,
            "field": FIELD_CODES[field],
            "terms": terms,
            "most": MOST_POSTINGS,
            "parts": find_parts(field, terms),
        },
    )
    [[rows, entries, *columns]] = await cursor.fetchall()
    stored = Postings(np.frombuffer(rows or b"", ">i4").reshape(-1, 4).T, entries or b"")
    packs = list(map(Pack, *columns)) if columns[0] else []
    postings = stored.add_packs(packs, terms)
    df = postings.count_texts()
    texts = space.chunks if field == "chunks" else space.documents
    return BM25Scores(postings, weigh_query_terms(words, df, texts)), df
