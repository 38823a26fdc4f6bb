"""How much of each text stands in each other one, by runs of words.

Two texts of one origin share long runs of words; two texts about one event share names, figures
and short phrases. Runs of five words part the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing a graph loads no numpy
    import numpy as np
    from numpy.typing import NDArray

SHINGLE_WORDS = 5
"""Words of a run."""

MAX_SHINGLES = 150_000
"""Runs of all texts that are compared one by one; of more one in n is, chosen by its hash."""

_TEXT_BITS = 12  # of a key, that name its text
_UNSPACED = (
    (0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1100, 0x1200), (0x1780, 0x1800), (0x3040, 0x3100),
    (0x3400, 0xA000), (0xAC00, 0xE000), (0xF900, 0xFB00),
)  # fmt: skip
"""Scripts that write without spaces: each character counts as a word."""

_SEPARATOR, _LETTER, _WORD = 0, 1, 2
_BASE = 0x9E3779B97F4A7C15
_MIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


@dataclass(frozen=True)
class TextOverlap:
    """Of each pair of texts the common runs of words, and how many each has.

    `common[i][j]` counts the distinct runs that texts `i` and `j` share, `sizes[i]` those of `i`;
    where there were too many, of a sample of them.
    """

    common: Sequence[Sequence[int]]
    sizes: Sequence[int]

    def containment(self, one: int, other: int) -> float:
        """The share of the smaller text that stands in the larger."""
        return self.common[one][other] / max(1, min(self.sizes[one], self.sizes[other]))


def compare_texts(texts: Sequence[str], words: int = SHINGLE_WORDS) -> TextOverlap:
    """Compare each text with each other one.

    Args:
        texts: 4,096 at most.
        words: of a run.

    Raises:
        ValueError: there are more texts.
    """
    import numpy as np  # noqa: PLC0415  (importing a graph loads no numpy)

    if len(texts) > 2**_TEXT_BITS:
        raise ValueError(f"{len(texts)} texts are too many to be compared")
    hashes = [_hash_shingles(text, words) for text in texts]
    parts = 1 + sum(map(len, hashes)) // MAX_SHINGLES
    if parts > 1:
        hashes = [one[one < np.uint64(2**64 // parts)] for one in hashes]
    keys = np.concatenate(
        [
            (one & ~np.uint64(2**_TEXT_BITS - 1)) | np.uint64(place)
            for place, one in enumerate(hashes)
        ]
        or [np.empty(0, np.uint64)]
    )
    keys.sort()
    distinct = keys[np.diff(keys, prepend=np.uint64(0)) != 0]
    owners = (distinct & np.uint64(2**_TEXT_BITS - 1)).astype(np.intp)
    sizes = np.bincount(owners, minlength=len(texts))
    groups = np.cumsum(np.diff(distinct >> np.uint64(_TEXT_BITS), prepend=np.uint64(0)) != 0)
    shared = np.bincount(groups, minlength=1)[groups] > 1
    held = np.zeros((len(texts), -(-int(np.sum(shared)) // 64) * 64), np.bool_)
    columns = np.cumsum(np.diff(groups[shared], prepend=-1) != 0) - 1
    held[owners[shared], columns] = True
    # bits are counted, for a product of matrices would wake a thread on every core
    bits = np.packbits(held, axis=1).view(np.uint64)
    common = [np.bitwise_count(row & bits).sum(axis=1).tolist() for row in bits]
    return TextOverlap(common, sizes.tolist())


def _hash_shingles(text: str, words: int) -> "NDArray[np.uint64]":
    """A hash of each run of words, in order; one of all words where there are fewer."""
    import numpy as np  # noqa: PLC0415

    found = _hash_words(text)
    count = min(words, len(found))
    if not count:
        return found
    hashes = np.zeros(len(found) - count + 1, np.uint64)
    for place in range(count):
        hashes *= np.uint64(_BASE)
        hashes += found[place : place + len(hashes)]
    return _mix(hashes)


def _hash_words(text: str) -> "NDArray[np.uint64]":
    """A hash of each word of a text: of its characters' values, each times a power of the base.

    What stands before a word is taken off as in a sum over the text, and its power divided out, so
    that a word has one hash wherever it stands. 32 bits are enough: runs of words are compared.
    """
    import numpy as np  # noqa: PLC0415

    lowered = text.lower()
    if lowered.isascii():
        codes: NDArray[np.integer] = np.frombuffer(lowered.encode(), np.uint8)
    else:  # what is beyond the first plane is two codes
        codes = np.frombuffer(lowered.encode("utf-16-le", "surrogatepass"), np.uint16)
    if not len(codes):
        return np.empty(0, np.uint64)
    kinds, character_values = _load_characters()
    kind = kinds.take(codes)
    word, inside = kind > 0, kind == _LETTER
    joined = inside[1:] & inside[:-1]
    first = np.flatnonzero(np.concatenate([word[:1], word[1:] & ~joined]))
    last = np.flatnonzero(np.concatenate([word[:-1] & ~joined, word[-1:]]))
    powers, inverses = _load_powers(1 << max(10, (len(codes) - 1).bit_length()))
    values = character_values.take(codes)
    values *= powers[: len(codes)]
    sums = np.cumsum(values, dtype=np.uint32)
    hashes = (sums[last] - sums[first] + values[first]) * inverses[first]
    return _mix(hashes.astype(np.uint64))


def _mix(values: "NDArray[np.uint64]") -> "NDArray[np.uint64]":
    """Values whose bits all depend on all bits of those given."""
    import numpy as np  # noqa: PLC0415

    values = (values ^ (values >> np.uint64(30))) * np.uint64(_MIX[0])
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_MIX[1])
    return values ^ (values >> np.uint64(31))


@cache
def _load_characters() -> "tuple[NDArray[np.uint8], NDArray[np.uint32]]":
    """Of each code of UTF-16 what it is, a separator, a letter or a word, and a value."""
    import unicodedata  # noqa: PLC0415

    import numpy as np  # noqa: PLC0415

    kinds = np.array(
        [unicodedata.category(chr(code))[0] in "LNM" for code in range(0x10000)], np.uint8
    )
    for start, end in _UNSPACED:
        kinds[start:end] *= _WORD
    return kinds, _mix(np.arange(1, 0x10001, dtype=np.uint64)).astype(np.uint32)


@cache
def _load_powers(count: int) -> "tuple[NDArray[np.uint32], NDArray[np.uint32]]":
    """The first powers of the base, and their inverses, modulo 2 ** 32."""
    import numpy as np  # noqa: PLC0415

    def powers(base: int) -> "NDArray[np.uint32]":
        found = np.ones(count, np.uint32)
        found[1:] = base
        return np.cumprod(found, dtype=np.uint32)

    return powers(_BASE & 0xFFFFFFFF), powers(pow(_BASE, -1, 2**32))
