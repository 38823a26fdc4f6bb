"""Stand-ins for rerank servers: Cohere's form (vLLM, Infinity, llama.cpp), and TEI's own."""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.server import Fake, failure_headers, pause

MOST = 32
"""Texts that text-embeddings-inference takes at once unless told otherwise."""


class FakeReranker(Fake):
    """Scores a text by how often it says "wind"; answers the best first, as servers do.

    Attributes:
        requests: Bodies of all calls that were let in, in order.
        body: What a good call is answered with instead of scores.
        lost: Positions whose scores the answers leave out.
    """

    def __init__(
        self,
        *,
        tei: bool = False,
        api_key: str | None = None,
        latency: float = 0.0,
        faults: Sequence[int] | None = None,
    ) -> None:
        """Sets the fake up; `tei` makes it speak the form of text-embeddings-inference."""
        routes = [Route("/rerank", self._rerank, methods=["POST"])]
        super().__init__(routes, counted="/rerank", api_key=api_key, latency=latency, faults=faults)
        self.requests: list[dict[str, Any]] = []
        self.body: bytes | None = None
        self.lost: set[int] = set()
        self._tei = tei

    @property
    def address(self) -> str:
        """The whole address of the route."""
        return f"{self.url}/rerank"

    async def _rerank(self, request: Request) -> Response:
        body = await request.json()
        status = self.refusal(request)
        await pause(request, self.latency)
        if status is not None:
            told = {"error": f"It went wrong with {request.headers.get('authorization')}."}
            return JSONResponse(told, status, failure_headers(status))
        field = "texts" if self._tei else "documents"
        if field not in body:
            told_text = "Failed to deserialize the JSON body into the target type: "
            return Response(f"{told_text}missing field `{field}` at line 1 column 9", 422)
        texts = body[field]
        if self._tei and len(texts) > MOST:
            told = {"error": f"batch size {len(texts)} > maximum allowed batch size {MOST}"}
            return JSONResponse(told, 413)
        self.requests.append(body)
        if self.body is not None:
            return Response(self.body, media_type="application/json")
        score = "score" if self._tei else "relevance_score"
        found = [
            {"index": place, score: float(text.count("wind"))}
            for place, text in enumerate(texts)
            if place not in self.lost
        ]
        found.sort(key=lambda one: -one[score])
        return JSONResponse(found if self._tei else {"id": "rerank-1", "results": found})
