"""Give new chunks their vectors, where an embedding model is configured."""

from langgraph.runtime import Runtime

from nodes.common.run import emit, get_library
from schema.context import Context
from schema.events import VectorsMade
from schema.state import IngestState, IngestUpdate


async def embed(state: IngestState, runtime: Runtime[Context]) -> IngestUpdate:  # noqa: ARG001
    """Embed what has no vector of the configured model yet.

    Raises:
        ModelUnavailableError: the model does not answer; what it embedded before stays.
    """
    library = await get_library(runtime, "curator")

    def tell(vectors: int) -> None:
        emit(runtime, VectorsMade(type="embedded", vectors=vectors))

    return {"vectors": await library.embed_missing(tell)}
