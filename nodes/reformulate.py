"""Understand the question; empty what an earlier run on this thread left."""

import time
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from models.intent import intent
from nodes.run import checked_question, context_of, conversation, emit, lacking, text_of
from schema.context import Context
from schema.deep_search import Budget
from schema.events import QuestionReady
from schema.state import Question, ReportState


async def reformulate(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Resolve references to the conversation, name the language, list what must be found.

    Raises:
        InputError: there is no question, or it is too long.
        ModelUnavailableError: the planner does not answer; nothing has been done yet.
    """
    context = context_of(runtime)
    question = checked_question(text_of(state["messages"][-1]) if state["messages"] else "")
    found, calls, unread = await intent(
        question, conversation(state["messages"]), context.planner_model
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
        ),
        "outline": None,
        "look": [],
        "sources": [],
        "pool": [],
        "digs": [],
        "sections": Overwrite([]),
        "drafts": [],
        "failing": [],
        "repairs": Overwrite([]),
        "judged": [],
        "started": time.time(),
        "spent": Overwrite(Budget(tokens=0, seconds=0.0, searches=0, pages=0)),
        "further_questions": [],
        "calls": Overwrite(calls),
        "degraded": Overwrite([*lacking(context), *unread]),
        "report": None,
    }
