"""What a planner makes of its outline once it has seen what was found."""

from typing import Annotated

from pydantic import BaseModel, Field

from schema.plan import MOST_QUERIES, MOST_QUESTIONS, Form

MOST_MISSING = 5
"""Questions that are searched once more."""

Question = Annotated[str, Field(min_length=1, max_length=500)]


class RevisedSection(BaseModel):
    """One section of the revised plan; `sources` are numbers of those it is written from."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    questions: Annotated[list[Question], Field(min_length=1, max_length=MOST_QUESTIONS)]
    sources: list[int] = []
    form: Form = "prose"
    words: Annotated[int, Field(ge=0, le=2_000)] = 0


class MissingAnswer(BaseModel):
    """A question that nothing found answers, and new search phrases for it.

    `section` is the place of its section in the revised plan, from 1; 0 where the planner names
    none.
    """

    question: Question
    section: int = 0
    queries: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=MOST_QUERIES)
    ] = []


class OutlineRevision(BaseModel):
    """The revised plan of a report."""

    title: Annotated[str, Field(max_length=300)] = ""
    sections: Annotated[list[RevisedSection], Field(min_length=1, max_length=12)]
    missing: Annotated[list[MissingAnswer], Field(max_length=MOST_MISSING)] = []
