"""Which of some queries or questions are new, by meaning where there is a model for it."""

from collections.abc import Sequence

from models.embeddings import Embedder
from retrieval.search.query_dedup import find_new_by_vectors, find_new_by_words
from schema.errors import ModelUnavailableError


async def find_new(
    texts: Sequence[str], tried: Sequence[str], embedder: Embedder | None
) -> list[int]:
    """Places of the texts that ask something new; see `retrieval.search.query_dedup`."""
    if embedder is None or not texts:
        return find_new_by_words(texts, tried)
    try:
        vectors = await embedder.embed_documents([*texts, *tried])
    except ModelUnavailableError:  # the words do
        return find_new_by_words(texts, tried)
    return find_new_by_vectors(vectors[: len(texts)], vectors[len(texts) :])
