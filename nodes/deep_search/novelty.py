"""Which of some queries or questions are new, by meaning where there is a model for it."""

from collections.abc import Sequence

import numpy as np

from models.embeddings import Embedder
from retrieval.novelty import novel_by_meaning, novel_by_words
from schema.errors import ModelUnavailableError


async def novel(texts: Sequence[str], tried: Sequence[str], embedder: Embedder | None) -> list[int]:
    """Places of the texts that ask something new; see `retrieval.novelty`."""
    if embedder is None or not texts:
        return novel_by_words(texts, tried)
    try:
        vectors = np.array(await embedder.embed_documents([*texts, *tried]), np.float32)
    except ModelUnavailableError:  # the words do
        return novel_by_words(texts, tried)
    return novel_by_meaning(vectors[: len(texts)], vectors[len(texts) :])
