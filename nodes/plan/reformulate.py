"""Understand the question, in its conversation."""

from langgraph.runtime import Runtime

from models.query_planner import plan_queries
from nodes.common.run import emit, get_context, get_conversation, get_text, make_role
from schema.context import Context
from schema.events import QuestionReady
from schema.report import MOST_POINTS
from schema.state import Question, ReportState, ReportUpdate

FEWEST_POINTS = 8
"""A short report is measured by its most needed points, too."""

WORDS_PER_POINT = 90
"""A point takes a fact, the condition under which it holds, and what follows: two to four
sentences."""


async def reformulate(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Resolve references to the conversation, name the language, list what must be found and told.

    Raises:
        ModelUnavailableError: the planner does not answer; nothing has been done yet.
    """
    context, messages = get_context(runtime), state["messages"]
    question = get_text(messages[-1])
    planner = make_role(state, runtime, "planner", context.planner_model)
    wanted = _count_points(context.words_in_all)
    found, calls, unread = await plan_queries(
        question, get_conversation(messages), planner, points=wanted
    )
    language = context.language or found.language
    queries = [query.query for query in found.queries]
    emit(
        runtime,
        QuestionReady(type="question", question=found.question, language=language, queries=queries),
    )
    return {
        "question": Question(
            text=found.question,
            asked=question,
            language=language,
            queries=[query.model_dump() for query in found.queries],
            points=found.points[:wanted],  # most needed first
        ),
        "calls": calls,
        "degraded": unread,
    }


def _count_points(words: int) -> int:
    """How many expected points a report of so many words can tell."""
    return min(MOST_POINTS, max(FEWEST_POINTS, round(words / WORDS_PER_POINT)))
