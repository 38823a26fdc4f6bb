"""What the sections of a report lack, and what was found of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from citations.gap_answers import SpokenOf
from citations.gap_candidates import choose_candidates
from connectors.search_all import ConnectorResult
from schema.report import Section

MAX_CHUNKS = 4
"""Passages that are kept of what was found for an expected point."""


@dataclass(frozen=True)
class Missing:
    """What a section lacks: by a sentence of it, as an expected point of that number, or as both.

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


@dataclass(frozen=True)
class Told:
    """What other sections say of a missing thing: the sentences, and the chunks that these cite.

    `is_sure`: words make it sure that they tell all of it.
    """

    said: str
    chunks: tuple[int, ...]
    is_sure: bool


@dataclass
class Findings:
    """What was found of each missing thing, by each query, and what the searches came to.

    `rated` has one list for each part of a missing thing, the best first; `shown` are the chunks
    that other sections were shown.
    """

    rated: dict[Missing, list[list[SpokenOf]]] = field(default_factory=dict)
    pointed: dict[Missing, list[int]] = field(default_factory=dict)
    shown: dict[Missing, list[int]] = field(default_factory=dict)
    told: dict[Missing, Told] = field(default_factory=dict)
    hits: defaultdict[str, list[list[int]]] = field(default_factory=lambda: defaultdict(list))
    documents: dict[int, int] = field(default_factory=dict)
    answers: list[ConnectorResult] = field(default_factory=list)
    listings: set[int] = field(default_factory=set)
    _seen: defaultdict[Missing, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, answers: Iterable[ConnectorResult]) -> None:
        """Take in what one place answered."""
        for answered in answers:
            self.hits[answered.question].append([hit.chunk for hit in answered.hits])
            self.documents |= {hit.chunk: hit.document for hit in answered.hits}

    def list_hits(self, one: Missing) -> list[list[int]]:
        """What each query for it found, of the last place that was asked first."""
        asked = dict.fromkeys([*one.queries, one.subject])
        return [chunks for query in asked for chunks in reversed(self.hits.get(query, []))]

    def list_unrated(self, one: Missing) -> list[int]:
        """All that was found of it since it was rated last, what it points to first."""
        told = self.told[one].chunks if one in self.told else ()
        every = chain(
            told, self.pointed.get(one, []), self.shown.get(one, []), *self.list_hits(one)
        )
        return [chunk for chunk in dict.fromkeys(every) if chunk not in self._seen[one]]

    def add_ratings(self, one: Missing, rated: Sequence[Sequence[SpokenOf]]) -> None:
        """Take in how far what was unrated of it speaks of each of its parts."""
        self._seen[one].update(self.list_unrated(one))
        before = self.rated.get(one, [[] for _ in rated])
        self.rated[one] = [
            sorted([*old, *new], key=lambda spoken: (-spoken.is_clear, -spoken.share, -spoken.own))
            for old, new in zip(before, rated, strict=True)
        ]

    def choose_chunks(self, one: Missing, draft: Section) -> list[int]:
        """What its writer is shown of it: of a point first what speaks of it by its words."""
        rated = self.rated.get(one, [])
        found = [
            [chunk for chunk in chunks if chunk not in self.listings]
            for chunks in self.list_hits(one)
        ]
        if not one.sentence:
            spoken = [each.chunk for ratings in rated for each in ratings[:MAX_CHUNKS]]
            best = [chunk for chunk in chain(*found) if chunk not in spoken]
            return [*spoken, *dict.fromkeys(best)][: max(MAX_CHUNKS, len(spoken))]
        told = self.told[one].chunks if one in self.told else ()
        pointed = self.pointed.get(one, [])
        return choose_candidates(rated, pointed, told, found, self.documents, draft)

    def is_answered(self, one: Missing, chunks: Sequence[int]) -> bool:
        """Whether words make it sure that other sections or the chunks tell all of it."""
        if one in self.told and self.told[one].is_sure:
            return True
        clear = [
            {spoken.chunk for spoken in ratings if spoken.is_clear}
            for ratings in self.rated.get(one, [])
        ]
        return bool(clear) and all(not told.isdisjoint(chunks) for told in clear)

    def is_spoken_of(self, one: Missing) -> bool:
        """Whether something that was found speaks of it by its words."""
        return any(self.rated.get(one, []))

    def may_be_told(self, one: Missing) -> bool:
        """Whether something was found that speaks of it, or stands where it was said to stand."""
        return self.is_spoken_of(one) or bool(self.pointed.get(one))
