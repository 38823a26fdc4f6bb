"""The query's vectors, made before any row is read: no connection waits for a model."""

from collections.abc import Sequence

from library.arms import Meaning
from library.asked import readable
from library.spaces import Space
from models.embeddings import Embedder
from schema.errors import ModelUnavailableError
from schema.report import Degraded
from schema.search import SearchOptions
from schema.together import together

Vectors = Sequence[list[float]]


async def query_vectors(
    query: str, options: SearchOptions, embedder: Embedder | None
) -> tuple[Vectors, list[Degraded]]:
    """Vectors of a query and its variants; or none, and why where that is a loss."""
    if embedder is None or "meaning" not in options.arms:
        return [], []
    try:
        texts = [readable(text) for text in (query, *options.variants)]
        return await together(embedder.embed_query(text) for text in texts), []
    except ModelUnavailableError as error:
        return [], [Degraded(code="embedding_unavailable", detail=str(error))]


def usable(
    vectors: Vectors, space: Space, language: str, embedder: Embedder | None
) -> tuple[Meaning | None, list[Degraded]]:
    """The vectors for the meaning arm, where the space's are of the same model."""
    if embedder is None or not vectors or space.embedding_model is None:
        return None, []
    if space.embedding_model == embedder.name:
        return Meaning(vectors, embedder.knows(language)), []
    detail = (
        f"The library's vectors are of {space.embedding_model}, the configured model is "
        f"{embedder.name}: only words were searched. Ingest again to make new vectors."
    )
    return None, [Degraded(code="embedding_model_changed", detail=detail)]
