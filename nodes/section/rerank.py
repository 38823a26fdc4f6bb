"""Order the pool for one section."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from uuid import uuid4

from langgraph.runtime import Runtime

from connectors.registry import build_filters, choose_connectors
from library.library import Library
from models.rerank import rerank_texts
from nodes.common.run import emit, get_context, get_library, is_outermost
from retrieval.passages.listings import select_answering
from retrieval.passages.pool import number_sources, select_relevant_hits
from retrieval.search.word_ranker import WordRanker
from schema.context import Context
from schema.documents import Passage
from schema.events import SectionRanked
from schema.search import SearchOptions
from schema.state import PoolEntry, SectionState, SectionUpdate

MAX_PASSAGES = 60
"""Passages that the writer may choose from."""

MIN_SHARE = 0.4
"""Of the words' score of the best passage of a question: with less to none of the questions, a
passage is beside the point."""

MIN_SCORE_SHARE = 0.8
"""Share of the pool's best score from which a passage stays: it may have been found by meaning."""

MIN_PASSAGES = 8
"""The best passages, which stay."""


async def rerank(state: SectionState, runtime: Runtime[Context]) -> SectionUpdate:
    """Put the passages that answer this section first, the best of each question before all.

    Those far below the best, and lists of what stands elsewhere, are left out, unless a text is
    rewritten: it may rest on them. Draws the run's id, unless the section is a part of a report.
    """
    context = get_context(runtime)
    library = await get_library(runtime)
    pool = state.get("pool")
    if pool is None:
        pool = await _search(state, library, context)
    passages = await library.load_passages([entry["chunk"] for entry in pool])
    pool = [entry for entry in pool if entry["chunk"] in passages]
    instructions = [state["revision"]["instruction"]] if "revision" in state else []
    questions = [*instructions, *state["questions"]]
    if not instructions:
        pool = _drop_listings(pool, passages, [state["title"], *questions])
    texts = [
        f"{passages[entry['chunk']].heading}\n{passages[entry['chunk']].text}" for entry in pool
    ]
    query = "\n".join([state["title"], *questions])
    ranking = await rerank_texts(query, texts, context.rerank_model)
    order = sorted(range(len(pool)), key=lambda i: (-ranking.scores[i], i))
    evidence = await asyncio.to_thread(_weigh_words, [*questions, state["title"]], texts)
    order = list(dict.fromkeys([*_find_best_of_each(evidence[: len(questions)]), *order]))
    if not instructions:
        chosen = {one["chunk"] for one in state.get("found") or []}
        order = _drop_weak(order, pool, evidence, chosen)
    ranked = [pool[i] for i in order][:MAX_PASSAGES]
    index = state.get("index", 0)
    emit(runtime, SectionRanked(type="ranked", section=index, passages=len(ranked)))
    run = uuid4().hex if is_outermost(runtime) else state.get("run", "")
    return {"run": run, "ranked": ranked, "degraded": ranking.degraded}


def _drop_listings(
    pool: list[PoolEntry], passages: Mapping[int, Passage], questions: Sequence[str]
) -> list[PoolEntry]:
    """The passages that may answer; all of them where none does."""
    chunks = [passages[entry["chunk"]] for entry in pool]
    answering = select_answering(chunks, questions)
    return [entry for entry, is_text in zip(pool, answering, strict=True) if is_text] or pool


def _weigh_words(questions: Sequence[str], texts: Sequence[str]) -> list[list[float]]:
    """For each question what each text holds of its words, as a share of what the best one does."""
    ranker = WordRanker(texts)
    found = [ranker.scores(question) for question in questions]
    return [[score / (max(scores) or 1.0) for score in scores] for scores in found if scores]


def _find_best_of_each(evidence: Sequence[Sequence[float]]) -> list[int]:
    """The passage that holds most of each question, so that no question goes unheard."""
    return [shares.index(1.0) for shares in evidence if 1.0 in shares]


def _drop_weak(
    order: Sequence[int],
    pool: Sequence[PoolEntry],
    evidence: Sequence[Sequence[float]],
    chosen: Collection[int],
) -> list[int]:
    """The places in the pool, best first, without those of passages far below the best.

    `chosen` are chunks that a deep search read and chose.
    """
    floor = MIN_SCORE_SHARE * max((entry["score"] for entry in pool), default=0.0)
    return [
        i
        for rank, i in enumerate(order)
        if rank < MIN_PASSAGES
        or pool[i]["chunk"] in chosen
        or pool[i]["score"] >= floor > 0
        or any(shares[i] >= MIN_SHARE for shares in evidence)
    ]


async def _search(state: SectionState, library: Library, context: Context) -> list[PoolEntry]:
    """A pool of the section's own, from the library, where it runs without a report."""
    found: dict[int, PoolEntry] = {}
    numbers: dict[int, int] = {}
    filters = [
        await asyncio.to_thread(build_filters, connector, context.paths)
        for connector in choose_connectors(context.connectors, paths=bool(context.paths))
        if connector.kind == "indexed"
    ]
    for question in [state["title"], *state["questions"]]:
        for kept_to in filters:
            options = SearchOptions(limit=context.passages_per_question, filters=kept_to)
            hits = select_relevant_hits(await library.search(question, options))
            numbers = number_sources(numbers, [hit.document for hit in hits])
            for hit in hits:
                entry = PoolEntry(chunk=hit.chunk, number=numbers[hit.document], score=hit.score)
                found.setdefault(hit.chunk, entry)
    return sorted(found.values(), key=lambda entry: -entry["score"])
