"""What the stages of a search hand to each other."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from schema.documents import ChunkKind

_NO_TERMS = np.empty(0, np.int32)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A chunk that may be an answer, with what the stages know of it.

    `term_ids` are the distinct terms it is indexed by, `retriever_scores` what each retriever gave
    to the score; `links_in` counts documents that link to its own.
    """

    chunk: int
    document: int
    kind: ChunkKind = "body"
    text: str = ""
    term_ids: NDArray[np.int32] = field(default_factory=lambda: _NO_TERMS, compare=False)
    uri: str = ""
    title: str = ""
    published: str = ""
    superseded: bool = False
    links_in: int = 0
    exact: bool = False
    retriever_scores: dict[str, float] = field(default_factory=dict)
    cosine: float | None = None
    score: float = 0.0
    why: tuple[str, ...] = ()
    hop: int = 0

    def multiply_score(self, factor: float, reason: str) -> "Candidate":
        """The candidate with its score multiplied, and the reason told."""
        if factor == 1:
            return self
        told = (*self.why, f"{reason} ×{factor:.2f}")
        return replace(self, score=self.score * factor, why=told)


def sort_best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates in order: exact ones, then by score; ties by chunk, so that runs repeat."""
    return sorted(candidates, key=lambda one: (not one.exact, -one.score, one.chunk))
