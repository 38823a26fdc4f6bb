"""The settings of one run: the form that Studio shows and that the API takes."""

from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)

from schema.deep_search import Budget
from schema.error_text import describe_expected
from schema.errors import InputError, SettingError
from schema.plan import Shape
from schema.search import SearchMode

ResearchMode = Literal["general", "deep", "deeper"]
ReportStyle = Literal["brief", "report", "paper"]
ModelName = Annotated[str | None, Field(max_length=200)]

SECTIONS: dict[ResearchMode, int] = {"general": 1, "deep": 3, "deeper": 6}
"""Sections of a report by research mode, where nothing speaks for more or fewer."""

SECTION_LIMITS: dict[ResearchMode, tuple[int, int]] = {
    "general": (1, 2),
    "deep": (2, 5),
    "deeper": (4, 10),
}
"""The fewest and the most sections that a planner may choose."""

SECTION_WORDS: dict[ResearchMode, int] = {"general": 450, "deep": 420, "deeper": 420}
"""Length of a section for which none is planned."""

TOP_K: dict[ResearchMode, int] = {"general": 10, "deep": 12, "deeper": 15}
"""Passages per question and connector, unless `top_k` says otherwise."""

FEWEST_TOKENS = 8_000
"""Least ceiling of a run, in tokens: what planning and one short section take."""

DEEP_SHARE = 0.4
"""Share of a run's tokens and seconds that deep search may have."""

_ALLOWED_SHAPES = {
    "space": "it must be a name of letters, digits, _, . and -, or @GROUP/NAME",
    "language": "it must be a code of two or three letters, such as en",
    "audience": "it must be text",
}
"""What is allowed where a pattern says it."""

SHOWN_CHARACTERS = 100


class Context(BaseModel):
    """Settings of one run. Every field has a default that works with no key and no server."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    research_mode: ResearchMode = Field(
        "general",
        description="Size of the report: general has 1 or 2 sections, deep 2 to 5, deeper 4 "
        "to 10; without a language model 1, 3 and 6.",
    )
    connectors: list[str] | None = Field(
        None,
        description="Sources to ask, by name. Empty: the library, what earlier runs found on "
        "the web, and every live one set up.",
    )
    paths: list[Annotated[str, Field(min_length=1)]] = Field(
        [],
        description="Keep the connector `files` to documents at or below these paths.",
        max_length=100,
    )
    search_mode: SearchMode = Field(
        "chunks", description="Rank passages one by one, or whole documents with their passages."
    )
    space: str = Field(
        "default",
        description="Search space of the library. What it remembers stands in NAME~memory, "
        "report templates in NAME~skill, what was found on the web in NAME~web. One of a group: "
        "@GROUP/NAME.",
        min_length=1,
        max_length=100,
        pattern=r"^(@[\w.-]+/)?[\w.-]+(~(memory|skill|web))?$",
    )
    planner_model: ModelName = Field(
        None,
        description="Model for question and outline, as provider:model or `extractive`. "
        "Empty: QUIRE_MODEL, or what a configured key allows.",
    )
    writer_model: ModelName = Field(
        None, description="Model that writes the sections. Empty: the same rule."
    )
    checker_model: ModelName = Field(
        None,
        description="Checker on this machine that is asked about the citations which words and "
        "numbers leave open, such as onnx:nli-deberta-v3-small. Empty: none is.",
    )
    judge_model: ModelName = Field(
        None,
        description="Language model that judges the citations which are left open by words and "
        "numbers, and by the checker where one is named. Empty: none does.",
    )
    reader_model: ModelName = Field(
        None,
        description="Model that copies out of long pages what answers a section, where its "
        "writer cannot be shown all of it. `extractive`: none does. Empty: QUIRE_READER_MODEL.",
    )
    rerank_model: ModelName = Field(
        None,
        description="Reranker on this machine, such as onnx:ettin-reranker-32m, or as type:name "
        "of the rerankers library, such as flashrank:ms-marco-MiniLM-L-6-v2, or `words`. Empty: "
        "QUIRE_RERANK_MODEL.",
    )
    top_k: int | None = Field(
        None, description="Passages per question and connector.", ge=1, le=100
    )
    section_tokens: int = Field(
        4_000,
        description="Tokens of source text that one section's writer may read.",
        ge=500,
        le=200_000,
    )
    answer_tokens: int = Field(
        2_000, description="Tokens kept free for one section's text.", ge=200, le=32_000
    )
    search_seconds: float | None = Field(
        None,
        description="Longest that one question to a source takes, in seconds. Empty: "
        "QUIRE_CONNECTOR_SECONDS, 15 unless set.",
        gt=0,
        le=600,
    )
    run_seconds: float = Field(
        3_600,
        description="Longest that a run asks models, in seconds; what is not written by "
        "then is named in the report. The time before an outline is approved does not count.",
        gt=0,
        le=604_800,
    )
    max_tokens: int | None = Field(
        None,
        description="Ceiling of the run: tokens that its language models read and write. What it "
        "leaves no room for is named in the report. Empty: none.",
        ge=FEWEST_TOKENS,
        le=1_000_000_000,
    )
    max_cost: float | None = Field(
        None,
        description="Ceiling of the run in US dollars, by the prices of QUIRE_PRICES. Empty: none.",
        gt=0,
        le=1_000_000,
    )
    deep_tokens: int = Field(
        200_000,
        description="Budget of deep search: tokens of all its model calls, prompts included.",
        ge=2_000,
        le=10_000_000,
    )
    deep_seconds: float = Field(300, description="Budget of deep search: seconds.", gt=0, le=7_200)
    deep_searches: int = Field(
        30, description="Budget of deep search: queries to the sources.", ge=1, le=1_000
    )
    deep_pages: int = Field(
        30, description="Budget of deep search: pages that are read.", ge=0, le=1_000
    )
    language: str = Field(
        "",
        description="Language of the report as a two-letter code. Empty: the question's.",
        pattern=r"^([a-z]{2,3})?$",
    )
    words: int | None = Field(
        None,
        description="Words of the whole report, about. Empty: as the plan needs.",
        ge=100,
        le=20_000,
    )
    shape: Shape | None = Field(
        None, description="What kind of answer the report is. Empty: as the question asks."
    )
    style: ReportStyle = Field(
        "report",
        description="How it reads: a brief leads with what to do, a paper with how it is "
        "known, a report is between them.",
    )
    audience: str = Field(
        "",
        description="Who reads it and what they know, in a few words.",
        max_length=200,
        pattern=r"^[^\x00]*$",
    )
    check_links: bool = Field(
        True, description="Ask the web pages of the reference list whether they still answer."
    )
    fresh: bool = Field(False, description="Use nothing that earlier runs found on the web.")
    hierarchy: bool = Field(
        False, description="Let good folders of the library lift what they hold."
    )
    approve_outline: bool = Field(
        False,
        description="Stop after the outline and wait for the reader to accept or edit it.",
    )
    remember: bool = Field(
        True, description="Keep the finished report in the space's memory, for later outlines."
    )

    @model_validator(mode="wrap")
    @classmethod
    def _explain_errors(cls, given: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Studio's form sends an empty string for a field that was cleared: it is the default.

        Raises:
            SettingError: a setting is unknown, or cannot be used; in every way in.
        """
        if isinstance(given, dict):
            known = cls.model_fields
            given = {k: v for k, v in given.items() if k not in known or v not in ("", None)}
        try:
            return handler(given)
        except ValidationError as error:
            raise _make_setting_error(error, sorted(cls.model_fields)) from None

    @property
    def sections(self) -> int:
        """Number of sections where nothing speaks for more or fewer."""
        return SECTIONS[self.research_mode]

    @property
    def section_limits(self) -> tuple[int, int]:
        """The fewest and the most sections that a planner may choose."""
        return SECTION_LIMITS[self.research_mode]

    @property
    def words_in_all(self) -> int:
        """Words of the whole report that its plan shares out."""
        return self.words or self.sections * SECTION_WORDS[self.research_mode]

    @property
    def deep_budget(self) -> Budget:
        """What deep search may spend in this run; of its ceilings only a part."""
        most = self.max_tokens or self.deep_tokens / DEEP_SHARE
        return Budget(
            tokens=int(min(self.deep_tokens, DEEP_SHARE * most)),
            seconds=min(self.deep_seconds, DEEP_SHARE * self.run_seconds),
            searches=self.deep_searches,
            pages=self.deep_pages,
        )

    @property
    def passages_per_question(self) -> int:
        """Passages per question and connector."""
        return self.top_k or TOP_K[self.research_mode]


def check_name(value: str, allowed: list[str], what: str) -> str:
    """Return `value` if it is allowed.

    Raises:
        InputError: names what is allowed.
    """
    if value not in allowed:
        raise InputError(f"Unknown {what} '{value}': use one of {', '.join(sorted(allowed))}.")
    return value


def _make_setting_error(error: ValidationError, known: list[str]) -> SettingError:
    """The first fault of a context: which setting it is, and what is allowed there."""
    fault = error.errors()[0]
    field = str(fault["loc"][0]) if fault["loc"] else "context"
    if fault["type"] == "extra_forbidden":
        return SettingError(field, f"does not exist: use one of {', '.join(known)}.")
    allowed = (
        _ALLOWED_SHAPES[field]
        if fault["type"] == "string_pattern_mismatch"
        else describe_expected(fault)
    )
    return SettingError(field, f"cannot be {repr(fault['input'])[:SHOWN_CHARACTERS]}: {allowed}.")
