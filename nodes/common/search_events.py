"""What the nodes that search have in common: requests, events, costs and failures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from connectors.registry import choose_connectors
from connectors.search_all import ConnectorResult, SearchRequest, search_all
from library.library import Library
from nodes.common.run import drop_duplicates, emit, get_context, get_journal
from retrieval.passages.pool import deduplicate_questions, normalise_question, priority_factor
from schema.context import Context
from schema.deep_search import Budget
from schema.documents import DocumentInfo, Hit, Passage
from schema.error_text import join_sentences
from schema.events import SourceSearched
from schema.report import Degradation
from schema.state import Question

ASKED_CHARACTERS = 2_000


def make_request(
    state: Mapping[str, Any], runtime: Runtime[Context], library: Library
) -> SearchRequest:
    """How this run searches, by its context."""
    context = get_context(runtime)
    return SearchRequest(
        library,
        context.passages_per_question,
        context.search_mode,
        tuple(context.paths),
        context.hierarchy,
        context.search_seconds,
        journal=get_journal(state, runtime),
        fresh=context.fresh,
    )


async def search_connectors(
    runtime: Runtime[Context],
    questions: Sequence[str],
    request: SearchRequest,
    *,
    live: bool = True,
) -> list[ConnectorResult]:
    """Every question to every connector of the run; each answer is streamed as it comes.

    Without `live`, only what is stored is asked.
    """
    context = get_context(runtime)
    connectors = choose_connectors(
        context.connectors, paths=bool(context.paths), fresh=context.fresh
    )
    chosen = [one for one in connectors if live or one.kind == "indexed"]
    return await search_all(chosen, questions, request, lambda one: emit_answer(runtime, one))


async def search_stored(
    questions: Sequence[str], request: SearchRequest, context: Context
) -> dict[str, list[tuple[Passage, DocumentInfo]]]:
    """What is stored that speaks of each question, with its documents; nothing is streamed."""
    connectors = choose_connectors(
        context.connectors, paths=bool(context.paths), fresh=context.fresh
    )
    indexed = [one for one in connectors if one.kind == "indexed"]
    asked = list(dict.fromkeys(questions))
    answers = await search_all(indexed, asked, request)
    chunks = {hit.chunk for answered in answers for hit in answered.hits}
    passages = await request.library.load_passages(sorted(chunks))
    documents = list({passage.document for passage in passages.values()})
    described = await request.library.load_documents(documents)
    return {
        question: [
            (passages[hit.chunk], described[passages[hit.chunk].document])
            for answered in answers
            if answered.question == question
            for hit in answered.hits
            if hit.chunk in passages
        ]
        for question in asked
    }


def emit_answer(runtime: Runtime[Context], answered: ConnectorResult) -> None:
    """Stream one answer."""
    emit(
        runtime,
        SourceSearched(
            type="searched",
            connector=answered.connector,
            question=answered.question,
            found=len(answered.hits),
            grade=answered.grade,
            seconds=answered.seconds,
            error=join_sentences(problem["detail"] for problem in answered.degraded),
            trace=[step.to_dict() for step in answered.trace],
        ),
    )


def list_queries(question: Question) -> list[str]:
    """What the sources are asked first.

    The question as it was understood and in its user's own words, then the queries for sources,
    the most wanted first.
    """
    queries = sorted(question["queries"], key=lambda query: int(query["priority"]))
    resources = [query["query"] for query in queries if query["type"] == "resource"]
    return deduplicate_questions(
        [question["text"], question["asked"][:ASKED_CHARACTERS], *resources]
    )


def weigh_hits(question: Question, answers: Sequence[ConnectorResult]) -> Iterator[Hit]:
    """Hits with their scores weighed by the priority of the query that found them."""
    priority = {
        normalise_question(one["query"]): int(one["priority"]) for one in question["queries"]
    }
    for answered in answers:
        factor = priority_factor(priority.get(normalise_question(answered.question), 1))
        for hit in answered.hits:
            yield replace(hit, score=hit.score * factor)


def count_searches(answers: Sequence[ConnectorResult]) -> Budget:
    """What asking cost: each question to each connector is a search."""
    return Budget(tokens=0, seconds=0.0, searches=len(answers), pages=0)


def collect_failures(answers: Sequence[ConnectorResult]) -> list[Degradation]:
    """What failed in the searches, each once."""
    return drop_duplicates(problem for answered in answers for problem in answered.degraded)
