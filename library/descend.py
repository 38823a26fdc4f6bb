"""The flat search's candidates, looked at again along the tree: good folders lift what they hold.

Everything is scored on the scale of the words arm, where 1 is the best chunk's BM25: a folder's
overview counts as if it were a chunk, with the same idf and the same pivot length, and at most 1.
The descent itself is `retrieval.hierarchy`'s. Its leaves are chunks: the candidates, and of those
that the words arm ranks lower the best of each folder.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from library import postings
from library.asked import Asked
from library.database import Connection, Database
from library.describe import described
from library.filters import conditions
from library.spaces import OWN
from library.tree import ancestors, parent
from models.rerank import WORDS, rerank
from retrieval.abstracts import overview_words
from retrieval.analysis import query_terms, term_id, term_ids
from retrieval.candidates import Candidate, best_first
from retrieval.hierarchy import Descent, Event, Raised, Taken
from retrieval.inverted import Scores, Terms
from retrieval.language import detect_language
from retrieval.query import term_values
from schema.report import Degraded
from schema.search import Step
from schema.settings import settings

LOOKED_AT = 2_000
"""Best chunks by words whose places are looked up."""

LEAVES = 10
"""Chunks of a folder, beside the candidates, that may come in with it."""

FOLDERS = 128
"""Folders whose overviews are read at a time: those whose abstracts hold most of the query."""


@dataclass(frozen=True)
class Descended:
    """Candidates with their new scores, best first; every step; what kept it from being better."""

    candidates: list[Candidate]
    trace: list[Step]
    degraded: list[Degraded] = field(default_factory=list)


async def descended(
    database: Database,
    asked: Asked,
    candidates: Sequence[Candidate],
    propagation: float,
    reranker: str | None = None,
) -> Descended:
    """Descend the tree from its roots and from the folders that speak of the query.

    Args:
        database: the library's; `library.tree.refreshed` came before. No connection of it waits
            for the reranker.
        asked: the query.
        candidates: the flat search's, with fused scores in 0..1 and no signals yet.
        propagation: share of a folder's score in its children's.
        reranker: puts the folders in order; the installation's where None. `words` is none.

    Returns:
        All the candidates, none with a lower score, and chunks that only their folder led to.
    """
    async with database.session(asked.space.user) as connection:
        words = await _Words.read(connection, asked)
        looked_at = [*words.best(), *(one.chunk for one in candidates)]
        places = await _places(connection, asked, looked_at)
        words.scale(places)
        leaves = {chunk: folder for chunk, folder in places.items() if folder}
        tree = {folder for path in leaves.values() for folder in [path, *ancestors(path)]}
        start = await _scored(connection, asked, words, tree)
    ranked, degraded = await _reranked(asked, start, reranker)
    own = {one.chunk: one.score for one in candidates}
    further = words.shared(candidates, [chunk for chunk in leaves if chunk not in own])
    rest = max(further.values(), default=0.0)
    descent = Descent(
        ranked,
        own,
        propagation=propagation,
        best=asked.options.limit,
        unseen=rest if len(start) == len(tree) else 1.0,
    )
    known = dict(ranked)
    async with database.session(asked.space.user) as connection:
        while opened := descent.next_folders():
            new = {one for one in tree - known.keys() if parent(one) in opened}
            found = await _scored(connection, asked, words, new)
            known |= {path: folder.score for path, folder in found.items()}
            for folder in opened:
                below = {path: score for path, score in known.items() if parent(path) == folder}
                descent.add(folder, below, _held(folder, leaves, own, further))
        changed = await _changed(connection, asked, candidates, descent.trace)
    return Descended(changed, [_step(event) for event in descent.trace], degraded)


class _Words:
    """BM25 of the query and its variants, of chunks and of any text; 1 is the best chunk's."""

    def __init__(self, scored: Sequence[tuple[Scores, dict[int, float]]]) -> None:
        """Args: scored: of each wording, the chunks' scores and what its terms count."""
        self._scored = scored
        self._highest = [1.0] * len(scored)

    @classmethod
    async def read(cls, connection: Connection, asked: Asked) -> "_Words":
        """Score the space."""
        scored = []
        for query in asked.queries:
            scores, df = await postings.score(connection, asked.space, "chunks", query.words)
            scored.append((scores, term_values(query.words, df, asked.space.chunks)))
        return cls(scored)

    @property
    def values(self) -> dict[int, float]:
        """What each term counts, in any of the variants."""
        return {term: value for _, values in self._scored for term, value in values.items()}

    def best(self) -> list[int]:
        """The chunks that hold most of the query."""
        found = [scores.best(LOOKED_AT) for scores, _ in self._scored]
        return list(dict.fromkeys(chunk for chunks in found for chunk in chunks))

    def scale(self, chunks: Iterable[int]) -> None:
        """Let 1 be the score of the best of some chunks."""
        ids = np.array(list(chunks), np.int64)
        self._highest = [
            float(max(scores.of(ids), default=0.0)) or 1.0 for scores, _ in self._scored
        ]

    def shared(self, candidates: Sequence[Candidate], chunks: Sequence[int]) -> dict[int, float]:
        """Fused scores of chunks that the words alone speak for, those above 0.

        The words' part in a fused score is what they gave to the candidate that they like best.
        """
        part = max((one.arms.get("words", 0.0) for one in candidates), default=0.0)
        ids = np.array(chunks, np.int64)
        scaled = [
            scores.of(ids) / highest
            for (scores, _), highest in zip(self._scored, self._highest, strict=True)
        ]
        best = (part * np.max(scaled, axis=0)).tolist()
        return {chunk: score for chunk, score in zip(chunks, best, strict=True) if score}

    def of_text(self, text: Terms) -> float:
        """The score of a text as if it were a chunk, at most 1."""
        held: dict[int, float] = dict(zip(text.ids.tolist(), text.weights.tolist(), strict=True))
        found = (
            sum(value * held.get(term, 0.0) for term, value in values.items()) / highest
            for (_, values), highest in zip(self._scored, self._highest, strict=True)
        )
        return min(1.0, max(found))


@lru_cache(maxsize=2_000)  # analysis takes 1 ms a folder, and the same ones are asked again
def _analysed(overview: str, commonest: str) -> Terms:
    """The terms of an overview, in its language or else the commonest one."""
    text = overview_words(overview)
    return Terms.of(term_ids(text, detect_language(text, commonest)))


@dataclass(frozen=True)
class _Folder:
    score: float
    abstract: str


async def _places(
    connection: Connection, asked: Asked, chunks: Sequence[int]
) -> dict[int, str | None]:
    """The folder of each chunk that passes the filters; None where it stands in none."""
    condition, parameters = conditions(asked.filters)
    cursor = await connection.execute(
        "SELECT c.id, substring(d.path FROM '^(.*)/') FROM quire.chunks c "
        "JOIN quire.documents d ON d.id = c.document_id "
        f"WHERE c.space_id = %(space)s AND {OWN} AND c.id = ANY(%(chunks)s){condition} "
        "ORDER BY c.id",
        {**asked.space.named, "chunks": list(chunks), **parameters},
    )
    return dict(await cursor.fetchall())


async def _scored(
    connection: Connection, asked: Asked, words: _Words, folders: Iterable[str]
) -> dict[str, _Folder]:
    """The best of some folders: by the words in their abstracts, then scored by their overviews.

    Words are looked for as parts of the text, which costs no index; roots always come along.
    """
    among = sorted(folders)
    if not among:
        return {}
    values = words.values
    sought = {
        term: value
        for query in asked.queries
        for variants in query_terms(query.text, asked.space.languages)
        for term in variants
        if (value := values.get(term_id(term), 0.0))
    }
    cursor = await connection.execute(
        "SELECT path, abstract, overview FROM quire.folders, LATERAL (SELECT coalesce(sum(value), "
        "0) AS held FROM unnest(%(terms)s::text[], %(values)s::float[]) AS sought (term, value) "
        "WHERE strpos(lower(path || ' ' || abstract), term) > 0) AS words "
        f"WHERE space_id = %(space)s AND {OWN} AND path = ANY(%(among)s) "
        "ORDER BY parent = '' DESC, held DESC, path LIMIT %(most)s",
        {
            **asked.space.named,
            "among": among,
            "terms": list(sought),
            "values": list(sought.values()),
            "most": FOLDERS,
        },
    )
    rows = await cursor.fetchall()
    commonest = asked.queries[0].language

    def score() -> dict[str, _Folder]:
        return {
            path: _Folder(words.of_text(_analysed(overview, commonest)), abstract)
            for path, abstract, overview in rows
        }

    return await asyncio.to_thread(score)


async def _reranked(
    asked: Asked, folders: dict[str, _Folder], reranker: str | None
) -> tuple[dict[str, float], list[Degraded]]:
    """The folders' scores, dealt out in the order of a reranker where there is one.

    A reranker's own numbers have a scale of their own; so it says which folder is better, and the
    scores of the words say by how much.
    """
    scores = {path: folder.score for path, folder in folders.items()}
    name = reranker or settings().rerank_model
    if name == WORDS or not folders:
        return scores, []
    abstracts = [folder.abstract for folder in folders.values()]
    ranking = await rerank(asked.queries[0].text, abstracts, name)
    if ranking.degraded:
        return scores, ranking.degraded
    judged = dict(zip(folders, ranking.scores, strict=True))
    order = sorted(judged, key=lambda path: (-judged[path], -scores[path], path))
    return dict(zip(order, sorted(scores.values(), reverse=True), strict=True)), []


def _held(
    folder: str, leaves: dict[int, str], own: dict[int, float], further: dict[int, float]
) -> dict[int, float]:
    """Own scores of what stands directly in a folder: its candidates, and the best of the rest."""
    here = [chunk for chunk, place in leaves.items() if place == folder]
    rest = [chunk for chunk in here if chunk in further]
    best = sorted(rest, key=lambda chunk: (-further[chunk], chunk))[:LEAVES]
    return {chunk: own[chunk] for chunk in here if chunk in own} | {
        chunk: further[chunk] for chunk in best
    }


async def _changed(
    connection: Connection, asked: Asked, candidates: Sequence[Candidate], trace: Sequence[Event]
) -> list[Candidate]:
    """The candidates as the descent leaves them, with the folder that did it."""
    by_chunk = {one.chunk: one for one in candidates}
    taken = {event.leaf: event for event in trace if isinstance(event, Taken)}
    for one in await described(connection, asked.space, list(taken)):
        own = taken[one.chunk].own
        by_chunk[one.chunk] = replace(one, score=own, arms={"words": round(own, 4)})
    for event in trace:
        if isinstance(event, Taken | Raised) and event.leaf in by_chunk:
            before = by_chunk[event.leaf]
            by_chunk[event.leaf] = (
                before.times(event.score / before.score, f"folder {event.folder}")
                if before.score
                else replace(before, score=event.score, why=(f"folder {event.folder}",))
            )
    return best_first(by_chunk.values())


_NAMES = {
    "Opened": "folder opened", "Scored": "children scored", "Taken": "leaf taken",
    "Raised": "leaf raised", "Round": "round over", "Converged": "descent converged",
    "Exhausted": "descent exhausted", "Stopped": "descent stopped",
}  # fmt: skip


def _step(event: Event) -> Step:
    told = vars(event).items()
    rounded = {key: round(one, 4) if isinstance(one, float) else one for key, one in told}
    return Step(_NAMES[type(event).__name__], rounded)
