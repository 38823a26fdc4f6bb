"""The inverted index: packed postings, and exact BM25 over them.

For a term and a block of 16,384 neighbouring ids, one array says which of the ids hold the term
and with what weight (see `retrieval.search.bm25.weigh_passage_terms`). Four bytes an entry: the
id's place in the block, and the weight as a half-precision float (relative error 2^-11).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from retrieval.search.bm25 import K1, PIVOT_LENGTH, B

BLOCK_SIZE = 1 << 14
"""Ids of a block. Larger: fewer rows, and more bytes rewritten when a chunk is added."""

ENTRY = np.dtype([("place", "<u2"), ("weight", "<f2")])

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class TermVector:
    """The distinct terms of one text: ids, ascending, and the weight of each."""

    ids: NDArray[np.int32]
    weights: NDArray[np.float16]

    @classmethod
    def from_terms(cls, terms: Sequence[int], pivot: float = PIVOT_LENGTH) -> "TermVector":
        """Weigh the terms of a text, given with repeats.

        `pivot`: see `retrieval.search.bm25`.
        """
        [vector] = cls.from_many([terms], [pivot])
        return vector

    @classmethod
    def from_many(
        cls, texts: Sequence[Sequence[int]], pivots: Sequence[float]
    ) -> "list[TermVector]":
        """The same for several texts, whose terms are sorted and counted in one go."""
        lengths = np.array([len(terms) for terms in texts], np.int64)
        every = np.fromiter(chain.from_iterable(texts), np.int64, int(lengths.sum()))
        held = np.sort(np.repeat(np.arange(len(texts)) << 32, lengths) | every)
        first = np.flatnonzero(held[1:] != held[:-1]) + 1
        first = np.concatenate([[0], first]) if len(held) else first
        counts = np.diff(first, append=len(held))
        owner, ids = held[first] >> 32, held[first].astype("<i4")
        norm = (K1 * (1 - B + B * lengths / np.array(pivots, np.float64)))[owner]
        weights = (counts * (K1 + 1) / (counts + norm)).astype("<f2")
        ends = np.searchsorted(owner, np.arange(1, len(texts) + 1)).tolist()
        return [
            cls(ids[start:end], weights[start:end])
            for start, end in zip([0, *ends], ends, strict=False)
        ]


def pack_postings(texts: Sequence[tuple[int, TermVector]]) -> Iterator[tuple[int, int, bytes]]:
    """Turn texts with their ids into (term, block, entries), each pair of term and block once."""
    texts = [text for text in texts if len(text[1].ids)]
    if not texts:
        return
    terms = np.concatenate([text.ids for _, text in texts])
    ids = np.repeat([identity for identity, _ in texts], [len(text.ids) for _, text in texts])
    order = np.lexsort((ids, terms))
    terms, ids = terms[order], ids[order]
    entries = np.empty(len(terms), ENTRY)
    entries["place"] = ids % BLOCK_SIZE
    entries["weight"] = np.concatenate([text.weights for _, text in texts])[order]
    blocks, packed_entries = ids // BLOCK_SIZE, entries.tobytes()
    starts = np.flatnonzero((np.diff(terms, prepend=-1) != 0) | (np.diff(blocks, prepend=-1) != 0))
    ends = np.append(starts[1:], len(terms))
    for term, block, start, end in zip(
        terms[starts].tolist(), blocks[starts].tolist(), starts.tolist(), ends.tolist(), strict=True
    ):
        yield term, block, packed_entries[start * ENTRY.itemsize : end * ENTRY.itemsize]


def find_touched_blocks(texts: Iterable[tuple[int, bytes]]) -> set[tuple[int, int]]:
    """The (term, block) pairs that hold any of some texts, given as (id, term ids as int32)."""
    return {
        (term, identity // BLOCK_SIZE)
        for identity, terms in texts
        for term in np.frombuffer(terms, "<i4").tolist()
    }


def remove_ids(block: int, entries: bytes, gone: Ids) -> bytes:
    """Entries of a block that do not belong to any of the ids `gone`."""
    here = np.frombuffer(entries, ENTRY)
    return here[~np.isin(here["place"].astype(np.int64) + block * BLOCK_SIZE, gone)].tobytes()


@dataclass(frozen=True)
class Posting:
    """One row of the index: a term in a block. `entries` is None for a term that is not scored."""

    term: int
    df: int
    block: int
    entries: bytes | None


class BM25Scores:
    """BM25 of every text that holds a word of a query; exact but for the weights' precision."""

    def __init__(self, postings: Sequence[Posting], values: Mapping[int, float]) -> None:
        """Score.

        Args:
            postings: of the query's terms.
            values: what each term counts; see `retrieval.search.query.weigh_query_terms`.
        """
        self._rows = [row for row in postings if row.entries is not None]
        blocks = sorted({row.block for row in self._rows})
        self._base = {block: place * BLOCK_SIZE for place, block in enumerate(blocks)}
        self._blocks = np.array(blocks, np.int64)
        self._scores = np.zeros(len(blocks) * BLOCK_SIZE + 1, np.float32)  # the last: unknown texts
        for row in self._rows:
            entries = np.frombuffer(row.entries or b"", ENTRY)
            value = np.float32(values[row.term])
            # the places of one row are distinct: a plain += adds each once
            self._scores[self._base[row.block] :][entries["place"]] += entries["weight"] * value

    def best(self, limit: int, among: Ids | None = None) -> list[int]:
        """Ids of the best texts, or of the best among some, best first, ties by id.

        Texts that hold no word of the query are left out.
        """
        if among is None:
            places = np.flatnonzero(self._scores > 0)
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
        """For each of some distinct texts, the terms of the query that it holds.

        Entries must stand in the order of ids: those of chunks do, which are added once, in order.
        """
        positions = self._find_positions(ids)
        order = np.argsort(positions)
        bounds = np.searchsorted(positions[order], np.arange(len(self._blocks) + 1) * BLOCK_SIZE)
        held: list[set[int]] = [set() for _ in ids]
        for row in self._rows:
            base = self._base[row.block]
            here = order[slice(*bounds[base // BLOCK_SIZE :][:2])]
            places = np.frombuffer(row.entries or b"", ENTRY)["place"]
            sought = (positions[here] - base).astype(places.dtype)
            at = np.searchsorted(places, sought)
            at[at == len(places)] = 0
            for one in here[places[at] == sought].tolist():
                held[one].add(row.term)
        return held

    def _find_positions(self, ids: Ids) -> Ids:
        """Places in the array of scores; -1 of a text in a block that holds no word."""
        if not len(self._blocks):
            return np.full(len(ids), -1)
        blocks = ids // BLOCK_SIZE
        nearest = np.minimum(np.searchsorted(self._blocks, blocks), len(self._blocks) - 1)
        known = self._blocks[nearest] == blocks
        return np.where(known, nearest * BLOCK_SIZE + ids % BLOCK_SIZE, -1)
