"""What the nodes that search have in common: telling of answers and of losses."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from connectors.ask import Answered
from nodes.run import distinct, emit
from retrieval.pool import distinct_questions, priority_factor, question_key
from schema.context import Context
from schema.deep_search import Budget
from schema.documents import Hit
from schema.events import SourceAsked
from schema.faults import joined
from schema.report import Degraded
from schema.state import Question

ASKED_CHARACTERS = 2_000


def announce(runtime: Runtime[Context], answered: Answered) -> None:
    """Stream one answer."""
    emit(
        runtime,
        SourceAsked(
            type="searched",
            connector=answered.connector,
            question=answered.question,
            found=len(answered.hits),
            grade=answered.grade,
            seconds=answered.seconds,
            error=joined(problem["detail"] for problem in answered.degraded),
            trace=[step.told() for step in answered.trace],
        ),
    )


def wanted_queries(question: Question) -> list[str]:
    """What the sources are asked first.

    The question as it was understood and in its user's own words, then the queries for sources,
    the most wanted first.
    """
    queries = sorted(question["queries"], key=lambda query: int(query["priority"]))
    resources = [query["query"] for query in queries if query["type"] == "resource"]
    return distinct_questions([question["text"], question["asked"][:ASKED_CHARACTERS], *resources])


def weighed(question: Question, answers: Sequence[Answered]) -> Iterator[Hit]:
    """Hits with their scores weighed by the priority of the query that found them."""
    priority = {question_key(one["query"]): int(one["priority"]) for one in question["queries"]}
    for answered in answers:
        factor = priority_factor(priority.get(question_key(answered.question), 1))
        for hit in answered.hits:
            yield replace(hit, score=hit.score * factor)


def searched(answers: Sequence[Answered]) -> Budget:
    """What asking cost: each question to each connector is a search."""
    return Budget(tokens=0, seconds=0.0, searches=len(answers), pages=0)


def lost(answers: Sequence[Answered]) -> list[Degraded]:
    """What the searches lost, each once."""
    return distinct(problem for answered in answers for problem in answered.degraded)
