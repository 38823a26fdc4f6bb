"""Ask every connector all questions of all sections, once, and number what comes back."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from langgraph.runtime import Runtime

from connectors.ask import Answered, Search, ask_all
from connectors.read_found import PagesRead, read_found
from connectors.registry import chosen
from nodes.run import brief, context_of, degraded, emit, journal_of, library_of
from nodes.searching import announce, lost, searched, wanted_queries
from retrieval.pool import best_hits, distinct_questions, number_sources, question_key
from schema.context import Context
from schema.deep_search import Budget, DeepSearchInput
from schema.documents import Hit
from schema.events import PagesRead as PagesEvent
from schema.events import PoolReady
from schema.report import Degraded
from schema.state import PoolEntry, ReportState

LEAST_TOKENS = 20_000
"""Of a deep search: with less it could hardly read a page and judge an answer."""

PAGES_PER_SECTION = 4
"""Of which only excerpts were found, that are read for a report."""

SHOWN_FAILURES = 3

SECTION_PASSAGES = 120
"""Passages of the pool that a section may choose from."""


async def fetch(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Gather the pool: passages with their scores, sources with the numbers they keep.

    For reports of several sections the best pages of which only excerpts were found are read.
    """
    context = context_of(runtime)
    library = await library_of(runtime)
    search = Search(
        library,
        context.passages_per_question,
        context.search_mode,
        tuple(context.paths),
        context.hierarchy,
        context.search_seconds,
        journal=journal_of(state, runtime),
        fresh=context.fresh,
    )
    sections = state["outline"]["sections"]
    asked_before = wanted_queries(state["question"])
    wanted = distinct_questions(
        [*asked_before, *(question for section in sections for question in section["questions"])]
    )
    connectors = chosen(context.connectors, paths=bool(context.paths), fresh=context.fresh)
    answers = await ask_all(
        connectors,
        wanted[len(asked_before) :],
        search,
        lambda answered: announce(runtime, answered),
    )
    looked = [Hit(**hit) for hit in state["look"]]
    hits = best_hits([*looked, *(hit for one in answers for hit in one.hits)])
    pages = await _read_pages(hits, wanted, search, runtime)
    found = [*answers, *pages.answers]
    hits = best_hits(
        [
            *(hit for hit in hits if hit.document not in pages.documents),
            *(hit for one in pages.answers for hit in one.hits),
        ]
    )
    asked_by = _asked_by(found, sections)
    numbers = number_sources({}, [hit.document for hit in hits])
    described = await library.documents(list(numbers))
    tried = len(pages.documents) + len(pages.failures)
    own = {
        info.id for info in described.values() if not info.excerpt and info.space == library.space
    }
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
        "digs": _digs(answers, own, state, context, tried),
        "spent": {**searched(answers), "pages": tried},
        "degraded": [*lost(found), *_unread(pages.failures, tried)],
    }


async def _read_pages(
    hits: Sequence[Hit], questions: Sequence[str], search: Search, runtime: Runtime[Context]
) -> PagesRead:
    """Read the best of the pages that only excerpts were found of, within the run's budget."""
    context = context_of(runtime)
    if context.research_mode == "general":
        return PagesRead([], [], [])
    described = await search.library.documents(list(dict.fromkeys(hit.document for hit in hits)))
    excerpts = [
        info
        for document in dict.fromkeys(hit.document for hit in hits)
        if (info := described.get(document)) and info.excerpt and info.url
    ]
    most = min(context.deep_pages, PAGES_PER_SECTION * context.sections)
    pages = await read_found(excerpts[:most], questions, search)
    if excerpts[:most]:
        told = PagesEvent(type="pages", read=len(pages.documents), failed=len(pages.failures))
        emit(runtime, told)
    return pages


def _unread(failures: Sequence[str], tried: int) -> list[Degraded]:
    if not failures:
        return []
    shown = "; ".join(failures[:SHOWN_FAILURES])
    more = f"; and {len(failures) - SHOWN_FAILURES} more" if failures[SHOWN_FAILURES:] else ""
    detail = f"{len(failures)} of {tried} pages were not read, but for excerpts: {shown}{more}."
    return [degraded("pages_not_read", detail)]


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
    own: Collection[int],
    state: ReportState,
    context: Context,
    pages: int,
) -> list[DeepSearchInput]:
    """In deeper mode the questions that the user's own texts leave open, with shares of the budget.

    Words tell whether a text speaks of a question, not whether it answers it: what the web has on
    it is for the deep search to judge. `own` are the user's own documents, `pages` were read.
    """
    sections = state["outline"]["sections"]
    if context.research_mode != "deeper":
        return []
    answered = {
        question_key(one.question)
        for one in answers
        for hit in one.hits
        if hit.grade != "weak" and hit.document in own
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
        pages=(budget["pages"] - pages) // max(1, len(chosen)),
    )
    return [
        DeepSearchInput(run=state["run"], question=question, budget=share) for question in chosen
    ]


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
