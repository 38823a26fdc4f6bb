"""What a reader who says something to a finished report wants."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

FollowUpKind = Literal["question", "edit", "research", "report"]


class FollowUp(BaseModel):
    """A message to a report, understood.

    An `edit` says the same in another way, `research` more or something else than the report does;
    a `report` is one of its own. `section_numbers` are what is to change, from 1, 0 the summary;
    all sections where empty. `request` is the question or the instruction as it stands alone.
    """

    kind: FollowUpKind
    section_numbers: Annotated[list[int], Field(max_length=20)] = []
    request: Annotated[str, Field(max_length=2000)] = ""
