"""What a planner answers: the question on its own feet, the outline, and what to ask next."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, field_validator

MOST_POINTS = 15
"""Of what an expert would expect of a report."""

MOST_QUESTIONS, MOST_QUERIES = 6, 4
"""Of a section: what it answers, and what is searched for it."""

MOST_FURTHER = 5
"""Of what a reader of the report could ask next."""


class TypedQuery(BaseModel):
    """One thing the run needs to find.

    `type` says where it would be kept: memory (what the user said or decided before), resource
    (documents and the web), skill (how something is to be done).
    """

    query: Annotated[str, Field(min_length=1, max_length=500)]
    type: Literal["memory", "resource", "skill"] = "resource"
    intent: Annotated[str, Field(max_length=300)] = ""
    priority: Annotated[int, Field(ge=1, le=5)] = 3


class Reformulation(BaseModel):
    """The question as it stands on its own, and what must be found to answer it.

    `points` are what an expert would expect of the answer, written down before anything is found.
    """

    question: Annotated[str, Field(min_length=1, max_length=2000)]
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
    queries: Annotated[list[TypedQuery], Field(max_length=5)]
    points: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=MOST_POINTS)
    ] = []

    @field_validator("points", mode="before")
    @classmethod
    def _drop_surplus(cls, points: object) -> object:
        """More than were asked for are not worth another call."""
        return points[:MOST_POINTS] if isinstance(points, list) else points


Shape = Literal["how-to", "comparison", "timeline", "yes-no", "survey", "decision"]
"""What kind of answer a question asks for; it decides the order of the sections and their forms."""

Form = Literal["prose", "list", "steps", "table", "chart"]
"""What a section is made of beside its sentences."""


class SectionPlan(BaseModel):
    """One section to be written: a title and the questions it answers, each a single one.

    `queries` are what is searched for it, in place of its questions where there are any; `words`
    is its length, 0 for that of the research mode.
    """

    title: Annotated[str, Field(min_length=1, max_length=200)]
    questions: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(min_length=1, max_length=MOST_QUESTIONS),
    ]
    queries: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=MOST_QUERIES)
    ] = []
    form: Form = "prose"
    words: Annotated[int, Field(ge=0, le=2_000)] = 0


class Outline(BaseModel):
    """The plan of a report.

    `further` is what its reader could ask next: no section answers it, and a dump leaves it out.
    """

    title: Annotated[str, Field(min_length=1, max_length=300)]
    shape: Shape = "survey"
    sections: Annotated[list[SectionPlan], Field(min_length=1, max_length=12)]
    further: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=300)]],
        Field(max_length=MOST_FURTHER, exclude=True),
    ] = []

    @field_validator("further", mode="before")
    @classmethod
    def _drop_surplus(cls, further: object) -> object:
        """More than were asked for are not worth another call."""
        return further[:MOST_FURTHER] if isinstance(further, list) else further
