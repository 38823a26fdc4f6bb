"""The inverted index: packed postings, which `retrieval.search.bm25_scores` adds up.

For a term and a block of 16,384 neighbouring ids, one array says which of the ids hold the term
and with what weight (see `retrieval.search.bm25.weigh_passage_terms`). Four bytes an entry: the
id's place in the block, and the weight as a half-precision float (relative error 2^-11).
"""

from collections.abc import Iterable, Iterator, Sequence
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
        [vector] = cls.from_many([terms], pivot)
        return vector

    @classmethod
    def from_many(
        cls, texts: Sequence[Sequence[int]], pivot: float = PIVOT_LENGTH
    ) -> "list[TermVector]":
        """The same for several texts, whose terms are sorted and counted in one go."""
        lengths = np.array([len(terms) for terms in texts], np.int64)
        every = np.fromiter(chain.from_iterable(texts), np.int64, int(lengths.sum()))
        held = np.sort(np.repeat(np.arange(len(texts)) << 32, lengths) | every)
        first = np.flatnonzero(held[1:] != held[:-1]) + 1
        first = np.concatenate([[0], first]) if len(held) else first
        counts = np.diff(first, append=len(held))
        owner, ids = held[first] >> 32, held[first].astype("<i4")
        norm = (K1 * (1 - B + B * lengths / pivot))[owner]
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
