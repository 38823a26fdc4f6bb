"""What a question wants, read in its conversation: zero to five typed queries."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from models.calls import Role
from models.structured import ask_structured
from prompts.reformulate import REFORMULATE
from prompts.template import fence, turns
from retrieval.language import detect_language
from schema.errors import ModelOutputError
from schema.report import Degraded, ModelCall, Reformulation, TypedQuery


async def intent(
    question: str, conversation: Sequence[tuple[str, str]], role: Role
) -> tuple[Reformulation, list[ModelCall], list[Degraded]]:
    """Resolve references to the conversation, name the language, list what must be found.

    A planner that gives nothing usable leaves the question as it was asked, with a code.

    Args:
        question: the last message.
        conversation: (speaker, text) of the turns before it.
        role: the planner.

    Raises:
        ModelUnavailableError: the planner does not answer.
    """
    messages = REFORMULATE.render(
        conversation=turns(conversation),
        question=fence(question),
        date=datetime.now(UTC).date().isoformat(),
    )
    try:
        found, calls = await ask_structured(role, REFORMULATE.name, messages, Reformulation)
    except ModelOutputError as error:
        lacking = Degraded(code="question_not_reformulated", detail=str(error))
        return await asyncio.to_thread(_as_asked, question), list(error.calls), [lacking]
    return found, calls, []


def _as_asked(question: str) -> Reformulation:
    query = TypedQuery(query=question[:500], priority=1)
    return Reformulation(
        question=question[:2000], language=detect_language(question), queries=[query]
    )
