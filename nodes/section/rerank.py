"""Order the pool for one section."""

import asyncio
from uuid import uuid4

from langgraph.runtime import Runtime

from connectors.registry import build_filters, choose_connectors
from library.library import Library
from models.rerank import rerank_texts
from nodes.common.run import emit, get_context, get_library, is_outermost
from retrieval.passages.pool import number_sources, select_relevant_hits
from retrieval.search.word_ranker import WordRanker
from schema.context import Context
from schema.events import SectionRanked
from schema.search import SearchOptions
from schema.state import PoolEntry, SectionState, SectionUpdate

MAX_PASSAGES = 60
"""Passages that the writer may choose from."""


async def rerank(state: SectionState, runtime: Runtime[Context]) -> SectionUpdate:
    """Put the passages that answer this section first, the best of each question before all.

    Draws the run's id, unless the section is a part of a report.
    """
    context = get_context(runtime)
    library = await get_library(runtime)
    pool = state.get("pool")
    if pool is None:
        pool = await _search(state, library, context)
    passages = await library.load_passages([entry["chunk"] for entry in pool])
    pool = [entry for entry in pool if entry["chunk"] in passages]
    texts = [
        f"{passages[entry['chunk']].heading}\n{passages[entry['chunk']].text}" for entry in pool
    ]
    instructions = [state["revision"]["instruction"]] if "revision" in state else []
    questions = [*instructions, *state["questions"]]
    query = "\n".join([state["title"], *questions])
    ranking = await rerank_texts(query, texts, context.rerank_model)
    order = sorted(range(len(pool)), key=lambda i: (-ranking.scores[i], i))
    best = await asyncio.to_thread(_find_best_of_each, questions, texts)
    ranked = [pool[i] for i in dict.fromkeys([*best, *order])][:MAX_PASSAGES]
    index = state.get("index", 0)
    emit(runtime, SectionRanked(type="ranked", section=index, passages=len(ranked)))
    run = uuid4().hex if is_outermost(runtime) else state.get("run", "")
    return {"run": run, "ranked": ranked, "degraded": ranking.degraded}


def _find_best_of_each(questions: list[str], texts: list[str]) -> list[int]:
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
