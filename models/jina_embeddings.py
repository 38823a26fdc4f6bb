"""Jina's embedding models, by their API; the pieces of one page are embedded in its context.

Late chunking (Günther et al. 2024, arXiv:2409.04701): all inputs of one request are read as one
text, and the vector of each is the mean over its own tokens. So "it" means what the page means.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

import httpx
from langchain_core.embeddings import Embeddings
from pydantic import BaseModel, FiniteFloat, ValidationError

from models.http_retries import post_json
from retrieval.passages.context_window import estimate_tokens
from schema.concurrency import get_semaphore
from schema.errors import InputError, ModelUnavailableError
from schema.gather import run_concurrently

DEFAULT_URL = "https://api.jina.ai/v1"

BATCH_SIZE = 128
"""Inputs of one request; of Jina's models the strictest takes 512."""

CONTEXT_TOKENS = 4_000
"""Estimated tokens of a page that one request holds. Models from v2 on read 8,192 and no more;
the estimate is for prose, and tables of numbers make twice as many."""

MAX_CONCURRENT = 4
"""Requests at once on one event loop; Jina's free plan takes five."""


class JinaEmbeddings(Embeddings):
    """An embedding model of Jina's.

    Its connections belong to the event loop that it is first used on, so only the asynchronous
    methods ask it anything. They raise TimeoutError, ConnectionError, an error with a
    `status_code`, or ModelUnavailableError; the key stands in none of them.

    Args:
        model: as Jina names it, such as `jina-embeddings-v3`.
        key: of the API; printable ASCII.
        url: of the API, without the name of the method.
        seconds: longest wait for any part of one answer.
        retries: tries after one that failed with 429, 5xx or a broken connection.

    Raises:
        InputError: the address is none.
    """

    def __init__(self, model: str, key: str, url: str, *, seconds: float, retries: int) -> None:
        self._model = model
        self._tries = retries + 1
        headers = {"Authorization": f"Bearer {key}"}
        try:
            self._client = httpx.AsyncClient(base_url=url, headers=headers, timeout=seconds)
        except httpx.InvalidURL:
            raise InputError(
                f"QUIRE_JINA_EMBEDDINGS_BASE_URL is no web address: write it like {DEFAULT_URL}."
            ) from None

    async def aembed_query(self, text: str) -> list[float]:
        """One vector of length 1 for a question."""
        return (await self._embed([text], "retrieval.query"))[0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector of length 1 per text, in order; each text by itself."""
        return await self._embed_all(_split_batches(texts, math.inf), late=False)

    async def aembed_page(self, pieces: list[str]) -> list[list[float]]:
        """One vector of length 1 per piece of one text, in order; each in the context of others.

        A text too long for the model's context is read in stretches of about `CONTEXT_TOKENS`
        tokens.
        """
        return await self._embed_all(_split_batches(pieces, CONTEXT_TOKENS), late=True)

    def embed_query(self, text: str) -> list[float]:
        """Not to be had."""
        raise NotImplementedError("Jina is asked asynchronously: use aembed_query.")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Not to be had."""
        raise NotImplementedError("Jina is asked asynchronously: use aembed_documents.")

    async def _embed_all(
        self, batches: Iterable[Sequence[str]], *, late: bool
    ) -> list[list[float]]:
        """The vectors of passages, in order; where one batch fails the others are given up."""
        answers = await run_concurrently(
            self._embed(batch, "retrieval.passage", late=late and len(batch) > 1)
            for batch in batches
        )
        return [vector for found in answers for vector in found]

    async def _embed(
        self, texts: Sequence[str], task: str, *, late: bool = False
    ) -> list[list[float]]:
        body = {
            "model": self._model,
            "task": task,
            "input": list(texts),
            "late_chunking": late,
            # of pieces read together the last ones would be cut off whole
            "truncate": not late,
            "normalized": True,
            "embedding_type": "float",
        }
        turn = get_semaphore("jina embeddings", MAX_CONCURRENT)
        answer = await post_json(self._client, "embeddings", body, tries=self._tries, turn=turn)
        return self._parse_vectors(answer, len(texts))

    def _parse_vectors(self, answer: bytes, count: int) -> list[list[float]]:
        """The vectors in the order of the texts; a vector of nothing but zeros is none."""
        try:
            data = _Response.model_validate_json(answer).data
        except ValidationError:
            raise ModelUnavailableError(
                f"The model jina:{self._model} sent an answer that could not be read: check its "
                "name and the base URL."
            ) from None
        found = {one.index: one.embedding for one in data if any(one.embedding)}
        if missing := [index for index in range(count) if index not in found]:
            raise ModelUnavailableError(
                f"The model jina:{self._model} sent no vector for {len(missing)} of {count} texts: "
                "try again, or take another model."
            )
        return [found[index] for index in range(count)]


class _Vector(BaseModel):
    index: int
    embedding: list[FiniteFloat]


class _Response(BaseModel):
    data: list[_Vector]


def _split_batches(texts: Sequence[str], tokens: float) -> Iterator[Sequence[str]]:
    """Texts in order, as many at a time as `BATCH_SIZE` and the tokens allow; one at least."""
    first, used = 0, 0
    for last, text in enumerate(texts):
        cost = estimate_tokens(text)
        if last > first and (last - first == BATCH_SIZE or used + cost > tokens):
            yield texts[first:last]
            first, used = last, 0
        used += cost
    if texts:
        yield texts[first:]
