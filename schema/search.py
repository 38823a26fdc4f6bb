"""The words of a search: what may be asked of the library, and what its answer tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from schema.documents import ChunkKind, Grade, Hit
from schema.report import Degraded

Part = Literal["memory", "skill", "web"]
"""What a space keeps beside its sources: earlier reports and preferences, report templates, and
pages that were found on the web."""

SearchMode = Literal["chunks", "documents"]
Arm = Literal["exact", "words", "title", "meaning"]
Fusion = Literal["scores", "ranks"]
Detail = Literal["low", "medium", "high"]
Signal = Literal["cosine", "places", "links", "recency", "title_phrase", "superseded"]

ARMS: tuple[Arm, ...] = ("exact", "words", "title", "meaning")

SIGNALS: tuple[Signal, ...] = get_args(Signal)

GRADES: tuple[Grade, ...] = ("weak", "moderate", "strong", "exact")

SUMMARIES: tuple[ChunkKind, ...] = ("abstract", "overview")
"""Kinds of chunks that a search of low detail keeps to. One of medium detail looks at all, one of
high detail raises timelines."""


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a search is kept to; an empty field keeps to nothing. Dates are ISO 8601."""

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
    """How a search is made. The defaults are what the benchmark's ablation kept."""

    limit: int = 10
    variants: Sequence[str] = ()
    """Other wordings of the query: together they have one vote."""
    mode: SearchMode = "chunks"
    filters: Filters = Filters()
    arms: Sequence[Arm] = ("exact", "words", "meaning")
    fusion: Fusion = "scores"
    rank_constant: int = 60
    """k of reciprocal rank fusion: the larger, the less a rank matters."""
    detail: Detail | Literal["auto"] = "medium"
    """auto: chosen by the query."""
    signals: Sequence[Signal] = ("superseded",)
    places: Mapping[str, float] = field(default_factory=dict)
    """Factor by beginning of a document's uri, for the signal `places`; the longest one counts."""
    per_document: int = 3
    """Passages of one document that a search of passages returns at most."""
    walk_depth: int = 0
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

    def told(self) -> dict[str, Any]:
        """The step as events and JSON carry it."""
        return {"step": self.name, **self.detail}


@dataclass(frozen=True)
class Found:
    """The hits of one search, best first, and what kept it from being better."""

    hits: list[Hit]
    degraded: list[Degraded] = field(default_factory=list)
    trace: list[Step] = field(default_factory=list)
    covered: float = 0.0
    """Share of the query's weight, in 0..1, that the words of all hits hold together."""
    starved: bool = False
    """There are fewer hits than were wanted, though an arm could have found more."""

    @property
    def grade(self) -> Grade:
        """The best grade of any hit; weak where there is none."""
        return max((hit.grade for hit in self.hits), key=GRADES.index, default="weak")
