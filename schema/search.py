"""The types of a search: its options, and its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from schema.documents import ChunkKind, Grade, Hit
from schema.report import Degradation

Part = Literal["memory", "skill", "web"]
"""What a space keeps beside its sources: earlier reports and preferences, report templates, and
pages that were found on the web."""

SearchMode = Literal["chunks", "documents"]
Retriever = Literal["exact", "lexical", "title", "dense"]
Fusion = Literal["scores", "ranks"]
Detail = Literal["low", "medium", "high"]
Boost = Literal["cosine", "paths", "links", "recency", "title_phrase", "superseded"]

RETRIEVERS: tuple[Retriever, ...] = ("exact", "lexical", "title", "dense")

GRADES: tuple[Grade, ...] = ("weak", "moderate", "strong", "exact")

SUMMARIES: tuple[ChunkKind, ...] = ("abstract", "overview")
"""Kinds of chunks that a search of low detail is limited to. One of medium detail looks at all, one
of high detail raises timelines."""


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a search is limited to; an empty field sets no limit. Dates are ISO 8601."""

    connectors: Sequence[str] = ()
    not_connectors: Sequence[str] = ()
    documents: Sequence[int] = ()
    under: Sequence[str] = ()
    since: str = ""
    until: str = ""
    language: str = ""
    kinds: Sequence[ChunkKind] = ()
    symbol_kind: str = ""
    fetched_since: str = ""
    in_full: bool = False
    """No excerpts of pages that nobody read."""
    not_in: str = ""
    """Name of another space of the user: what it holds under the same uri is left out."""

    def __bool__(self) -> bool:
        return any(vars(self).values())


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How a search is made. The defaults are those that the benchmark's ablation chose."""

    limit: int = 10
    variants: Sequence[str] = ()
    """Other wordings of the query: together they have one vote."""
    mode: SearchMode = "chunks"
    filters: Filters = Filters()
    retrievers: Sequence[Retriever] = ("exact", "lexical", "dense")
    fusion: Fusion = "scores"
    rank_constant: int = 60
    """k of reciprocal rank fusion: the larger, the less a rank matters."""
    detail: Literal[Detail, "auto"] = "medium"
    """auto: chosen by the query."""
    boosts: Sequence[Boost] = ("superseded",)
    path_weights: Mapping[str, float] = field(default_factory=dict)
    """Factor by beginning of a document's uri, for the boost `paths`; the longest one counts."""
    per_document: int = 3
    """Passages of one document that a search of passages returns at most."""
    walk_depth: Annotated[int, Field(ge=0, le=2)] = 0
    """0 to 2 steps along links and symbols from what was found."""
    near_symbol: str = ""
    """A symbol of code whose definition the walk starts from."""
    hierarchy: bool = False
    """Whether folders that speak of the query lift what stands in them."""
    propagation: float = 0.5
    """Share of a folder's score in its children's, 0 to 1."""


@dataclass(frozen=True)
class Step:
    """One step of a search, for its trace: what was done and what came of it."""

    name: str
    detail: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The step as events and JSON carry it."""
        return {"step": self.name, **self.detail}


@dataclass(frozen=True)
class SearchResult:
    """The hits of one search, best first, and what failed on the way."""

    hits: list[Hit]
    degraded: list[Degradation] = field(default_factory=list)
    trace: list[Step] = field(default_factory=list)
    coverage: float = 0.0
    """Share of the query's weight, in 0..1, that the words of all hits hold together."""
    starved: bool = False
    """There are fewer hits than were wanted, though a retriever could have found more."""

    @property
    def grade(self) -> Grade:
        """The best grade of any hit; weak where there is none."""
        return max((hit.grade for hit in self.hits), key=GRADES.index, default="weak")
