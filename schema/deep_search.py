"""The types of deep search: what it may do next, what it has found, what it answers."""

from datetime import date
from operator import add
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, Field, StringConstraints, field_validator
from typing_extensions import TypedDict

from schema.report import Citation, Degradation, ModelCall, Reference, RoleUsage, Source

Action = Literal["search", "visit", "reflect", "answer"]
Criterion = Literal["attribution", "freshness", "definitive", "completeness", "plurality", "strict"]

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class Decision(BaseModel):
    """The next step; only the list that belongs to its action counts."""

    action: Action
    why: Annotated[str, Field(max_length=500)] = ""
    needs: Annotated[list[Line], Field(max_length=3)] = []
    pages: Annotated[list[int], Field(max_length=5)] = []
    questions: Annotated[list[Line], Field(max_length=3)] = []


class WantedQuery(BaseModel):
    """One query for a search engine. `since` is an ISO day, only where the question asks for it."""

    query: Annotated[str, Field(min_length=1, max_length=300)]
    kind: Literal["direct", "part", "other_language", "document", "opposing"] = "direct"
    since: Annotated[str, Field(max_length=10)] = ""

    @field_validator("since")
    @classmethod
    def _drop_invalid_date(cls, since: str) -> str:
        """An invalid date (2025-02-30) filters nothing; it is not worth another call."""
        try:
            return date.fromisoformat(since).isoformat()
        except ValueError:
            return ""


class WantedQueries(BaseModel):
    """A few queries that complement each other."""

    queries: Annotated[list[WantedQuery], Field(min_length=1, max_length=5)]


class Criteria(BaseModel):
    """What the answer to one question is measured by, beside its attribution.

    `max_age_days` is how old its newest source may be, `count` how many things are asked for,
    `aspects` what the question names and an answer has to speak of.
    """

    definitive: bool = True
    max_age_days: Annotated[int | None, Field(ge=1, le=36_500)] = None
    count: Annotated[int | None, Field(ge=2, le=100)] = None
    aspects: Annotated[list[Line], Field(max_length=8)] = []


class Judgement(BaseModel):
    """Whether an answer meets one criterion, why, and what would mend it."""

    passed: bool
    reason: Annotated[str, Field(max_length=1000)] = ""
    improve: Annotated[str, Field(max_length=1000)] = ""


class Budget(TypedDict):
    """What may be spent, or was. Tokens are those of all model calls, prompts included."""

    tokens: int
    seconds: float
    searches: int
    pages: int


class TaskQueue(TypedDict):
    """The questions that are open, first in, first out, and how the last turns went.

    `questions[0]` has its turn; `original` always returns to the queue. `slice_steps` counts the
    steps of this turn, `idle_rounds` the rounds in which nothing was gained; `gained` says whether
    this round gained anything. `stalled` are questions whose last turn gained nothing.
    """

    original: str
    questions: list[str]
    slice_steps: int
    gained: bool
    idle_rounds: int
    stalled: list[str]
    last_action: NotRequired[Action]
    last_gained: NotRequired[bool]
    last_question: NotRequired[str]


class Evidence(TypedDict):
    """A span of a stored document that speaks of a question.

    `key` is the same for the same words, wherever they stand.
    """

    number: int
    document: int
    start: int
    end: int
    key: str


class Page(TypedDict):
    """An address that could be read, and what is known of it.

    See `retrieval.web.url_ranking.UrlFeatures`.

    `words` are its title, its excerpt, what pages that link to it call it; `excerpt` is the stored
    document of what a search engine says of it, 0 where none did.
    """

    url: str
    words: str
    searches: list[str]
    linked_from: list[str]
    excerpt: int
    published: str
    updated: str
    confidence: float
    status: Literal["open", "read", "failed"]


class Finding(TypedDict):
    """A question that was answered on the way; citation markers are numbers of the run."""

    question: str
    text: str


class Choice(TypedDict):
    """The action that was chosen, with what it needs, and what choosing cost.

    `pages` are addresses. `decisive` asks for the last answer, with what there is.
    """

    action: Action
    why: str
    decisive: bool
    needs: list[str]
    pages: list[str]
    questions: list[str]
    tokens: int
    seconds: float


class Draft(TypedDict):
    """An answer that has not been judged; citation markers are numbers of the run."""

    question: str
    text: str
    found: bool


class Rejection(TypedDict):
    """A question whose answer was rejected, and how much was known then."""

    question: str
    known_count: int


class Verdict(TypedDict):
    """What was judged of an answer by one criterion."""

    criterion: Criterion
    passed: bool
    reason: str


class DeepAnswer(TypedDict):
    """The answer of a deep search.

    `answered` says that all criteria are met; `found` that the sources speak of the question at
    all. `text` is Markdown whose markers are the numbers of `references`. `diary` is the search as
    a story, `spent` what it cost.
    """

    question: str
    language: str
    text: str
    found: bool
    answered: bool
    references: list[Reference]
    citations: list[Citation]
    verdicts: list[Verdict]
    diary: list[str]
    queries: list[str]
    pages_read: list[str]
    pages_failed: list[str]
    spent: Budget
    usage: dict[str, RoleUsage]
    degraded: list[Degradation]


class FoundPassage(TypedDict):
    """A chunk that a deep search found, for the pool of a report."""

    chunk: int
    document: int
    title: str
    url: str


class DeepSearchInput(TypedDict):
    """What starts a deep search: a question.

    `budget` replaces that of the run's context, where a report gives a part of its own; `run` is
    then the report's id. `report_id` is a saved report that the question is put to: what it was
    written from is read first, and where that does not answer, the sources are searched, unless
    `may_search` is false.
    """

    run: NotRequired[str]
    report_id: NotRequired[str]
    may_search: NotRequired[bool]
    question: str
    language: NotRequired[str]
    budget: NotRequired[Budget]


def add_budgets(before: Budget, more: Budget) -> Budget:
    """The sum of what was spent; LangGraph begins with an empty one."""
    return Budget(
        tokens=before.get("tokens", 0) + more.get("tokens", 0),
        seconds=round(before.get("seconds", 0.0) + more.get("seconds", 0.0), 3),
        searches=before.get("searches", 0) + more.get("searches", 0),
        pages=before.get("pages", 0) + more.get("pages", 0),
    )


class DeepSearchUpdate(TypedDict, total=False):
    """What a node of a deep search may change. Texts stay in the library: evidence are spans."""

    run: str
    question: str
    language: str
    task_queue: TaskQueue
    choice: Choice
    asked: list[str]
    queries: list[str]
    exhausted: list[str]
    pages: list[Page]
    evidence: list[Evidence]
    sources: list[Source]
    findings: list[Finding]
    draft: Draft
    criteria: dict[str, Any] | None
    verdicts: list[Verdict]
    improvements: list[str]
    rejected: list[Rejection]
    diary: Annotated[list[str], add]
    spent: Annotated[Budget, add_budgets]
    calls: Annotated[list[ModelCall], add]
    degraded: Annotated[list[Degradation], add]
    answer: DeepAnswer | None
    found: Annotated[list[FoundPassage], add]


class DeepSearchState(DeepSearchUpdate):
    """All that a deep search knows; `budget` and what follows as in its input."""

    budget: NotRequired[Budget]
    report_id: NotRequired[str]
    may_search: NotRequired[bool]


class DeepSearchOutput(TypedDict):
    """What a deep search hands over."""

    answer: DeepAnswer | None
    found: Annotated[list[FoundPassage], add]
    spent: Annotated[Budget, add_budgets]
    calls: Annotated[list[ModelCall], add]
    degraded: Annotated[list[Degradation], add]
