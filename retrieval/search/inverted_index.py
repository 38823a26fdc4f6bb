"""The inverted index: packed postings, which `retrieval.search.bm25_scores` adds up.

For a term and a block of 16,384 neighbouring ids, one array says which of the ids hold the term
and with what weight (see `retrieval.search.bm25.weigh_passage_terms`). Four bytes an entry: the
id's place in the block, and the weight as a half-precision float (relative error 2^-11).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, NamedTuple

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


@dataclass(frozen=True)
class Entries:
    """What texts add to the index: which term each entry is of, and of which text; by both."""

    terms: NDArray[np.int32]
    ids: Ids
    packed: NDArray[np.void]
    """As `ENTRY`."""

    @classmethod
    def from_texts(cls, texts: Sequence[tuple[int, TermVector]]) -> "Entries":
        """Those of texts with their ids."""
        vectors = [vector for _, vector in texts]
        ids = np.repeat(
            np.array([identity for identity, _ in texts], np.int64),
            [len(vector.ids) for vector in vectors],
        )
        packed = np.empty(len(ids), ENTRY)
        packed["place"] = ids % BLOCK_SIZE
        terms, weights = np.empty(0, np.int32), np.empty(0, np.float16)
        packed["weight"] = np.concatenate([weights, *(vector.weights for vector in vectors)])
        return cls._sort(np.concatenate([terms, *(one.ids for one in vectors)]), ids, packed)

    @classmethod
    def from_packs(cls, packs: Sequence["Pack"]) -> "Entries":
        """Those that were packed."""
        counts = np.frombuffer(b"".join(pack.counts for pack in packs), "<u2")
        terms = np.frombuffer(b"".join(pack.terms for pack in packs), "<i4").repeat(counts)
        packed = np.frombuffer(b"".join(pack.entries for pack in packs), ENTRY)
        blocks = np.repeat(
            np.array([pack.block for pack in packs], np.int64),
            [len(pack.entries) // ENTRY.itemsize for pack in packs],
        )
        return cls._sort(terms, blocks * BLOCK_SIZE + packed["place"], packed)

    @classmethod
    def _sort(cls, terms: NDArray[np.int32], ids: Ids, packed: NDArray[np.void]) -> "Entries":
        far = len(ids) > 0 and int(ids.max() - ids.min()) >= 1 << 32
        if far:
            order = np.lexsort((ids, terms))
        else:  # as one number, which takes a third of the time
            first = ids.min() if len(ids) else 0
            order = np.argsort(terms.astype(np.int64) << 32 | (ids - first))
        return cls(terms[order], ids[order], packed[order])


class Pack(NamedTuple):
    """Entries of one block: their terms (int32), how many each has (uint16), and the entries."""

    block: int
    terms: bytes
    counts: bytes
    entries: bytes

    def find(self, wanted: Ids) -> Iterator[tuple[int, bytes]]:
        """The entries of the wanted terms that it holds."""
        terms = np.frombuffer(self.terms, "<i4")
        ends = np.frombuffer(self.counts, "<u2").cumsum(dtype=np.int64) * ENTRY.itemsize
        for at in np.flatnonzero(np.isin(terms, wanted)).tolist():
            start = int(ends[at - 1]) if at else 0
            yield int(terms[at]), self.entries[start : int(ends[at])]


def pack_postings(entries: Entries) -> Iterator[tuple[int, int, bytes]]:
    """Turn entries into (term, block, entries), each pair of term and block once."""
    starts, ends = _find_runs(entries.terms, entries.ids // BLOCK_SIZE)
    packed = entries.packed.tobytes()
    for term, identity, start, end in zip(
        entries.terms[starts].tolist(),
        entries.ids[starts].tolist(),
        (starts * ENTRY.itemsize).tolist(),
        (ends * ENTRY.itemsize).tolist(),
        strict=True,
    ):
        yield term, identity // BLOCK_SIZE, packed[start:end]


def pack_parts(entries: Entries, bits: int) -> Iterator[tuple[int, Pack]]:
    """Turn entries into packs, with the number of each.

    Args:
        entries: of any blocks.
        bits: a pack holds the terms whose ids are the same but for their last `bits` bits; the
            number is what they share.
    """
    blocks = entries.ids // BLOCK_SIZE
    ordered = np.sort(blocks)
    for block in ordered[_find_runs(ordered)[0]].tolist():
        here = np.flatnonzero(blocks == block)
        terms, packed = entries.terms[here], entries.packed[here].tobytes()
        starts, ends = _find_runs(terms)
        distinct, counts = terms[starts], (ends - starts).astype("<u2")
        bounds = np.append(_find_runs(distinct >> bits)[0], len(distinct)).tolist()
        offsets = (np.append(starts, len(terms)) * ENTRY.itemsize).tolist()
        for first, last in pairwise(bounds):
            yield (
                int(distinct[first]) >> bits,
                Pack(
                    block,
                    distinct[first:last].tobytes(),
                    counts[first:last].tobytes(),
                    packed[offsets[first] : offsets[last]],
                ),
            )


def _find_runs(*columns: NDArray[np.integer[Any]]) -> tuple[Ids, Ids]:
    """Where runs of equal values begin and end."""
    differs = np.zeros(len(columns[0]), bool)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(differs)
    return starts, np.append(starts[1:], len(differs)) if len(starts) else starts


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
