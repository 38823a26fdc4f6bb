"""A stand-in for Jina's embedding API, after the schema that api.jina.ai publishes."""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake, failure_headers, pause
from fakes.vectors import vector

CONTEXT = 8_192
"""Tokens that a model reads at once; the fake counts a word as one."""

MOST = 512
"""Inputs of one request."""

TASKS = ("retrieval.query", "retrieval.passage")
FIELDS = {"model", "task", "input", "late_chunking", "truncate", "normalized", "embedding_type"}


class FakeJinaEmbeddings(Fake):
    """Embeds hashed words; read together, every input leans towards the text of all of them.

    Attributes:
        requests: Bodies of all calls that were let in, in order.
        lost: Positions whose vectors the answers leave out.
        blank: Positions whose vectors are nothing but zeros.
        body: What a good call is answered with instead of vectors.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        latency: float = 0.0,
        faults: Sequence[int] | None = None,
        dimension: int = 64,
    ) -> None:
        """Sets the fake up; see `FakeOpenAI`."""
        routes = [Route("/v1/embeddings", self._embeddings, methods=["POST"])]
        super().__init__(
            routes, counted="/v1/embeddings", api_key=api_key, latency=latency, faults=faults
        )
        self.requests: list[dict[str, Any]] = []
        self.lost: set[int] = set()
        self.blank: set[int] = set()
        self.body: bytes | None = None
        self.retry_after = "0"
        self._dimension = dimension

    @property
    def base_url(self) -> str:
        """The base URL to give to a client."""
        return f"{self.url}/v1"

    async def _embeddings(self, request: Request) -> Response:
        body = await request.json()
        status = self.refusal(request)
        await pause(request, self.latency)
        if status is not None:
            headers = failure_headers(status) and {"Retry-After": self.retry_after}
            told = {"detail": f"It went wrong with {request.headers['authorization']}."}
            return JSONResponse(told, status, headers)
        texts = body["input"]
        if not body.keys() <= FIELDS or body["task"] not in TASKS or not 0 < len(texts) <= MOST:
            return JSONResponse({"detail": "Validation error"}, 422)
        together = sum(len(text.split()) for text in texts) if body["late_chunking"] else 0
        longest = max(together, *(len(text.split()) for text in texts), 0)
        if longest > CONTEXT and not body["truncate"]:
            return JSONResponse({"detail": "Input text exceeds maximum length"}, 400)
        self.requests.append(body)
        if self.body is not None:
            return Response(self.body, media_type="application/json")
        return JSONResponse({"object": "list", "model": body["model"], "data": self._data(body)})

    def _data(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The vectors, last one first: only `index` tells whose they are."""
        texts = body["input"]
        context = " ".join(texts) if body["late_chunking"] else ""
        return [
            {
                "object": "embedding",
                "index": index,
                "embedding": [0.0] * self._dimension
                if index in self.blank
                else vector(f"{text} {context}", self._dimension),
            }
            for index, text in reversed(list(enumerate(texts)))
            if index not in self.lost
        ]
