"""Ask every connector what the sections want to know, once, and number what comes back."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from models.embeddings import get_embedder
from nodes.common.gathering import gather, map_chunks_to_sections
from nodes.common.query_novelty import find_new
from nodes.common.run import emit, get_context, get_library, make_source
from nodes.common.search_events import list_queries, make_request
from retrieval.passages.pool import deduplicate_questions, normalise_question, number_sources
from retrieval.search.query_dedup import find_new_by_words
from schema.context import Context
from schema.documents import Hit
from schema.events import PoolReady
from schema.state import PoolEntry, ReportState, ReportUpdate

PAGES_PER_SECTION = 4
"""Of which only excerpts were found, that are read for a report."""

SECTION_PASSAGES = 120
"""Passages of the pool that a section may choose from."""


async def search_sources(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Gather the pool: passages with their scores, sources with the numbers they keep.

    Sections are searched for by their queries, those without any by their questions. For reports of
    several sections the best pages of which only excerpts were found are read.
    """
    context = get_context(runtime)
    library = await get_library(runtime)
    asked = list_queries(state["question"])
    wanted, asking = await _choose_queries(state["outline"]["sections"], asked)
    several = context.research_mode != "general"
    found = await gather(
        runtime,
        make_request(state, runtime, library),
        wanted,
        asked=asked,
        known=[Hit(**hit) for hit in state["preview_hits"]],
        pages=min(context.deep_pages, PAGES_PER_SECTION * context.sections) if several else 0,
    )
    asked_by = map_chunks_to_sections(found.results, asking)
    numbers = number_sources({}, [hit.document for hit in found.hits])
    described = await library.load_documents(list(numbers))
    emit(runtime, PoolReady(type="pool", sources=len(numbers), passages=len(found.hits)))
    return {
        "sources": [
            make_source(number, described[document]) for document, number in numbers.items()
        ],
        "pool": [
            PoolEntry(
                chunk=hit.chunk,
                number=numbers[hit.document],
                score=round(hit.score, 4),
                sections=sorted(asked_by[hit.chunk]),
            )
            for hit in found.hits
        ],
        "preview_hits": [],
        "spent": found.spent,
        "degraded": found.degraded,
    }


async def _choose_queries(
    sections: Sequence[dict[str, Any]], asked: Sequence[str]
) -> tuple[list[str], dict[str, set[int]]]:
    """What is searched for the sections, and which sections ask each, by its normalised form.

    A query that says nothing new is left out, and what the like of it finds is found for its
    section, too. `asked` was asked before.
    """
    asking: defaultdict[str, set[int]] = defaultdict(set)
    for index, section in enumerate(sections):
        for text in section["queries"] or section["questions"]:
            asking[normalise_question(text)].add(index)
    questions = [q for one in sections if not one["queries"] for q in one["questions"]]
    kept = deduplicate_questions([*asked, *questions])
    queries = deduplicate_questions(query for one in sections for query in one["queries"])
    new = [queries[place] for place in await find_new(queries, kept, get_embedder())]
    for query in set(queries) - set(new):
        alike = (one for one in [*kept, *new] if not find_new_by_words([query], [one]))
        if (other := next(alike, None)) is not None:
            asking[normalise_question(other)] |= asking[normalise_question(query)]
    return [*kept[len(asked) :], *new], asking


def select_section_pool(pool: Sequence[PoolEntry], index: int) -> list[PoolEntry]:
    """What one section may choose from: what is its own by the plan, then the best of the rest."""
    own = [entry for entry in pool if index in entry.get("sections", [])]
    rest = [entry for entry in pool if index not in entry.get("sections", [])]
    return (own + rest)[:SECTION_PASSAGES]
