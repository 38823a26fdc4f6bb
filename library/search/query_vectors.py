"""The query's vectors, made before any row is read: no connection waits for a model."""

from collections.abc import Sequence

from pgvector import HalfVector

from library.database.spaces import Space
from library.search.retrievers import DenseRetriever
from library.search.search_pass import clean_query
from models.embeddings import Embedder
from schema.errors import ModelUnavailableError
from schema.gather import run_concurrently
from schema.report import Degradation
from schema.search import SearchOptions

QueryVectors = Sequence[list[float]]


async def embed_variants(
    query: str, options: SearchOptions, embedder: Embedder | None
) -> tuple[QueryVectors, list[Degradation]]:
    """Vectors of a query and its variants; or none, and why where that is a loss."""
    if embedder is None or "dense" not in options.retrievers:
        return [], []
    try:
        texts = [clean_query(text) for text in (query, *options.variants)]
        return await run_concurrently(embedder.embed_query(text) for text in texts), []
    except ModelUnavailableError as error:
        return [], [Degradation(code="embedding_unavailable", detail=str(error))]


def report_length(embedder: Embedder) -> Degradation:
    """What is lost where a model's vectors have another length than those that it made before."""
    detail = (
        f"{embedder.name} makes vectors of another length than the library's: only words were "
        "searched. Remove the documents and ingest them again."
    )
    return Degradation(code="embedding_model_changed", detail=detail)


def make_dense_retriever(
    vectors: QueryVectors, space: Space, language: str, embedder: Embedder | None
) -> tuple[DenseRetriever | None, list[Degradation]]:
    """The vectors for the dense retriever, where the space's are of the same model."""
    if embedder is None or not vectors or space.embedding_model is None:
        return None, []
    if space.embedding_model == embedder.name:
        narrowed = [HalfVector(vector) for vector in vectors]
        return DenseRetriever(narrowed, embedder.supports_language(language)), []
    detail = (
        f"The library's vectors are of {space.embedding_model}, the configured model is "
        f"{embedder.name}: only words were searched. Ingest again to make new vectors."
    )
    return None, [Degradation(code="embedding_model_changed", detail=detail)]
