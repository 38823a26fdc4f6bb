"""Understand the question, in its conversation, while the sources are asked for the first time."""

from dataclasses import asdict

from langgraph.runtime import Runtime

from models.query_planner import plan_queries
from nodes.common.first_look import begin_first_look
from nodes.common.run import emit, get_context, get_conversation, get_text, make_role
from nodes.common.search_events import collect_failures, count_searches, weigh_hits
from retrieval.passages.pool import merge_hits
from schema.context import Context
from schema.events import QuestionReady
from schema.plan import MOST_POINTS
from schema.state import Question, ReportState, ReportUpdate

FEWEST_POINTS = 8
"""A short report is measured by its most needed points, too."""

WORDS_PER_POINT = 70
"""A point takes a fact, the condition under which it holds, and what follows: two to four
sentences."""


async def reformulate(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Resolve references to the conversation, name the language, list what must be found and told.

    Where there is something to search, the first look is over when it returns.

    Raises:
        ModelUnavailableError: the planner does not answer; nothing has been written yet.
        LibraryError: the database cannot be used.
    """
    context, messages = get_context(runtime), state["messages"]
    planner = make_role(state, runtime, "planner", context.planner_model)
    wanted = _count_points(context.words_in_all)
    asked = get_text(messages[-1])
    async with begin_first_look(state, runtime) as look:
        found, calls, unread = await plan_queries(
            asked, get_conversation(messages), planner, points=wanted
        )
        question = Question(
            text=found.question,
            asked=asked,
            language=context.language or found.language,
            queries=[query.model_dump() for query in found.queries],
            points=found.points[:wanted],  # most needed first
        )
        emit(
            runtime,
            QuestionReady(
                type="question",
                question=question["text"],
                language=question["language"],
                queries=[query.query for query in found.queries],
            ),
        )
        answers = await look.finish(question) if found.queries else []
    return {
        "question": question,
        "preview_hits": [asdict(hit) for hit in merge_hits(weigh_hits(question, answers))],
        "spent": count_searches(answers),
        "calls": calls,
        "degraded": [*unread, *collect_failures(answers)],
    }


def _count_points(words: int) -> int:
    """How many expected points a report of so many words can tell."""
    return min(MOST_POINTS, max(FEWEST_POINTS, round(words / WORDS_PER_POINT)))
