"""Embedding vectors made from hashed words."""

import hashlib
import math
import struct

from fakes.words import words


def vector(text: str, dimension: int) -> list[float]:
    """Embeds a text so that texts which share words are closer.

    Each word adds or subtracts one at eight places that its hash picks.

    Args:
        text: The text to embed.
        dimension: The length of the vector.

    Returns:
        A vector of length one, always the same for the same text and dimension.
    """
    totals = [0.0] * dimension
    for word in words(text):
        digest = hashlib.blake2b(word.encode(), digest_size=32).digest()
        for number in struct.unpack("<8I", digest):
            totals[(number >> 1) % dimension] += 1.0 if number & 1 else -1.0
    length = math.sqrt(sum(total * total for total in totals))
    if length == 0.0:
        # A zero vector has no direction, and stores that use cosine distance choke on it.
        return [1.0] + [0.0] * (dimension - 1)
    return [total / length for total in totals]
