"""What models return that revise a report, repair its sentences and judge its citations."""

from typing import Annotated

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from schema.report import CheckStep, Section, VerdictKind

Wording = Annotated[str, Field(max_length=2000)]


class SentenceEdit(BaseModel):
    """A sentence in other words; sections and sentences count from 1."""

    section: int
    sentence: int
    text: Wording


class AddedConclusion(BaseModel):
    """What facts of several sections lead to, behind a sentence; both count from 1.

    `sums` say how figures of it are worked out, as in "900 - 780 = 120".
    """

    section: int
    sentence: int
    text: Wording
    sums: Annotated[list[Wording], Field(max_length=20)] = []


class ReportEdits(BaseModel):
    """The edits of one pass over a report, and the numbers of points that it does not answer."""

    edits: Annotated[list[SentenceEdit], Field(max_length=300)] = []
    conclusions: Annotated[list[AddedConclusion], Field(max_length=30)] = []
    uncovered: Annotated[list[int], Field(max_length=30)] = []


class RepairedSentence(BaseModel):
    """A sentence, mended, or the reason to keep it; sentences count from 1.

    `sums` say how figures of it are worked out, as in "900 - 780 = 120".
    """

    sentence: int
    text: Wording = ""
    keep: Wording = ""
    sums: Annotated[list[Wording], Field(max_length=20)] = []


class AddedText(BaseModel):
    """One to three sentences on a point that a section lacks; points count from 1.

    `after` is how the sentence begins that they stand behind, or, with `instead`, in the place of:
    they say all that it says. `rest` says what they leave open, and `sums` what figures come of.
    """

    point: int
    text: Wording
    after: Wording = ""
    instead: bool = False
    rest: Wording = ""
    sums: Annotated[list[Wording], Field(max_length=20)] = []


class Repairs(BaseModel):
    """The sentences that were sent back."""

    sentences: Annotated[list[RepairedSentence], Field(max_length=300)] = []


class RepairsAndAdditions(Repairs):
    """The same where sections lack expected points, and what was added to them."""

    added: Annotated[list[AddedText], Field(max_length=30)] = []


class ItemJudgement(BaseModel):
    """What a passage says of a sentence; items count from 1."""

    item: int
    verdict: VerdictKind
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.5


class ItemJudgements(BaseModel):
    """The judgements of one call."""

    citations: Annotated[list[ItemJudgement], Field(max_length=300)]


class CitationJudgement(TypedDict):
    """A model's verdict on a sentence and one source of it; `key` stands for the sentence.

    `is_final` where no other model has to be asked.
    """

    key: str
    number: int
    verdict: VerdictKind
    confidence: float
    step: CheckStep
    is_final: bool


class Lookup(TypedDict):
    """What was found of something that a text lacks.

    `section` is the index of its draft. `sentence` says that the sources lack it; or it is the
    expected `point` of that number, from 1. `chunks` speak of the `subject`, the best first;
    `answered` says that one of them clearly tells it, `spoken_of` that some speak of it by their
    words or stand where it was said to be; `told` is what other sections say of it.
    """

    section: int
    sentence: str
    point: int
    subject: str
    chunks: list[int]
    answered: bool
    spoken_of: bool
    told: str


class FailingSentence(TypedDict):
    """A sentence of a section that has to be mended, and why; it counts from 1.

    Of one that says what sources lack, `chunks` were found of it; it is `answered` where they tell
    it, and `spoken_of` where they speak of it.
    """

    sentence: int
    reason: str
    chunks: list[int]
    answered: bool
    spoken_of: bool


class RepairInput(TypedDict):
    """A section with the sentences that are sent back to its writer, and the points it lacks.

    `subject` is what it is about: the question of the report, and its title.
    """

    draft: Section
    subject: str
    sentences: list[FailingSentence]
    points: list[Lookup]
    language: str


class RepairBatch(TypedDict):
    """Sections that one call mends, all in one language."""

    mended: list[RepairInput]
    language: str
    run: str


class Replacement(TypedDict):
    """A sentence before and after its repair; "" `before` where it was added.

    Added were sentences, and the code that one leads to, for an expected `point`, or for a `gap`
    that stands again where they do not hold; 0 and "" where neither is so.
    """

    before: str
    after: str
    point: int
    gap: str


class RepairedSection(TypedDict):
    """A section as its writer mended it, and what was replaced in it."""

    draft: Section
    replacements: list[Replacement]


class Counts(TypedDict):
    """What was done to the sections between their writing and the report.

    `points_expected` are those that the pass over all sections looked for.
    """

    unknown_numbers_dropped: int
    repeated_sentences_dropped: int
    sentences_revised: int
    sentences_repaired: int
    points_expected: int
    points_covered: int
