"""Let the reader accept, edit or replace the outline, where the run asks for it."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ValidationError

from nodes.common.run import get_context, restart_clock
from schema.context import Context
from schema.report import Outline
from schema.state import ReportState, ReportUpdate

ACCEPT = ("accept", True)


class EditedOutline(BaseModel):
    """The reader's outline."""

    outline: Outline


async def approve_outline(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Stop for the reader if the run's context says so; an unusable answer is asked for again."""
    if not get_context(runtime).approve_outline:
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
            return {} if answer in ACCEPT else {"outline": _parse_outline(answer)}
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            problem = f"The answer cannot be used: {where}: {first['msg']}."


def _parse_outline(answer: object) -> dict[str, Any]:
    """The outline of an answer, bare or wrapped."""
    wrapped = {"outline": answer} if isinstance(answer, dict) and "sections" in answer else answer
    return EditedOutline.model_validate(wrapped).outline.model_dump()
