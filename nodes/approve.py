"""Let the reader accept, edit or replace the outline, where the run asks for it."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ValidationError

from nodes.run import context_of, restart_clock
from schema.context import Context
from schema.report import Outline
from schema.state import ReportState

ACCEPT = ("accept", True)


class Decision(BaseModel):
    """The reader's outline."""

    outline: Outline


async def approve(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Stop for the reader if the run's context says so; an unusable answer is asked for again."""
    if not context_of(runtime).approve_outline:
        return {}
    problem = ""
    while True:
        answer = interrupt(
            {
                "outline": state["outline"],
                "how": 'Resume with "accept", or with {"outline": {...}} to use yours.',
                "problem": problem,
            }
        )
        restart_clock(state)
        try:
            return {} if answer in ACCEPT else {"outline": _outline(answer)}
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            problem = f"The answer cannot be used: {where}: {first['msg']}."


def _outline(answer: object) -> dict[str, Any]:
    """The outline of an answer, bare or wrapped."""
    wrapped = {"outline": answer} if isinstance(answer, dict) and "sections" in answer else answer
    return Decision.model_validate(wrapped).outline.model_dump()
