"""Which queries are new: those that ask again what was asked are left out.

With vectors two queries are the same from a cosine of 0.86 on, which is where published deep
searches draw the line. Without, they are the same where their words agree: weighed by how much of a
text's subject each carries, the common ones make up three quarters of all.
"""

from collections.abc import Callable, Sequence

from text.language import detect_language
from text.tokens import content_weight, tokenise

SAME_COSINE = 0.86
SAME_WORDS = 0.75

Vectors = Sequence[Sequence[float]]


def find_new_by_words(candidates: Sequence[str], tried: Sequence[str]) -> list[int]:
    """Places of the candidates that ask something new, in order.

    Args:
        candidates: queries to be; each is compared with all before it, too.
        tried: queries that were made.
    """
    held = [_weigh_content(query) for query in (*tried, *candidates)]
    return _find_new(
        len(tried), len(candidates), lambda one, other: _is_same(held[one], held[other])
    )


def find_new_by_vectors(candidates: Vectors, tried: Vectors) -> list[int]:
    """The same by vectors: of the candidates, and of what was tried; of any length."""
    import numpy as np  # noqa: PLC0415  (slow to load)

    stacked = np.array([*tried, *candidates], np.float32)
    stacked /= np.maximum(np.linalg.norm(stacked, axis=1, keepdims=True), 1e-9)
    cosines = stacked @ stacked.T
    return _find_new(
        len(tried), len(candidates), lambda one, other: bool(cosines[one, other] >= SAME_COSINE)
    )


def _find_new(tried: int, candidates: int, same: Callable[[int, int], bool]) -> list[int]:
    kept = list(range(tried))
    for place in range(tried, tried + candidates):
        if not any(same(place, other) for other in kept):
            kept.append(place)
    return [place - tried for place in kept[tried:]]


def _weigh_content(query: str) -> dict[str, float]:
    language = detect_language(query)
    return {term: content_weight(term, language) for term in tokenise(query, language)}


def _is_same(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two queries have the same words of content; two without any words are the same."""
    everything = one | other
    whole = sum(everything.values())
    common = sum(everything[term] for term in one.keys() & other.keys())
    return not whole or common / whole >= SAME_WORDS
