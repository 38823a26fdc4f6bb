"""The report and its parts, as plain JSON-like dictionaries: they are state, API and file alike."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

UNSUPPORTED_FLAG = "⚠"
"""Stands in a text behind a sentence that its sources do not support."""


class Degradation(TypedDict):
    """Something that made the report less than it could be: a stable code and one sentence."""

    code: str
    detail: str


class ModelCall(TypedDict):
    """One call of a chat model, for the usage table.

    `left_out` counts the parts of its prompt that did not fit into the model's `window`, in
    tokens; `cut_at` is how many tokens the server read of a prompt that it cut, and `asked_again`
    tells that a smaller one followed.
    """

    role: str
    model: str
    input_tokens: int
    output_tokens: int
    seconds: float
    window: NotRequired[int]
    left_out: NotRequired[int]
    cut_at: NotRequired[int]
    asked_again: NotRequired[bool]


class RoleUsage(TypedDict):
    """All calls of one role in a run."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float


class Source(TypedDict):
    """A document of the run's pool. `number` never changes during the run."""

    number: int
    document: int
    title: str
    url: str


class OpenPoint(TypedDict):
    """What a section does not answer, as a sentence, and where its writer thinks that it stands."""

    sentence: str
    pointer: str


class Section(TypedDict):
    """A written section; citation markers in `text` are numbers of the run's registry.

    `sources` and `passages` (chunks) are what its writer saw. `open` is what it leaves open: it
    joins the text when it was looked for and not found. `grounded` are sentences that
    were sent back, and whose grounds its writer gave: with `quoted` words of a source, or with
    `sums`. `told` are those of a summary that its sections tell. `error` is set instead of a
    text where the section could not be written.
    """

    index: int
    title: str
    text: str
    sources: list[Source]
    passages: list[int]
    open: NotRequired[list[OpenPoint]]
    grounded: NotRequired[list[str]]
    quoted: NotRequired[list[str]]
    told: NotRequired[list[str]]
    sums: NotRequired[list[str]]
    error: NotRequired[str]


class ReportSection(TypedDict):
    """A section as the reader gets it; markers in `text` are numbers of the reference list.

    The summary, where a report has one, is its first section.
    """

    title: str
    text: str
    kind: NotRequired[Literal["summary"]]


LinkState = Literal[
    "answers", "gone", "no host", "forbidden", "refused", "failing", "timed out", "unreachable"
]
"""What came of asking a web address; docs/resolvers.md says what each stands for."""


class LinkCheck(TypedDict):
    """What came of asking a link, at the time `checked`; `answered` says whether a server did."""

    reachable: bool | None
    checked: str
    link: LinkState
    answered: bool


class CopyNote(TypedDict):
    """That a source was read as an open copy, at its `url`: of which address, in which version."""

    of: str
    version: str


class RetractionNote(TypedDict):
    """What was said of a source: its `kind`, the ISO `day`, and the address of the `notice`.

    `kind` is `retraction`, `withdrawal`, `removal`, `concern`, or `notice` where the source itself
    says so of another; what is not known is empty.
    """

    kind: Literal["retraction", "withdrawal", "removal", "concern", "notice"]
    day: str
    notice: str


class Reference(TypedDict):
    """One entry of the reference list. Dates are ISO 8601; what is not known is empty.

    `reachable` says whether its link led to a page at the time `checked`; None where nobody asked
    or nobody can tell. `link` says what came of asking, where somebody did. `copy` stands where it
    was read as an open copy, `retraction` where the registries say that it was retracted.
    """

    number: int
    title: str
    author: str
    site: str
    url: str
    published: str
    accessed: str
    excerpt: bool
    reachable: bool | None
    checked: str
    link: NotRequired[LinkState]
    copy: NotRequired[CopyNote]
    retraction: NotRequired[RetractionNote]


VerdictKind = Literal["supported", "partial", "contradicted", "absent"]
"""What a source says of a sentence that cites it; only a measured model says "contradicted"."""

CheckStep = Literal["words", "checker", "model"]
"""Who gave a verdict: words and figures, a checker on this machine, or a language model."""


class Citation(TypedDict):
    """A sentence of the report tied to the span of a source that supports it best.

    `section` is the index in `Report.sections`; `sentence` stands in its text as it is given;
    `document` is the source's uri, and `quote` its stored text between `start` and `end`, with up
    to 200 characters `before` and `after` it. `verdict` says what the span does for the sentence,
    with a `confidence` in 0..1 and the `reasons` in words; `step` who said so, which reports of
    earlier versions do not tell. `page` is the one that the quote begins on, from 1, where the
    source has pages.
    """

    section: int
    sentence: str
    number: int
    document: str
    start: int
    end: int
    quote: str
    before: str
    after: str
    verdict: VerdictKind
    confidence: float
    reasons: list[str]
    step: NotRequired[CheckStep]
    page: NotRequired[int]


ConflictKind = Literal["number", "date", "negation", "opposite"]
"""What two sources say otherwise of the same thing."""


class Position(TypedDict):
    """What a source of the reference list says, and its date where it is known."""

    number: int
    published: str
    quote: str


class Conflict(TypedDict):
    """A source of the reference list that may speak against a sentence which cites others.

    `number` is that source's, `published` its date where it is known, `quote` what it says;
    `cited` are the numbers that the sentence cites. `kind` says in what they differ and `held` what
    a source says that the sentence cites; reports of earlier versions tell neither.
    """

    section: int
    sentence: str
    cited: list[int]
    number: int
    published: str
    quote: str
    kind: NotRequired[ConflictKind]
    held: NotRequired[Position]


CopyReason = Literal["text", "canonical", "agency", "cites", "publisher"]
"""Why two sources are one origin: the same words, an address that one calls the original's, one
news agency, one names the other or both the same office, one author or site for like words."""


class OriginCopy(TypedDict):
    """A source of the reference list that tells what another origin told, and why it is that."""

    number: int
    reason: CopyReason


class ClaimOrigin(TypedDict):
    """An origin: the source that stands for it, a news agency's name, and its copies."""

    number: int
    name: str
    copies: list[OriginCopy]


class ClaimOrigins(TypedDict):
    """The independent origins behind a sentence that cites sources; as in `Citation`."""

    section: int
    sentence: str
    origins: list[ClaimOrigin]


SentenceKind = Literal["fact", "synthesis", "gap", "structure"]
"""What a sentence does: a fact is cited and checked; a synthesis follows from cited sentences near
it and brings no figure or name of its own; a gap says what the sources do not say; structure leads
over or in."""


class Remark(TypedDict):
    """A sentence of the report that is no fact of a source, and so cites none.

    `section` and `sentence` are as in `Citation`; `numbers` are the references of the sentences
    near it that it follows from, or that were searched for what it says is missing.
    """

    section: int
    sentence: str
    kind: SentenceKind
    numbers: list[int]


class Chart(TypedDict):
    """A chart of a section: a Vega-Lite specification whose values stand in cited sentences.

    It stands where the section's text has `![title](chart:N)`, N being its place in
    `Report.charts`. `rows` are its values as a table, the first row the headings; `numbers` the
    references that it is drawn from.
    """

    section: int
    title: str
    spec: dict[str, Any]
    rows: list[list[str]]
    numbers: list[int]


class Totals(TypedDict):
    """What is counted of a report's sentences and citations; see `Audit`."""

    sentences: int
    sentences_cited: int
    facts: int
    facts_unsupported: int
    synthesis: int
    gaps: int
    structure: int
    citations: int
    citations_supported: int
    citations_partial: int
    citations_contradicted: int
    citations_absent: int
    citations_by_words: int
    citations_by_checker: int
    citations_by_model: int
    claims_one_origin: int
    claims_several_origins: int
    precision: float
    coverage: float


class Audit(Totals):
    """What was counted while the report was put together.

    `sentences` are all of prose, lists and tables: `facts`, and by kind those that bring none; see
    `SentenceKind`. `facts_unsupported` are marked with the flag. `precision` is the share of
    citations that are supported, `coverage` the share of facts that cite a source. Of the points
    that an expert would expect some are `points_covered`. Of the sources, some were `found`, those
    `read` are more than a search engine's excerpt, those `cited` stand in the list.
    """

    sections: int
    sections_failed: int
    unknown_numbers_dropped: int
    repeated_sentences_dropped: int
    sentences_revised: int
    sentences_repaired: int
    sentences_cut: int
    points_expected: int
    points_covered: int
    sources_found: int
    sources_read: int
    sources_cited: int
    passages_found: int
    searches: int
    pages_read: int
    tokens: int
    seconds: float


ChangeKind = Literal["changed", "gone", "contradicted", "new"]
"""Its source says otherwise now, has gone, or another one that is newer speaks against it."""


class ClaimChange(TypedDict):
    """A claim of the version before whose evidence changed, or a `new` one that was added.

    `section` and `number` are as in `Citation`; `sentence` as it stood, "" of a new
    one; `now` as it stands, "" where it was taken out. `before` is what `document` said, "" where
    it was not cited; `after` what it says, "" where it says nothing of it any more. `dated` is its
    day now, ISO 8601.
    """

    section: int
    kind: ChangeKind
    sentence: str
    now: str
    number: int
    document: str
    before: str
    after: str
    dated: str


class Report(TypedDict):
    """A finished report. A saved one has an `id` and a `version`, which counts from 1.

    `changes` are what a watch found since the version before, see `docs/watch.md`.
    """

    id: NotRequired[str]
    version: NotRequired[int]
    question: str
    title: str
    language: str
    sections: list[ReportSection]
    references: list[Reference]
    citations: list[Citation]
    conflicts: list[Conflict]
    origins: NotRequired[list[ClaimOrigins]]
    remarks: NotRequired[list[Remark]]
    changes: NotRequired[list[ClaimChange]]
    charts: list[Chart]
    audit: Audit
    degraded: list[Degradation]
    further_questions: list[str]
    usage: dict[str, RoleUsage]
