"""What the sections of a report lack, and what was found of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from citations.gap_answers import SpokenOf
from citations.gap_candidates import choose_candidates
from connectors.search_all import ConnectorResult
from schema.report import Section

MAX_CHUNKS = 3
"""Passages that are kept of what was found for an expected point."""


@dataclass(frozen=True)
class Missing:
    """What a section lacks: by a sentence of it, or as an expected point.

    `pointer` is where the sentence says that it may stand, "" for nowhere; of an `is_exact` subject
    words may make it sure that a passage tells it.
    """

    section: int
    subject: str
    sentence: str = ""
    point: int = 0
    parts: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    pointer: str = ""
    is_exact: bool = True


@dataclass
class Findings:
    """What was found of each missing thing, by each query, and what the searches came to."""

    rated: dict[Missing, list[list[SpokenOf]]] = field(default_factory=dict)
    pointed: dict[Missing, list[int]] = field(default_factory=dict)
    hits: defaultdict[str, list[list[int]]] = field(default_factory=lambda: defaultdict(list))
    documents: dict[int, int] = field(default_factory=dict)
    answers: list[ConnectorResult] = field(default_factory=list)

    def add(self, answers: Iterable[ConnectorResult]) -> None:
        """Take in what one place answered."""
        for answered in answers:
            self.hits[answered.question].append([hit.chunk for hit in answered.hits])
            self.documents |= {hit.chunk: hit.document for hit in answered.hits}

    def list_hits(self, one: Missing) -> list[list[int]]:
        """What each query for it found, of the last place that was asked first."""
        asked = dict.fromkeys([*one.queries, one.subject])
        return [chunks for query in asked for chunks in reversed(self.hits.get(query, []))]

    def list_chunks(self, one: Missing) -> list[int]:
        """All that was found of it, what it points to first."""
        every = chain(self.pointed.get(one, []), *self.list_hits(one))
        return list(dict.fromkeys(every))

    def choose_chunks(self, one: Missing, draft: Section) -> list[int]:
        """What its writer is shown of it: of a point only what words say that speaks of it."""
        rated = self.rated.get(one, [])
        if one.point:
            return [spoken.chunk for ratings in rated for spoken in ratings[:MAX_CHUNKS]]
        pointed, found = self.pointed.get(one, []), self.list_hits(one)
        return choose_candidates(rated, pointed, found, self.documents, draft)

    def is_answered(self, one: Missing, chunks: Sequence[int]) -> bool:
        """Whether words make it sure that the chunks tell all of it."""
        clear = [
            {spoken.chunk for spoken in ratings if spoken.is_clear}
            for ratings in self.rated.get(one, [])
        ]
        return bool(clear) and all(not told.isdisjoint(chunks) for told in clear)

    def is_spoken_of(self, one: Missing) -> bool:
        """Whether something that was found speaks of it by its words."""
        return any(self.rated.get(one, []))
