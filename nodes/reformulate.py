"""Understand the question, in its conversation."""

from typing import Any

from langgraph.runtime import Runtime

from models.intent import intent
from nodes.run import context_of, conversation, emit, role_of, text_of
from schema.context import Context
from schema.events import QuestionReady
from schema.state import Question, ReportState


async def reformulate(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Resolve references to the conversation, name the language, list what must be found.

    Raises:
        ModelUnavailableError: the planner does not answer; nothing has been done yet.
    """
    context, messages = context_of(runtime), state["messages"]
    question = text_of(messages[-1])
    planner = role_of(state, runtime, "planner", context.planner_model)
    found, calls, unread = await intent(question, conversation(messages), planner)
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
        ),
        "calls": calls,
        "degraded": unread,
    }
