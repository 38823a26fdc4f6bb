"""Ask every connector all questions of all sections, once, and number what comes back."""

from typing import Any

from langgraph.runtime import Runtime

from connectors.ask import Search, ask_all
from connectors.registry import chosen
from nodes.run import brief, context_of, emit, library_of
from nodes.searching import announce, lost
from retrieval.pool import best_hits, distinct_questions, number_sources
from schema.context import Context
from schema.documents import Hit
from schema.events import PoolReady
from schema.state import PoolEntry, ReportState


async def fetch(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Gather the pool: passages with their scores, sources with the numbers they keep."""
    context = context_of(runtime)
    library = await library_of(runtime)
    search = Search(
        library,
        context.passages_per_question,
        context.search_mode,
        tuple(context.paths),
        context.search_seconds,
    )
    sections = state["outline"]["sections"]
    asked_before = [state["question"]["text"], *(q["query"] for q in state["question"]["queries"])]
    wanted = distinct_questions(
        [*asked_before, *(question for section in sections for question in section["questions"])]
    )
    answers = await ask_all(
        chosen(context.connectors, paths=bool(context.paths)),
        wanted[len(distinct_questions(asked_before)) :],
        search,
        lambda answered: announce(runtime, answered),
    )
    looked = [Hit(**hit) for hit in state["look"]]
    hits = best_hits([*looked, *(hit for answered in answers for hit in answered.hits)])
    numbers = number_sources({}, [hit.document for hit in hits])
    described = await library.documents(list(numbers))
    emit(runtime, PoolReady(type="pool", sources=len(numbers), passages=len(hits)))
    return {
        "sources": [brief(number, described[document]) for document, number in numbers.items()],
        "pool": [
            PoolEntry(chunk=h.chunk, number=numbers[h.document], score=round(h.score, 4))
            for h in hits
        ],
        "look": [],
        "degraded": lost(answers),
    }
