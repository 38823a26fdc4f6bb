"""The second pass: from what was found along links between documents and symbols of code."""

from collections.abc import Sequence
from dataclasses import replace

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK
from library.index.filters import filter_chunks
from library.search.load_candidates import load_candidates
from library.search.search_pass import SearchPass
from library.session import Session, clean_text
from retrieval.search.candidates import Candidate, sort_best_first

MAX_ANCHORS = 10
"""Best candidates that a walk starts from."""

MAX_NEIGHBOURS = 50
"""Chunks that one step may lead to."""

_LINK_QUERY = f"""
WITH here AS (
    SELECT DISTINCT c.id AS anchor, d.id, d.uri, nullif(d.url, '') AS url
    FROM quire.chunks c JOIN quire.documents d ON d.id = c.document_id
    WHERE c.space_id = %(space)s AND {OWNER_CHECK} AND c.id = ANY(%(from)s)
), linked AS (
    SELECT h.anchor, d.id AS document FROM here h
    JOIN quire.links l ON l.document_id = h.id
    JOIN quire.documents d ON d.space_id = %(space)s AND l.target IN (d.uri, nullif(d.url, ''))
    UNION
    SELECT h.anchor, n.document_id FROM here h
    JOIN quire.links l ON l.document_id = h.id AND l.target LIKE 'wiki:%%'
    JOIN quire.names n ON n.space_id = %(space)s AND n.name = substr(l.target, 6)
    UNION
    SELECT h.anchor, l.document_id FROM here h
    JOIN quire.links l ON l.space_id = %(space)s AND l.target IN (h.uri, h.url)
    UNION
    SELECT h.anchor, l.document_id FROM here h
    JOIN quire.names n ON n.document_id = h.id
    JOIN quire.links l ON l.space_id = %(space)s AND l.target = 'wiki:' || n.name
)
SELECT anchor, chunk FROM (
    SELECT DISTINCT ON (c.id) l.anchor, c.id AS chunk, array_position(%(from)s, l.anchor) AS rank
    FROM linked l JOIN LATERAL (
        SELECT id FROM quire.chunks WHERE document_id = l.document ORDER BY start_offset LIMIT 1
    ) c ON true WHERE c.id <> ALL(%(from)s) ORDER BY c.id, rank
) reached ORDER BY rank, chunk LIMIT %(most)s
"""

_SYMBOL_QUERY = f"""
SELECT anchor, chunk FROM (
    SELECT DISTINCT ON (there.chunk_id) here.chunk_id AS anchor, there.chunk_id AS chunk,
        array_position(%(from)s, here.chunk_id) AS rank
    FROM quire.symbols here JOIN quire.symbols there
        ON there.space_id = %(space)s AND there.name = here.name
        AND (here.role = 'definition') <> (there.role = 'definition')
    WHERE here.space_id = %(space)s AND {OWNER_CHECK} AND here.chunk_id = ANY(%(from)s)
        AND there.chunk_id <> ALL(%(from)s)
    ORDER BY there.chunk_id, rank
) reached ORDER BY rank, chunk LIMIT %(most)s
"""


async def expand_links(
    session: Session, asked: SearchPass, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Add the neighbours of the best candidates, up to `walk_depth` steps away.

    A neighbour scores its anchor's score / (1 + hop). Links lead to the opening of a document,
    symbols from a call to the definition and back.
    """
    if not asked.options.walk_depth and not asked.options.near_symbol:
        return sort_best_first(candidates)
    async with session.connect() as connection:
        return await _expand(connection, asked, candidates)


async def _expand(
    connection: Connection, asked: SearchPass, candidates: Sequence[Candidate]
) -> list[Candidate]:
    options = asked.options
    found = {one.chunk: one for one in candidates}
    anchors = list(candidates[:MAX_ANCHORS])
    if options.near_symbol:
        defined = await _find_definitions(connection, asked, clean_text(options.near_symbol))
        anchors = await load_candidates(connection, asked.space, defined)
        anchors = [
            replace(one, exact=True, score=1.0, retriever_scores={"exact": 1.0}) for one in anchors
        ]
        found |= {one.chunk: one for one in anchors}
    start = {one.chunk: one.score for one in anchors}
    frontier = dict(start)
    for hop in range(1, options.walk_depth + 1):
        reached = await _take_step(connection, asked, frontier)
        for one in await load_candidates(connection, asked.space, list(reached)):
            score = reached[one.chunk] / (1 + hop)
            known = found.get(one.chunk, one)
            if known.score < score and not known.exact:
                scores = known.retriever_scores | {"walk": round(score, 4)}
                found[one.chunk] = replace(known, score=score, hop=hop, retriever_scores=scores)
        frontier = reached
    return sort_best_first(found.values())


async def _take_step(
    connection: Connection, asked: SearchPass, frontier: dict[int, float]
) -> dict[int, float]:
    """Chunks one step from the frontier that pass the filters, with their anchors' scores."""
    origin = sorted(frontier, key=lambda chunk: (-frontier[chunk], chunk))
    parameters = {**asked.space.sql_parameters, "from": origin, "most": MAX_NEIGHBOURS}
    reached: dict[int, float] = {}
    for statement in (_LINK_QUERY, _SYMBOL_QUERY) if origin else ():
        cursor = await connection.execute(statement, parameters)
        for anchor, chunk in await cursor.fetchall():
            reached[chunk] = max(frontier[anchor], reached.get(chunk, 0.0))
    if not asked.filters:
        return reached
    passing = await filter_chunks(connection, asked.space, asked.filters, list(reached))
    return {chunk: score for chunk, score in reached.items() if chunk in passing}


async def _find_definitions(connection: Connection, asked: SearchPass, symbol: str) -> list[int]:
    """Chunks that define a symbol, given by its last name or as qualified as in the source."""
    cursor = await connection.execute(
        "SELECT DISTINCT chunk_id FROM quire.symbols "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND role = 'definition' AND name = %(name)s "
        "AND (symbol = %(symbol)s OR %(symbol)s NOT LIKE '%%.%%') ORDER BY chunk_id",
        {**asked.space.sql_parameters, "name": symbol.rpartition(".")[2], "symbol": symbol},
    )
    defining = [row[0] for row in await cursor.fetchall()]
    if asked.filters:
        passing = await filter_chunks(connection, asked.space, asked.filters, defining)
        defining = [chunk for chunk in defining if chunk in passing]
    return defining[:MAX_ANCHORS]
