"""What models return that revise a report, repair its sentences and judge its citations."""

from typing import Annotated

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from schema.report import Section, VerdictKind

Wording = Annotated[str, Field(max_length=2000)]


class SentenceEdit(BaseModel):
    """A sentence in other words; sections and sentences count from 1."""

    section: int
    sentence: int
    text: Wording


class ReportEdits(BaseModel):
    """The edits of one pass over a report."""

    edits: Annotated[list[SentenceEdit], Field(max_length=300)]


class RepairedSentence(BaseModel):
    """A sentence of one section, mended; sentences count from 1."""

    sentence: int
    text: Wording


class Repairs(BaseModel):
    """The sentences of one section that were sent back."""

    sentences: Annotated[list[RepairedSentence], Field(max_length=300)]


class ItemJudgement(BaseModel):
    """What a passage says of a sentence; items count from 1."""

    item: int
    verdict: VerdictKind
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.5


class ItemJudgements(BaseModel):
    """The judgements of one call."""

    citations: Annotated[list[ItemJudgement], Field(max_length=300)]


class CitationJudgement(TypedDict):
    """A model's verdict on a sentence and one source of it; `key` stands for the sentence."""

    key: str
    number: int
    verdict: VerdictKind
    confidence: float


class UnsupportedSentence(TypedDict):
    """A sentence of a section that its sources do not support, and why; it counts from 1."""

    sentence: int
    reason: str


class RepairInput(TypedDict):
    """A section with the sentences that are sent back to its writer."""

    draft: Section
    sentences: list[UnsupportedSentence]
    language: str
    run: str


class Counts(TypedDict):
    """What was done to the sections between their writing and the report."""

    unknown_numbers_dropped: int
    repeated_sentences_dropped: int
    sentences_revised: int
    sentences_repaired: int
