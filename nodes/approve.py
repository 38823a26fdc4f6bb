"""Let the reader accept, edit or replace the outline, where the run asks for it."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ValidationError

from nodes.run import context_of
from schema.context import Context
from schema.report import Outline
from schema.state import ReportState


class Decision(BaseModel):
    """The reader's answer: nothing to accept the outline as it is, or the outline to use."""

    outline: Outline | None = None


async def approve(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Stop for the reader if the run's context says so; an unusable answer is asked for again."""
    if not context_of(runtime).approve_outline:
        return {}
    problem = ""
    while True:
        answer = interrupt(
            {
                "outline": state["outline"],
                "how": 'Resume with {} to accept, or with {"outline": {...}} to use yours.',
                "problem": problem,
            }
        )
        try:
            decision = _decision(answer)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            problem = f"The answer cannot be used: {where}: {first['msg']}."
            continue
        return {"outline": decision.outline.model_dump()} if decision.outline else {}


def _decision(answer: object) -> Decision:
    """Read an answer: {} / true / "accept" accept; an outline may come bare or wrapped."""
    if answer in ({}, True, None, "accept"):
        return Decision()
    if isinstance(answer, dict) and "sections" in answer:
        answer = {"outline": answer}
    return Decision.model_validate(answer)
