"""Progress of a run, as the `custom` stream carries it. Every event has a `type`."""

from typing import Any, Literal

from typing_extensions import TypedDict


class QuestionReady(TypedDict):
    """The question was understood."""

    type: Literal["question"]
    question: str
    language: str
    queries: list[str]


class OutlineReady(TypedDict):
    """The outline was made."""

    type: Literal["outline"]
    title: str
    sections: list[str]
    questions: int


class OutlineRevised(TypedDict):
    """The outline was revised by what was found; open questions are searched once more."""

    type: Literal["outline_revised"]
    title: str
    sections: list[str]
    open_questions: list[str]


class SourceSearched(TypedDict):
    """One connector answered (or failed to answer) one question; `trace` says how it searched."""

    type: Literal["searched"]
    connector: str
    question: str
    found: int
    grade: str
    seconds: float
    error: str
    trace: list[dict[str, Any]]


class PagesRead(TypedDict):
    """Pages that a search gave only excerpts of were read."""

    type: Literal["pages"]
    read: int
    failed: int


class PoolReady(TypedDict):
    """Every connector was asked; comes again where open questions made the pool grow."""

    type: Literal["pool"]
    sources: int
    passages: int


class SectionRanked(TypedDict):
    """A section chose its passages. Comes from the section subgraph."""

    type: Literal["ranked"]
    section: int
    passages: int


class SectionWritten(TypedDict):
    """A section was written. Comes from the section subgraph."""

    type: Literal["written"]
    section: int
    title: str
    characters: int


StepName = Literal["search", "visit", "reflect", "answer", "evaluate"]


class StepTaken(TypedDict):
    """Deep search went one step further: what it did, for which question, what came of it.

    `seconds`, `tokens`, `searches` and `pages` are what the step cost.
    """

    type: Literal["step"]
    action: StepName
    question: str
    why: str
    outcome: str
    seconds: float
    tokens: int
    searches: int
    pages: int


class ReportReady(TypedDict):
    """Citations are numbered; the report is finished."""

    type: Literal["report"]
    title: str
    citations: int
    references: int


class DocumentStored(TypedDict):
    """Ingesting went one step further: one document was read, or passed over."""

    type: Literal["ingested"]
    uri: str
    outcome: Literal["added", "changed", "unchanged", "removed", "skipped"]
    reason: str


class VectorsMade(TypedDict):
    """A batch of chunks was embedded."""

    type: Literal["embedded"]
    vectors: int


Event = (
    QuestionReady
    | OutlineReady
    | OutlineRevised
    | SourceSearched
    | PagesRead
    | PoolReady
    | SectionRanked
    | StepTaken
    | SectionWritten
    | ReportReady
    | DocumentStored
    | VectorsMade
)
