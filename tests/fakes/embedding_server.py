"""A stand-in for embedding servers that people run: TEI, vLLM, Infinity, llama.cpp."""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake, bearer
from fakes.vectors import vector

MOST = 32
"""Texts that text-embeddings-inference takes at once unless told otherwise."""


class TextsOnly(Fake):
    """OpenAI's embedding route, but texts only, few at once, and vectors as plain numbers.

    Attributes:
        bodies, keys: what came in, in order.
        dimension: length of the vectors.
        lost: vectors that each answer leaves out at its end.
    """

    def __init__(self, *, dimension: int = 8, faults: Sequence[int] | None = None) -> None:
        """Sets the server up."""
        routes = [Route("/v1/embeddings", self._embeddings, methods=["POST"])]
        super().__init__(routes, counted="/v1/embeddings", faults=faults)
        self.dimension, self.lost = dimension, 0
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def base_url(self) -> str:
        """The base URL to give to a client."""
        return f"{self.url}/v1"

    async def _embeddings(self, request: Request) -> Response:
        body = await request.json()
        self.bodies.append(body)
        self.keys.append(bearer(request))
        if status := self.refusal(request):
            return JSONResponse({"error": "Input validation error", "type": "Validation"}, status)
        given = [body["input"]] if isinstance(body["input"], str) else body["input"]
        if not all(isinstance(text, str) for text in given):
            return JSONResponse({"error": "`input` must be texts"}, 422)
        if len(given) > MOST:
            return JSONResponse({"error": f"batch size {len(given)} > {MOST}"}, 413)
        if body.get("encoding_format", "float") != "float":
            return JSONResponse({"error": "unknown encoding_format"}, 422)
        data = [
            {"object": "embedding", "index": place, "embedding": vector(text, self.dimension)}
            for place, text in enumerate(given)
        ]
        data = data[: len(data) - self.lost]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse(
            {"object": "list", "data": data, "model": body["model"], "usage": usage}
        )
