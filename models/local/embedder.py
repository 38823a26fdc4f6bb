"""Embedding models that run on this machine."""

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from langchain_core.embeddings import Embeddings

from models.local.known_models import Pooling
from models.local.opened import OpenModel, prepare_model
from models.local.traits import find_missing_modules
from schema.errors import ModelUnavailableError

if TYPE_CHECKING:
    import numpy as np

Result = TypeVar("Result")

_WHOLE_OUTPUT = "sentence_embedding"
"""What sentence-transformers calls the vector of a text in the graphs that it exports."""

_TOKEN_OUTPUTS = ("last_hidden_state", "token_embeddings")


class LocalEmbeddings(Embeddings):
    """The vectors of an ONNX graph."""

    def __init__(self, name: str) -> None:
        """Args: name: as QUIRE_EMBEDDING_MODEL gives it; nothing is opened yet."""
        self._name = name

    async def aprepare(self) -> None:
        """Fetch and open the model, which may take minutes, once.

        Raises:
            ModelUnavailableError: it cannot be fetched or opened.
        """
        choose_output(await prepare_model(self._name))

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text, in order."""
        model = await prepare_model(self._name)
        return await _embed(model, [model.weights.traits.passage_prefix + text for text in texts])

    async def aembed_query(self, text: str) -> list[float]:
        """One vector for a query."""
        model = await prepare_model(self._name)
        return (await _embed(model, [model.weights.traits.query_prefix + text]))[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text, in order."""
        return _wait(self.aembed_documents(texts))

    def embed_query(self, text: str) -> list[float]:
        """One vector for a query."""
        return _wait(self.aembed_query(text))


def _wait(work: Coroutine[Any, Any, Result]) -> Result:
    """Await in a thread of its own: this one may have a running loop."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()


async def _embed(model: OpenModel, texts: Sequence[str]) -> list[list[float]]:
    traits = model.weights.traits
    vectors: list[list[float]] = [[] for _ in texts]
    async for batch, given in model.run(await model.tokenise(texts), choose_output(model)):
        found = pool(given, batch.feed["attention_mask"], traits.pooling)
        if traits.normalise:
            found = _normalise(found)
        for place, vector in zip(batch.places, found.tolist(), strict=True):
            vectors[place] = vector
    return vectors


def choose_output(model: OpenModel) -> str:
    """The output that vectors are made of.

    Raises:
        ModelUnavailableError: the graph ends before the model does.
    """
    names = model.graph.outputs
    if _WHOLE_OUTPUT in names:
        return _WHOLE_OUTPUT
    if missing := find_missing_modules(model.weights.folder):
        raise ModelUnavailableError(
            f"The graph of {model.weights.name} ends before the model's last layers "
            f"({', '.join(missing)}): export it with them, so that it gives {_WHOLE_OUTPUT}."
        )
    return next((name for name in _TOKEN_OUTPUTS if name in names), names[0])


def pool(given: "np.ndarray", mask: "np.ndarray", pooling: Pooling) -> "np.ndarray":
    """One vector per text, of those of its tokens; what is one per text already stays.

    Args:
        given: (texts, tokens, dimensions), or (texts, dimensions).
        mask: (texts, tokens), 1 where a token is no padding.
        pooling: which tokens count.
    """
    import numpy as np  # noqa: PLC0415  (importing a graph loads no numpy)

    given = given.astype(np.float32)
    if given.ndim == 2:
        return given
    if pooling == "cls":
        weight = np.zeros_like(mask)
        weight[:, 0] = 1
    elif pooling == "last":
        weight = mask * (mask.cumsum(1) == mask.sum(1, keepdims=True))
    else:
        weight = mask
    found: np.ndarray = np.einsum("ijk,ij->ik", given, weight) / np.maximum(
        weight.sum(1, keepdims=True), 1
    )
    return found


def _normalise(vectors: "np.ndarray") -> "np.ndarray":
    import numpy as np  # noqa: PLC0415

    found: np.ndarray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return found
