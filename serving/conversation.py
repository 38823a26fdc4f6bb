"""What was said before a question, for questions that speak of it."""

from collections.abc import Sequence
from typing import Literal

from models.calls import Role
from models.query_planner import plan_queries
from nodes.common.run import TURN_CHARACTERS, TURNS
from prompts import template
from schema.context import Context
from schema.error_text import is_text

Speaker = Literal["user", "assistant"]

Turn = tuple[Speaker, str]
"""Who said what."""


def shorten_conversation(turns: Sequence[Turn]) -> list[list[str]]:
    """The last turns as a list keeps them, no longer than a model is shown of them.

    What is no text is left out.
    """
    return [[who, text[:TURN_CHARACTERS]] for who, text in turns if is_text(text)][-TURNS:]


async def restate_question(question: str, conversation: Sequence[Turn], context: Context) -> str:
    """The question as it stands without its conversation.

    Args:
        question: the last message.
        conversation: the turns before it; the question stays as it is where there are none.
        context: names the model that is asked.

    Raises:
        ModelUnavailableError: the planner does not answer.
    """
    if not conversation:
        return question
    turns = [
        template.Turn("user" if who == "user" else "quire", text)
        for who, text in shorten_conversation(conversation)
    ]
    role = Role.from_choice("planner", context.planner_model)
    found, _, _ = await plan_queries(question, turns, role)
    return found.question
