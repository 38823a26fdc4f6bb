"""The flat search's candidates, looked at again along the tree: good folders lift what they hold.

Everything is scored on the scale of the lexical retriever, where 1 is the best chunk's BM25: a
folder's overview counts as if it were a chunk, with the same idf and the same pivot length, and at
most 1.
The descent itself is `retrieval.search.folder_descent`'s. Its leaves are chunks: the candidates,
and of those that the lexical retriever ranks lower the best of each folder.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK
from library.index.filters import build_conditions
from library.index.folders import get_parent, list_ancestors
from library.search.load_candidates import load_candidates
from library.search.score_words import score_words
from library.search.search_pass import SearchPass
from library.session import Session
from models.rerank import WORDS, rerank_texts
from retrieval.passages.folder_abstracts import strip_counts
from retrieval.search.bm25 import choose_pivot
from retrieval.search.bm25_scores import BM25Scores
from retrieval.search.candidates import Candidate, sort_best_first
from retrieval.search.folder_descent import Descent, LiftedLeaf
from retrieval.search.inverted_index import TermVector
from retrieval.search.query import weigh_query_terms
from schema.report import Degradation
from schema.search import Step
from schema.settings import get_settings
from text.language import detect_language
from text.tokens import hash_term, tokenise_query, tokenise_to_ids

LEXICAL_CHUNKS = 2_000
"""Best chunks by words whose places are looked up."""

MAX_LEAVES = 10
"""Chunks of a folder, beside the candidates, that may come in with it."""

MAX_FOLDERS = 128
"""Folders whose overviews are read at a time: those whose abstracts hold most of the query."""


@dataclass(frozen=True)
class DescentResult:
    """Candidates with their new scores, best first; every step; what kept it from being better."""

    candidates: list[Candidate]
    trace: list[Step]
    degraded: list[Degradation] = field(default_factory=list)


async def descend_tree(
    session: Session,
    asked: SearchPass,
    candidates: Sequence[Candidate],
    propagation: float,
    reranker: str | None = None,
) -> DescentResult:
    """Descend the tree from its roots and from the folders that speak of the query.

    Args:
        session: of the space; `library.index.folders.refresh_folders` came before. No connection
            of it waits for the reranker.
        asked: the query.
        candidates: the flat search's, with fused scores in 0..1 and no boosts yet.
        propagation: share of a folder's score in its children's.
        reranker: puts the folders in order; the installation's where None. `words` is none.

    Returns:
        All the candidates, none with a lower score, and chunks that only their folder led to.
    """
    async with session.connect() as connection:
        words = await _LexicalScorer.from_database(connection, asked)
        looked_at = [*words.find_best(), *(one.chunk for one in candidates)]
        places = await _load_folders(connection, asked, looked_at)
        words.scale(places)
        leaves = {chunk: folder for chunk, folder in places.items() if folder}
        tree = {folder for path in leaves.values() for folder in [path, *list_ancestors(path)]}
        start = await _score_folders(connection, asked, words, tree)
    ranked, degraded = await _rerank_folders(asked, start, reranker)
    own = {one.chunk: one.score for one in candidates}
    further = words.score_remaining(candidates, [chunk for chunk in leaves if chunk not in own])
    rest = max(further.values(), default=0.0)
    descent = Descent(
        ranked,
        own,
        propagation=propagation,
        best=asked.options.limit,
        unseen=rest if len(start) == len(tree) else 1.0,
    )
    known = dict(ranked)
    async with session.connect() as connection:
        while opened := descent.open_next_folders():
            new = {one for one in tree - known.keys() if get_parent(one) in opened}
            found = await _score_folders(connection, asked, words, new)
            known |= {path: folder.score for path, folder in found.items()}
            for folder in opened:
                below = {path: score for path, score in known.items() if get_parent(path) == folder}
                descent.add_children(folder, below, _collect_leaves(folder, leaves, own, further))
        changed = await _apply_descent(connection, asked, candidates, descent.lifted)
    return DescentResult(changed, descent.trace, degraded)


class _LexicalScorer:
    """BM25 of the query and its variants, of chunks and of any text; 1 is the best chunk's."""

    def __init__(self, scored: Sequence[tuple[BM25Scores, dict[int, float]]]) -> None:
        """Args: scored: of each wording, the chunks' scores and what its terms count."""
        self._scored = scored
        self._highest = [1.0] * len(scored)

    @classmethod
    async def from_database(cls, connection: Connection, asked: SearchPass) -> "_LexicalScorer":
        """Score the space."""
        scored = []
        for query in asked.queries:
            scores, df = await score_words(connection, asked.space, "chunks", query.words)
            scored.append((scores, weigh_query_terms(query.words, df, asked.space.chunks)))
        return cls(scored)

    @property
    def values(self) -> dict[int, float]:
        """What each term counts, in any of the variants."""
        return {term: value for _, values in self._scored for term, value in values.items()}

    def find_best(self) -> list[int]:
        """The chunks that hold most of the query."""
        found = [scores.best(LEXICAL_CHUNKS) for scores, _ in self._scored]
        return list(dict.fromkeys(chunk for chunks in found for chunk in chunks))

    def scale(self, chunks: Iterable[int]) -> None:
        """Let 1 be the score of the best of some chunks."""
        ids = np.array(list(chunks), np.int64)
        self._highest = [
            float(max(scores.scores_for(ids), default=0.0)) or 1.0 for scores, _ in self._scored
        ]

    def score_remaining(
        self, candidates: Sequence[Candidate], chunks: Sequence[int]
    ) -> dict[int, float]:
        """Fused scores of chunks that the words alone speak for, those above 0.

        The words' part in a fused score is what they gave to the candidate that they like best.
        """
        part = max((one.retriever_scores.get("lexical", 0.0) for one in candidates), default=0.0)
        ids = np.array(chunks, np.int64)
        scaled = [
            scores.scores_for(ids) / highest
            for (scores, _), highest in zip(self._scored, self._highest, strict=True)
        ]
        best = (part * np.max(scaled, axis=0)).tolist()
        return {chunk: score for chunk, score in zip(chunks, best, strict=True) if score}

    def score_text(self, text: TermVector) -> float:
        """The score of a text as if it were a chunk, at most 1."""
        held: dict[int, float] = dict(zip(text.ids.tolist(), text.weights.tolist(), strict=True))
        found = (
            sum(value * held.get(term, 0.0) for term, value in values.items()) / highest
            for (_, values), highest in zip(self._scored, self._highest, strict=True)
        )
        return min(1.0, max(found))


@lru_cache(maxsize=2_000)  # analysis takes 1 ms a folder, and the same ones are asked again
def _analyse_overview(overview: str, commonest: str) -> TermVector:
    """The terms of an overview, in its language or else the commonest one."""
    text = strip_counts(overview)
    language = detect_language(text, commonest)
    return TermVector.from_terms(tokenise_to_ids(text, language), choose_pivot(language))


@dataclass(frozen=True)
class _ScoredFolder:
    score: float
    abstract: str


async def _load_folders(
    connection: Connection, asked: SearchPass, chunks: Sequence[int]
) -> dict[int, str | None]:
    """The folder of each chunk that passes the filters; None where it stands in none."""
    condition, parameters = build_conditions(asked.filters)
    cursor = await connection.execute(
        "SELECT c.id, substring(d.path FROM '^(.*)/') FROM quire.chunks c "
        "JOIN quire.documents d ON d.id = c.document_id "
        f"WHERE c.space_id = %(space)s AND {OWNER_CHECK} AND c.id = ANY(%(chunks)s){condition} "
        "ORDER BY c.id",
        {**asked.space.sql_parameters, "chunks": list(chunks), **parameters},
    )
    return dict(await cursor.fetchall())


async def _score_folders(
    connection: Connection, asked: SearchPass, words: _LexicalScorer, folders: Iterable[str]
) -> dict[str, _ScoredFolder]:
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
        for variants in tokenise_query(query.text, asked.space.languages)
        for term in variants
        if (value := values.get(hash_term(term), 0.0))
    }
    cursor = await connection.execute(
        "SELECT path, abstract, overview FROM quire.folders, LATERAL (SELECT coalesce(sum(value), "
        "0) AS held FROM unnest(%(terms)s::text[], %(values)s::float[]) AS sought (term, value) "
        "WHERE strpos(lower(path || ' ' || abstract), term) > 0) AS words "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND path = ANY(%(among)s) "
        "ORDER BY parent = '' DESC, held DESC, path LIMIT %(most)s",
        {
            **asked.space.sql_parameters,
            "among": among,
            "terms": list(sought),
            "values": list(sought.values()),
            "most": MAX_FOLDERS,
        },
    )
    rows = await cursor.fetchall()
    commonest = asked.queries[0].language

    def score() -> dict[str, _ScoredFolder]:
        return {
            path: _ScoredFolder(words.score_text(_analyse_overview(overview, commonest)), abstract)
            for path, abstract, overview in rows
        }

    return await asyncio.to_thread(score)


async def _rerank_folders(
    asked: SearchPass, folders: dict[str, _ScoredFolder], reranker: str | None
) -> tuple[dict[str, float], list[Degradation]]:
    """The folders' scores, dealt out in the order of a reranker where there is one.

    A reranker's own numbers have a scale of their own; so it says which folder is better, and the
    scores of the words say by how much.
    """
    scores = {path: folder.score for path, folder in folders.items()}
    name = reranker or get_settings().rerank_model
    if name == WORDS or not folders:
        return scores, []
    abstracts = [folder.abstract for folder in folders.values()]
    ranking = await rerank_texts(asked.queries[0].text, abstracts, name)
    if ranking.degraded:
        return scores, ranking.degraded
    judged = dict(zip(folders, ranking.scores, strict=True))
    order = sorted(judged, key=lambda path: (-judged[path], -scores[path], path))
    return dict(zip(order, sorted(scores.values(), reverse=True), strict=True)), []


def _collect_leaves(
    folder: str, leaves: dict[int, str], own: dict[int, float], further: dict[int, float]
) -> dict[int, float]:
    """Own scores of what stands directly in a folder: its candidates, and the best of the rest."""
    here = [chunk for chunk, place in leaves.items() if place == folder]
    rest = [chunk for chunk in here if chunk in further]
    best = sorted(rest, key=lambda chunk: (-further[chunk], chunk))[:MAX_LEAVES]
    return {chunk: own[chunk] for chunk in here if chunk in own} | {
        chunk: further[chunk] for chunk in best
    }


async def _apply_descent(
    connection: Connection,
    asked: SearchPass,
    candidates: Sequence[Candidate],
    lifted: Sequence[LiftedLeaf],
) -> list[Candidate]:
    """The candidates as the descent leaves them, with the folder that did it."""
    by_chunk = {one.chunk: one for one in candidates}
    taken = {leaf.leaf: leaf for leaf in lifted if leaf.is_new}
    for one in await load_candidates(connection, asked.space, list(taken)):
        own = taken[one.chunk].own
        by_chunk[one.chunk] = replace(one, score=own, retriever_scores={"lexical": round(own, 4)})
    for leaf in lifted:
        if leaf.leaf in by_chunk:
            before, reason = by_chunk[leaf.leaf], f"folder {leaf.folder}"
            by_chunk[leaf.leaf] = (
                before.multiply_score(leaf.score / before.score, reason)
                if before.score
                else replace(before, score=leaf.score, why=(reason,))
            )
    return sort_best_first(by_chunk.values())
