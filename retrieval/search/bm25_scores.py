"""Exact BM25 of every text that holds a word of a query, from the rows of the inverted index."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.search.inverted_index import BLOCK_SIZE, ENTRY, Floats, Ids, Pack

ADDED_AT_ONCE = 1 << 16
"""Entries that are added in one go: what that takes stays in the processor's cache."""

HALF_BIAS = np.float32(2.0**112)
"""What the exponents of half and single precision differ by."""

STRETCH = 128
"""Texts of which the best one is looked at first; divides a block."""


@dataclass(frozen=True)
class Postings:
    """Rows of the index: the terms of a query in blocks.

    Attributes:
        rows: four times as many numbers as rows: the term of each; the block; how many texts of it
            hold the term; 1, or 0 where the term is not to be scored.
        entries: of the rows to be scored, as `ENTRY`, one row's after the other's.
    """

    rows: NDArray[np.integer[Any]]
    entries: bytes

    def add_packs(self, packs: Sequence[Pack], terms: Sequence[int]) -> "Postings":
        """The same with what packs hold of some terms."""
        wanted = np.array(terms, np.int64)
        held = [
            (term, pack.block, len(entries) // ENTRY.itemsize, entries)
            for pack in packs
            for term, entries in pack.find(wanted)
        ]
        if not held:
            return self
        common = set(self.rows[0][self.rows[3] == 0].tolist())
        rows = [(term, block, count, term not in common) for term, block, count, _ in held]
        entries = [one for term, _, _, one in held if term not in common]
        columns = np.concatenate([self.rows, np.array(rows, np.int64).T], axis=1)
        return Postings(columns, b"".join([self.entries, *entries]))

    def count_texts(self) -> dict[int, int]:
        """In how many texts each term occurs."""
        df: Counter[int] = Counter()
        for term, held in zip(*self.rows[::2].tolist(), strict=True):
            df[term] += held
        return df


class BM25Scores:
    """BM25 of the texts; exact but for the weights' precision."""

    def __init__(self, postings: Postings, values: Mapping[int, float]) -> None:
        """Score.

        Args:
            postings: of the query's terms.
            values: what each term counts; see `retrieval.search.query.weigh_query_terms`.
        """
        scored = postings.rows[:, postings.rows[3] > 0].astype(np.int64)
        self._terms, blocks, self._counts, _ = scored
        self._blocks, places = np.unique(blocks, return_inverse=True)
        self._bases = places * BLOCK_SIZE
        self._ends = np.cumsum(self._counts)
        self._scores = np.zeros(len(self._blocks) * BLOCK_SIZE + 1, np.float32)  # the last: unknown
        weights = np.array([values[term] for term in self._terms.tolist()], np.float32) * HALF_BIAS
        self._parts = list(self._find_positions_of(np.frombuffer(postings.entries, "<u4")))
        for rows, entries, positions in self._parts:
            # a half's bits are those of a float but for their place and its exponent's bias
            added = ((entries >> 3) & 0x0FFFE000).view(np.float32)
            added *= np.repeat(weights[rows], self._counts[rows])
            np.add.at(self._scores, positions, added)

    def best(self, limit: int, among: Ids | None = None) -> list[int]:
        """Ids of the best texts, or of the best among some, best first, ties by id.

        Texts that hold no word of the query are left out.
        """
        if among is None:
            places = np.flatnonzero(self._scores >= self._find_least(limit))
        else:
            places = np.sort(self._find_positions(among))
            places = places[(places >= 0) & (self._scores[places] > 0)]
        scores = self._scores[places]
        if len(places) > limit:
            least = np.partition(scores, -limit)[-limit]
            places, scores = places[scores >= least], scores[scores >= least]
        places = places[np.lexsort((places, -scores))][:limit]
        found: list[int] = (
            self._blocks[places // BLOCK_SIZE] * BLOCK_SIZE + places % BLOCK_SIZE
        ).tolist()
        return found

    def scores_for(self, ids: Ids) -> Floats:
        """Scores of some texts, 0 where no word matches."""
        return self._scores[self._find_positions(ids)]

    def find_matched_terms(self, ids: Ids) -> list[set[int]]:
        """For each of some distinct texts, the terms of the query that it holds."""
        numbers = np.full(len(self._scores), -1, np.int32)
        numbers[self._find_positions(ids)] = np.arange(len(ids))
        numbers[-1] = -1
        sought = numbers >= 0
        held: list[set[int]] = [set() for _ in ids]
        for rows, _, positions in self._parts:
            places = np.flatnonzero(sought.take(positions))
            of_rows = np.searchsorted(np.cumsum(self._counts[rows]), places, side="right")
            terms = self._terms[rows][of_rows].tolist()
            for number, term in zip(numbers[positions[places]].tolist(), terms, strict=True):
                held[number].add(term)
        return held

    def _find_positions_of(
        self, packed: NDArray[np.uint32]
    ) -> Iterator[tuple[slice, NDArray[np.uint32], Ids]]:
        """Some rows at a time, their entries, and the place of each in the array of scores."""
        start = 0
        while start < len(self._ends):
            before = int(self._ends[start - 1]) if start else 0
            end = int(np.searchsorted(self._ends, before + ADDED_AT_ONCE)) + 1
            rows = slice(start, end)
            entries = packed[before : int(self._ends[rows][-1])]
            positions = np.repeat(self._bases[rows], self._counts[rows])
            positions += entries & 0xFFFF
            yield rows, entries, positions
            start = end

    def _find_least(self, limit: int) -> float:
        """A score that at least `limit` texts reach, if as many hold a word; else the least one.

        The best one of each stretch of texts is known at less cost than the order of all.
        """
        best = self._scores[:-1].reshape(-1, STRETCH).max(axis=1)
        least = float(np.partition(best, -limit)[-limit]) if len(best) > limit else 0.0
        return least or float(np.nextafter(np.float32(0), np.float32(1)))

    def _find_positions(self, ids: Ids) -> Ids:
        """Places in the array of scores; -1 of a text in a block that holds no word."""
        if not len(self._blocks):
            return np.full(len(ids), -1)
        blocks = ids // BLOCK_SIZE
        nearest = np.minimum(np.searchsorted(self._blocks, blocks), len(self._blocks) - 1)
        known = self._blocks[nearest] == blocks
        return np.where(known, nearest * BLOCK_SIZE + ids % BLOCK_SIZE, -1)
