"""Give new chunks their vectors, where an embedding model is configured."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.run import emit, library_of
from schema.context import Context
from schema.events import VectorsMade
from schema.state import IngestState


async def embed(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:  # noqa: ARG001
    """Embed what has no vector of the configured model yet.

    Raises:
        ModelUnavailableError: the model does not answer; what it embedded before stays.
    """
    library = await library_of(runtime)

    def tell(vectors: int) -> None:
        emit(runtime, VectorsMade(type="embedded", vectors=vectors))

    return {"vectors": await library.embed_missing(tell)}
