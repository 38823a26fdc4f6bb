"""The state of each graph. It holds ids, numbers and short text: source texts stay in the library.

Channels with `add` collect from parallel branches; the first node of a run empties them, so that
a second question on the same thread starts afresh. A node returns an update: some of the channels
of its graph, which mypy checks by name and type.
"""

from operator import add
from typing import Annotated, Any, NotRequired

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from schema.context import ReportStyle
from schema.deep_search import Budget, DeepAnswer, DeepSearchInput, FoundPassage, add_budgets
from schema.editing import CitationJudgement, Counts, Lookup, RepairBatch, RepairedSection
from schema.plan import Form, Shape
from schema.report import Degradation, LinkCheck, ModelCall, Report, Section, Source


class PoolEntry(TypedDict):
    """A passage of the pool: the chunk, the number of its source, its best score in 0..1.

    `sections` are the sections of the outline whose searches found it, or, once the outline was
    revised, that are to be written from it. What a deep search found for a section has no score: it
    is ranked with the rest.
    """

    chunk: int
    number: int
    score: float
    sections: NotRequired[list[int]]


class Note(TypedDict):
    """A stretch of a document that its reader copied out for a section, by the source's number.

    `tokens` is what it takes in a prompt.
    """

    number: int
    document: int
    start: int
    end: int
    tokens: int


class Question(TypedDict):
    """The question as it was understood, and as it was `asked`.

    `points` are what an expert would expect of the answer, written down before anything is found.
    """

    text: str
    asked: str
    language: str
    queries: list[dict[str, Any]]
    points: NotRequired[list[str]]


class OpenQuestion(TypedDict):
    """A question that nothing found answers, what is searched for it, and its section's index."""

    question: str
    section: int
    queries: list[str]


class ReportInput(TypedDict):
    """What starts a run: the conversation, whose last message asks the question."""

    messages: Annotated[list[AnyMessage], add_messages]


class ReportUpdate(TypedDict, total=False):
    """What a node of the report graph may change.

    `run` is the id of the run; `style` and `audience` are as its context has them. `outlined` are
    the chunks that the outline was planned from. `sections` are as they were written, `drafts` as
    they stand now; `uncovered` are the numbers of expected points that they do not answer,
    `lookups` what was found of those and of what they say is missing; `citation_checks` counts how
    often they were checked. `links` are the web pages that were asked, by address, None where
    nothing came of it. `started` is in seconds of the epoch, `spent` what searching cost.
    `last_report` is the id of the report that this thread finished
    last, `follow_up` what a message to it wants (a dumped `FollowUp`), `answer` what came of it
    where that was a question.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    run: str
    style: ReportStyle
    audience: str
    question: Question
    outline: dict[str, Any]
    preview_hits: list[dict[str, Any]]
    outlined: list[int]
    sources: list[Source]
    pool: list[PoolEntry]
    open_questions: list[OpenQuestion]
    follow_up_searches: list[DeepSearchInput]
    sections: Annotated[list[Section], add]
    drafts: list[Section]
    uncovered: list[int]
    lookups: list[Lookup]
    repair_inputs: list[RepairBatch]
    repairs: Annotated[list[RepairedSection], add]
    judgements: list[CitationJudgement]
    citation_checks: int
    counts: Counts
    links: dict[str, LinkCheck | None]
    started: float
    spent: Annotated[Budget, add_budgets]
    further_questions: list[str]
    calls: Annotated[list[ModelCall], add]
    degraded: Annotated[list[Degradation], add]
    report: Report | None
    last_report: str
    follow_up: dict[str, Any] | None
    answer: DeepAnswer | None


class ReportState(ReportUpdate):
    """All a run of the report graph knows."""


class RevisionRequest(TypedDict):
    """The instruction for a section, the `text` that it has, and what that was written from."""

    instruction: str
    text: str
    passages: list[int]


class SectionInput(TypedDict):
    """One section to write.

    Without `pool` the section searches the library itself, so that the subgraph can be run alone.
    `report_question` is what the report answers; `plan` holds the titles and questions of the whole
    report, this section's among them; `sources` the numbers of the run. `follow_up_searches` are
    those of its questions that the pool leaves open, with what a deep search may spend on each.
    `words` is its length, 0 for that of the research mode; `form` what it is made of, `shape` what
    the report is; `style` and `audience` are as the run's context has them.
    With a `revision` it is rewritten from what it was. `run` is the id of the run that it is a
    part of.
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
    follow_up_searches: NotRequired[list[DeepSearchInput]]
    words: NotRequired[int]
    form: NotRequired[Form]
    shape: NotRequired[Shape]
    style: NotRequired[ReportStyle]
    audience: NotRequired[str]
    revision: NotRequired[RevisionRequest]


class SectionOutput(TypedDict, total=False):
    """What a section hands to the report."""

    sections: Annotated[list[Section], add]
    spent: Annotated[Budget, add_budgets]
    calls: Annotated[list[ModelCall], add]
    degraded: Annotated[list[Degradation], add]


class SectionChannels(SectionOutput, total=False):
    """What the section graph adds to its input.

    `answering` are the passages that answer its questions, best first, which may be more than its
    writer can be shown.
    """

    found: Annotated[list[FoundPassage], add]
    ranked: list[PoolEntry]
    answering: list[PoolEntry]
    notes: list[Note]


class SectionUpdate(SectionChannels, total=False):
    """What a node of the section graph may change."""

    run: str
    pool: list[PoolEntry]


class SectionState(SectionInput, SectionChannels):
    """All a section knows while it is written."""


class RevisionInput(TypedDict):
    """Sections of a saved report, counted from 1, and what is to change; 0 is the summary.

    An empty list stands for all of them, the summary too. The library is searched for the
    instruction, and live sources where `may_search`. `run` is that of the graph that it is
    a step of.
    """

    run: NotRequired[str]
    report_id: str
    section_numbers: list[int]
    instruction: str
    may_search: NotRequired[bool]


class RevisionUpdate(ReportUpdate, total=False):
    """What a node of a revision may change; `tasks` are what the sections' writers are given."""

    tasks: list[SectionInput]


class RevisionState(RevisionUpdate, RevisionInput):
    """All a revision knows: on the report's own thread it goes on in the report's channels.

    `drafts` hold the sections that are written anew.
    """


class IngestInput(TypedDict):
    """Sources to bring into the library: paths of files and folders, or `connector:location`.

    `full` looks again at all that they hold, also at what seemed done.
    """

    sources: list[str]
    full: NotRequired[bool]


class IngestUpdate(TypedDict, total=False):
    """What ingesting did: counts by outcome, what was skipped and why, vectors made."""

    locations: list[tuple[str, str]]
    counts: dict[str, int]
    skipped: list[dict[str, str]]
    vectors: int


class IngestState(IngestInput, IngestUpdate):
    """All that ingesting knows."""
