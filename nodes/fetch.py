"""Ask every connector all questions of all sections, once, and number what comes back."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from connectors.ask import Answered, Search, ask_all
from connectors.registry import chosen
from nodes.run import brief, context_of, emit, library_of
from nodes.searching import announce, lost, searched, wanted_queries
from retrieval.pool import best_hits, distinct_questions, number_sources, question_key
from schema.context import Context
from schema.deep_search import Budget, DeepSearchInput
from schema.documents import DocumentInfo, Hit
from schema.events import PoolReady
from schema.state import PoolEntry, ReportState

LEAST_TOKENS = 20_000
"""Of a deep search: with less it could hardly read a page and judge an answer."""

SECTION_PASSAGES = 120
"""Passages of the pool that a section may choose from."""


async def fetch(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Gather the pool: passages with their scores, sources with the numbers they keep."""
    context = context_of(runtime)
    library = await library_of(runtime)
    search = Search(
        library,
        context.passages_per_question,
        context.search_mode,
        tuple(context.paths),
        context.hierarchy,
        context.search_seconds,
    )
    sections = state["outline"]["sections"]
    asked_before = wanted_queries(state["question"])
    wanted = distinct_questions(
        [*asked_before, *(question for section in sections for question in section["questions"])]
    )
    answers = await ask_all(
        chosen(context.connectors, paths=bool(context.paths)),
        wanted[len(asked_before) :],
        search,
        lambda answered: announce(runtime, answered),
    )
    looked = [Hit(**hit) for hit in state["look"]]
    hits = best_hits([*looked, *(hit for one in answers for hit in one.hits)])
    asked_by = _asked_by(answers, sections)
    numbers = number_sources({}, [hit.document for hit in hits])
    described = await library.documents(list(numbers))
    emit(runtime, PoolReady(type="pool", sources=len(numbers), passages=len(hits)))
    return {
        "sources": [brief(number, described[document]) for document, number in numbers.items()],
        "pool": [
            PoolEntry(
                chunk=hit.chunk,
                number=numbers[hit.document],
                score=round(hit.score, 4),
                sections=sorted(asked_by[hit.chunk]),
            )
            for hit in hits
        ],
        "look": [],
        "digs": _digs(answers, described, sections, context),
        "spent": searched(answers),
        "degraded": lost(answers),
    }


def section_pool(pool: Sequence[PoolEntry], index: int) -> list[PoolEntry]:
    """What one section may choose from: what its own questions found, then the best of the rest."""
    own = [entry for entry in pool if index in entry.get("sections", [])]
    rest = [entry for entry in pool if index not in entry.get("sections", [])]
    return [
        PoolEntry(chunk=entry["chunk"], number=entry["number"], score=entry["score"])
        for entry in (own + rest)[:SECTION_PASSAGES]
    ]


def _digs(
    answers: Sequence[Answered],
    described: Mapping[int, DocumentInfo],
    sections: Sequence[dict[str, Any]],
    context: Context,
) -> list[DeepSearchInput]:
    """In deeper mode the questions that no text answers well, each with a share of the budget.

    What a search engine says of a page that nobody read answers nothing.
    """
    if context.research_mode != "deeper":
        return []
    texts = {document for document, info in described.items() if not info.excerpt}
    answered = {
        question_key(one.question)
        for one in answers
        for hit in one.hits
        if hit.grade != "weak" and hit.document in texts
    }
    open_questions = [
        question
        for question in distinct_questions(q for one in sections for q in one["questions"])
        if question_key(question) not in answered
    ]
    budget = context.deep_budget
    most = min(budget["searches"], max(1, budget["tokens"] // LEAST_TOKENS))
    chosen = open_questions[:most]
    share = Budget(
        tokens=budget["tokens"] // max(1, len(chosen)),
        seconds=budget["seconds"],  # they are searched side by side
        searches=budget["searches"] // max(1, len(chosen)),
        pages=budget["pages"] // max(1, len(chosen)),
    )
    return [DeepSearchInput(question=question, budget=share) for question in chosen]


def _asked_by(
    answers: Sequence[Answered], sections: Sequence[dict[str, Any]]
) -> defaultdict[int, set[int]]:
    """For each chunk, the sections whose questions found it."""
    asking: defaultdict[str, set[int]] = defaultdict(set)
    for index, section in enumerate(sections):
        for question in section["questions"]:
            asking[question_key(question)].add(index)
    found: defaultdict[int, set[int]] = defaultdict(set)
    for answered in answers:
        for hit in answered.hits:
            found[hit.chunk] |= asking[question_key(answered.question)]
    return found
