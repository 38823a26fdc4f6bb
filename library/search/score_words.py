"""BM25 of a space: the rows of the inverted index that a query needs, read in one statement."""

from collections.abc import Mapping, Sequence

import numpy as np

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from library.index.postings import FIELD_CODES, IndexField
from retrieval.search.bm25_scores import BM25Scores, Postings
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
    SELECT term, df,
        sum(df) OVER (ORDER BY df, term) <= greatest(%(most)s, min(df) OVER ()) AS scored
    FROM counted
)
SELECT string_agg(int4send(term) || int4send(df) || int4send(block)
        || int4send(CASE WHEN scored THEN held ELSE 0 END), ''::bytea),
    string_agg(entries, ''::bytea) FILTER (WHERE scored)
FROM known JOIN chosen USING (term)
"""
"""One row, since hundreds cost more than what they hold; both sums go through them in one order."""


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
    cursor = await connection.cursor(binary=True).execute(
        _READ,
        {
            **space.sql_parameters,
            "field": FIELD_CODES[field],
            "terms": list({term for word in words for term in word.terms}),
            "most": MOST_POSTINGS,
        },
    )
    [[rows, entries]] = await cursor.fetchall()
    columns = np.frombuffer(rows or b"", ">i4").reshape(-1, 4).T.astype(np.int64)
    postings = Postings(columns, entries or b"")
    df = postings.count_texts()
    texts = space.chunks if field == "chunks" else space.documents
    return BM25Scores(postings, weigh_query_terms(words, df, texts)), df
