"""What a question wants, read in its conversation: zero to five typed queries."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from models.calls import Role
from models.spending import CeilingError
from models.structured import ask_structured
from prompts.reformulate import ReformulatePrompt
from prompts.template import Turn
from schema.errors import ModelOutputError, get_error_calls
from schema.plan import Reformulation, TypedQuery
from schema.report import Degradation, ModelCall
from text.language import detect_language


async def plan_queries(
    question: str, conversation: Sequence[Turn], role: Role, *, points: int = 0
) -> tuple[Reformulation, list[ModelCall], list[Degradation]]:
    """Resolve references to the conversation, name the language, list what must be found.

    A planner that gives nothing usable, or that the run's ceiling does not pay for, leaves the
    question as it was asked, with a code.

    Args:
        question: the last message.
        conversation: the turns before it.
        role: the planner.
        points: how many expected points of the answer are wanted at most.

    Raises:
        ModelUnavailableError: the planner does not answer.
    """
    prompt = ReformulatePrompt(
        conversation=conversation,
        question=question,
        date=datetime.now(UTC).date().isoformat(),
        points=points,
    )
    try:
        found, calls = await ask_structured(role, prompt, Reformulation)
    except (ModelOutputError, CeilingError) as error:
        lacking = Degradation(code="question_not_reformulated", detail=str(error))
        return (
            await asyncio.to_thread(_use_question_as_query, question),
            get_error_calls(error),
            [lacking],
        )
    return found, calls, []


def _use_question_as_query(question: str) -> Reformulation:
    query = TypedQuery(query=question[:500], priority=1)
    return Reformulation(
        question=question[:2000], language=detect_language(question), queries=[query]
    )
