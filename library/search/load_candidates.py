"""What the later stages of a search need to know of a chunk beside its score."""

from collections.abc import Sequence

import numpy as np
from psycopg.rows import dict_row

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space
from retrieval.search.candidates import Candidate


async def load_candidates(
    connection: Connection, space: Space, chunks: Sequence[int], *, links: bool = False
) -> list[Candidate]:
    """Candidates for chunks, in the order given; one that is gone meanwhile is left out.

    Args:
        connection: a session of the space's owner.
        space: the search space.
        chunks: their ids.
        links: count the documents that link to each, which takes as long as all the rest.
    """
    cursor = await connection.cursor(row_factory=dict_row).execute(
        "SELECT c.id AS chunk, c.document_id AS document, c.kind, c.text, c.terms AS term_ids, "
        "d.uri, d.url, d.title, d.published, d.superseded, "
        "CASE WHEN %(links)s THEN "
        "(SELECT count(DISTINCT l.document_id) FROM quire.links l WHERE l.space_id = d.space_id "
        "AND (l.target IN (d.uri, nullif(d.url, '')) OR l.target IN "
        "(SELECT 'wiki:' || n.name FROM quire.names n WHERE n.document_id = d.id)) "
        "AND l.document_id <> d.id) ELSE 0 END AS links_in "
        "FROM quire.chunks c JOIN quire.documents d ON d.id = c.document_id "
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK} AND c.id = ANY(%(chunks)s)",
        {**space.sql_parameters, "chunks": list(chunks), "links": links},
    )
    known: dict[int, Candidate] = {}
    for row in await cursor.fetchall():
        row["term_ids"] = frozenset(np.frombuffer(row["term_ids"], "<i4").tolist())
        known[row["chunk"]] = Candidate(**row)
    return [known[chunk] for chunk in chunks if chunk in known]
