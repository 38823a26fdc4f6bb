"""The state of each graph. It holds ids, numbers and short text: source texts stay in the library.

Channels with `add` collect from parallel branches; the first node of a run empties them, so that
a second question on the same thread starts afresh.
"""

from operator import add
from typing import Annotated, Any, NotRequired

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from schema.deep_search import Budget, DeepSearchInput, FoundPassage, spent_together
from schema.report import Degraded, ModelCall, Report, Section, Source
from schema.revising import Counts, Judged, RepairInput


class PoolEntry(TypedDict):
    """A passage of the pool: the chunk, the number of its source, its best score in 0..1.

    `sections` are the sections of the outline whose questions found it. What a deep search found
    for a section has no score: it is ranked with the rest.
    """

    chunk: int
    number: int
    score: float
    sections: NotRequired[list[int]]


class Question(TypedDict):
    """The question as it was understood, and as it was `asked`."""

    text: str
    asked: str
    language: str
    queries: list[dict[str, Any]]


class ReportInput(TypedDict):
    """What starts a run: the conversation, whose last message asks the question."""

    messages: Annotated[list[AnyMessage], add_messages]


class ReportState(ReportInput):
    """All a run of the report graph knows.

    `run` is its id. `sections` are as they were written, `drafts` as they stand now; `proofs`
    counts how often they were proven. `started` is in seconds of the epoch, `spent` what searching
    cost.
    """

    run: NotRequired[str]
    question: NotRequired[Question]
    outline: NotRequired[dict[str, Any]]
    look: NotRequired[list[dict[str, Any]]]
    sources: NotRequired[list[Source]]
    pool: NotRequired[list[PoolEntry]]
    digs: NotRequired[list[DeepSearchInput]]
    sections: Annotated[list[Section], add]
    drafts: NotRequired[list[Section]]
    failing: NotRequired[list[RepairInput]]
    repairs: Annotated[list[Section], add]
    judged: NotRequired[list[Judged]]
    proofs: NotRequired[int]
    counts: NotRequired[Counts]
    started: NotRequired[float]
    spent: Annotated[Budget, spent_together]
    further_questions: NotRequired[list[str]]
    calls: Annotated[list[ModelCall], add]
    degraded: Annotated[list[Degraded], add]
    report: NotRequired[Report | None]


class Wish(TypedDict):
    """What its reader wishes of a section, and the `text` that it has."""

    instruction: str
    text: str


class SectionInput(TypedDict):
    """One section to write.

    Without `pool` the section searches the library itself, so that the subgraph can be run alone.
    `report_question` is what the report answers; `plan` holds the titles and questions of the whole
    report, this section's among them; `sources` the numbers of the run. `digs` are those of its
    questions that the pool leaves open, with what a deep search may spend on each. With a `wish` it
    is written anew from what it was. `run` is the id of the run that it is a part of.
    """

    run: NotRequired[str]
    title: str
    questions: list[str]
    report_question: NotRequired[str]
    language: NotRequired[str]
    index: NotRequired[int]
    plan: NotRequired[list[dict[str, Any]]]
    pool: NotRequired[list[PoolEntry]]
    sources: NotRequired[list[Source]]
    digs: NotRequired[list[DeepSearchInput]]
    wish: NotRequired[Wish]


class SectionState(SectionInput):
    """All a section knows while it is written."""

    found: Annotated[list[FoundPassage], add]
    spent: Annotated[Budget, spent_together]
    ranked: NotRequired[list[PoolEntry]]
    sections: Annotated[list[Section], add]
    calls: Annotated[list[ModelCall], add]
    degraded: Annotated[list[Degraded], add]


class SectionOutput(TypedDict):
    """What a section hands to the report."""

    sections: Annotated[list[Section], add]
    spent: Annotated[Budget, spent_together]
    calls: Annotated[list[ModelCall], add]
    degraded: Annotated[list[Degraded], add]


class RevisionInput(TypedDict):
    """A section of a kept report, counted from 1, and what its reader wishes of it."""

    report_id: str
    section: int
    instruction: str


class RevisionState(ReportState, RevisionInput):
    """All a revision knows: on the report's own thread it goes on in the report's channels.

    `drafts` hold the one section; `task` is what its writer is given.
    """

    task: NotRequired[SectionInput]


class IngestInput(TypedDict):
    """Sources to bring into the library: paths of files and folders, or `connector:place`.

    `full` looks again at all that they hold, also at what seemed done.
    """

    sources: list[str]
    full: NotRequired[bool]


class IngestState(IngestInput):
    """What ingesting did: counts by outcome, what was skipped and why, vectors made."""

    places: NotRequired[list[tuple[str, str]]]
    counts: NotRequired[dict[str, int]]
    skipped: NotRequired[list[dict[str, str]]]
    vectors: NotRequired[int]
