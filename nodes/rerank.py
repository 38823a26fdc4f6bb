"""Order the pool for one section."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from connectors.registry import chosen, filters_of
from library.library import Library
from models.rerank import rerank as rerank_texts
from nodes.run import context_of, emit, library_of
from retrieval.pool import number_sources, speaking
from retrieval.words import WordRanker
from schema.context import Context
from schema.events import SectionRanked
from schema.search import SearchOptions
from schema.state import PoolEntry, SectionState

KEPT = 60
"""Passages that the writer may choose from."""


async def rerank(state: SectionState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Put the passages that answer this section first, the best of each question before all."""
    context = context_of(runtime)
    library = await library_of(runtime)
    pool = state.get("pool")
    if pool is None:
        pool = await _search(state, library, context)
    passages = await library.passages([entry["chunk"] for entry in pool])
    pool = [entry for entry in pool if entry["chunk"] in passages]
    texts = [
        f"{passages[entry['chunk']].heading}\n{passages[entry['chunk']].text}" for entry in pool
    ]
    wished = [state["wish"]["instruction"]] if "wish" in state else []
    questions = [*wished, *state["questions"]]
    query = "\n".join([state["title"], *questions])
    ranking = await rerank_texts(query, texts, context.rerank_model)
    order = sorted(range(len(pool)), key=lambda i: (-ranking.scores[i], i))
    best = await asyncio.to_thread(_best_of_each, questions, texts)
    ranked = [pool[i] for i in dict.fromkeys([*best, *order])][:KEPT]
    index = state.get("index", 0)
    emit(runtime, SectionRanked(type="ranked", section=index, passages=len(ranked)))
    return {"ranked": ranked, "degraded": ranking.degraded}


def _best_of_each(questions: list[str], texts: list[str]) -> list[int]:
    """The passage that holds most of each question, so that no question goes unheard."""
    ranker, best = WordRanker(texts), []
    for question in questions:
        scores = ranker.scores(question)
        top = max(scores, default=0.0)
        if top > 0:
            best.append(scores.index(top))
    return best


async def _search(state: SectionState, library: Library, context: Context) -> list[PoolEntry]:
    """A pool of the section's own, from the library, where it runs without a report."""
    found: dict[int, PoolEntry] = {}
    numbers: dict[int, int] = {}
    filters = [
        await asyncio.to_thread(filters_of, connector, context.paths)
        for connector in chosen(context.connectors, paths=bool(context.paths))
        if connector.kind == "indexed"
    ]
    for question in [state["title"], *state["questions"]]:
        for kept_to in filters:
            options = SearchOptions(limit=context.passages_per_question, filters=kept_to)
            hits = speaking(await library.search(question, options))
            numbers = number_sources(numbers, [hit.document for hit in hits])
            for hit in hits:
                entry = PoolEntry(chunk=hit.chunk, number=numbers[hit.document], score=hit.score)
                found.setdefault(hit.chunk, entry)
    return sorted(found.values(), key=lambda entry: -entry["score"])
