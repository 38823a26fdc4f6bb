"""Let the reader accept, edit or replace the outline, where the run asks for it."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ValidationError

from nodes.common.outlines import fit_outline
from nodes.common.run import emit, get_context, restart_clock
from schema.context import Context
from schema.events import OutlineReady
from schema.plan import Outline
from schema.state import ReportState, ReportUpdate

ACCEPT = ("accept", True)


class EditedOutline(BaseModel):
    """The reader's outline."""

    outline: Outline


async def approve_outline(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Stop for the reader if the run's context says so; an unusable answer is asked for again."""
    context = get_context(runtime)
    if not context.approve_outline:
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
            if answer in ACCEPT:
                return {}
            outline = _parse_outline(answer, state, context)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            problem = f"The answer cannot be used: {where}: {first['msg']}."
        else:
            sections = outline["sections"]
            event = OutlineReady(
                type="outline",
                title=outline["title"],
                sections=[one["title"] for one in sections],
                questions=sum(len(one["questions"]) for one in sections),
            )
            emit(runtime, event)
            return {"outline": outline}


def _parse_outline(answer: object, state: ReportState, context: Context) -> dict[str, Any]:
    """The outline of an answer, bare or wrapped; without a shape it keeps the planned one."""
    wrapped = {"outline": answer} if isinstance(answer, dict) and "sections" in answer else answer
    edited = EditedOutline.model_validate(wrapped).outline
    if "shape" not in edited.model_fields_set:
        edited = edited.model_copy(update={"shape": state["outline"]["shape"]})
    return fit_outline(edited, context).model_dump()
