"""A stand-in for an OpenAI-compatible provider."""

import base64
import json
from array import array
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from fakes.openai_chat import ChatRequest, chunks, completion, read_chat, tokens
from fakes.server import Fake, bearer, failure_headers, pause
from fakes.vectors import vector

MODELS = ("gpt-4o-mini", "text-embedding-3-small")

# Error type, code and message by status, worded after api.openai.com.
ERRORS: dict[int, tuple[str, str | None, str]] = {
    400: ("invalid_request_error", None, "Invalid value in request."),
    401: (
        "invalid_request_error",
        "invalid_api_key",
        "Incorrect API key provided: {key}. You can find your API key at "
        "https://platform.openai.com/account/api-keys.",
    ),
    404: (
        "invalid_request_error",
        "model_not_found",
        "The model `{model}` does not exist or you do not have access to it.",
    ),
    429: (
        "tokens",
        "rate_limit_exceeded",
        "Rate limit reached for {model} on tokens per min (TPM): Limit 30000, Used 30000, "
        "Requested 500. Please try again in 1s.",
    ),
    500: (
        "server_error",
        None,
        "The server had an error while processing your request. Sorry about that!",
    ),
    503: ("server_error", None, "The engine is currently overloaded, please try again later."),
}


class FakeOpenAI(Fake):
    """An OpenAI-compatible provider whose replies the test writes.

    Attributes:
        requests: Every chat call that came in, refused ones included.
        cut_after: Number of chunks after which a stream breaks off; None never breaks.
        hang: Extra seconds that a chat call takes; a test may replace it.
    """

    def __init__(
        self,
        answer: Callable[[ChatRequest], str],
        *,
        api_key: str | None = None,
        latency: float = 0.0,
        faults: Sequence[int] | None = None,
        cut_after: int | None = None,
        dimension: int = 256,
    ) -> None:
        """Sets the provider up.

        Args:
            answer: Writes the reply to a chat call. Runs on the server's loop, so must not block.
            api_key: The only key let in; None lets every key in.
            latency: Seconds that each chat call takes.
            faults: Statuses for the first chat and embedding calls, before the fake behaves.
            cut_after: Number of chunks after which a stream breaks off.
            dimension: Length of the vectors, unless the call asks for another.
        """
        routes = [
            Route("/v1/chat/completions", self._chat, methods=["POST"]),
            Route("/v1/embeddings", self._embeddings, methods=["POST"]),
            Route("/v1/models", self._models),
        ]
        super().__init__(
            routes,
            counted="/v1/chat/completions",
            api_key=api_key,
            latency=latency,
            faults=faults,
        )
        self.requests: list[ChatRequest] = []
        self.cut_after = cut_after
        self.hang: Callable[[ChatRequest], float] = lambda _: 0.0
        self._answer = answer
        self._dimension = dimension

    @property
    def base_url(self) -> str:
        """The base URL to give to a client."""
        return f"{self.url}/v1"

    async def _chat(self, request: Request) -> Response:
        asked = read_chat(await request.json())
        self.requests.append(asked)
        status = self.refusal(request)
        await pause(request, self.latency + self.hang(asked))
        if status is not None:
            return failure(status, request, asked.model)
        return self._reply(asked)

    def _reply(self, asked: ChatRequest) -> Response:
        reply = self._answer(asked)
        if asked.stream:
            return StreamingResponse(self._stream(asked, reply), media_type="text/event-stream")
        return JSONResponse(completion(asked, reply))

    async def _stream(self, asked: ChatRequest, reply: str) -> AsyncIterator[str]:
        for sent, chunk in enumerate(chunks(asked, reply)):
            if sent == self.cut_after:
                # Only an error makes uvicorn close the connection without ending the body.
                raise RuntimeError("stream cut off, as the test asked with cut_after")
            yield f"data: {json.dumps(chunk)}\n\n"
        yield "data: [DONE]\n\n"

    async def _embeddings(self, request: Request) -> Response:
        body = await request.json()
        status = self.refusal(request)
        if status is not None:
            return failure(status, request, body["model"])
        texts = read_inputs(body["input"])
        dimension = body.get("dimensions") or self._dimension
        plain = body.get("encoding_format", "float") == "float"
        vectors = [vector(text, dimension) for text in texts]
        data = [
            {"object": "embedding", "index": i, "embedding": v if plain else packed(v)}
            for i, v in enumerate(vectors)
        ]
        used = sum(tokens(text) for text in texts)
        usage = {"prompt_tokens": used, "total_tokens": used}
        return JSONResponse(
            {"object": "list", "data": data, "model": body["model"], "usage": usage}
        )

    async def _models(self, request: Request) -> Response:
        if self.api_key is not None and bearer(request) != self.api_key:
            return failure(401, request, "")
        data = [{"id": m, "object": "model", "created": 0, "owned_by": "fake"} for m in MODELS]
        return JSONResponse({"object": "list", "data": data})


def failure(status: int, request: Request, model: str) -> Response:
    """Writes an error reply as the real provider does."""
    kind, code, message = ERRORS.get(status, ("api_error", None, f"Error {status}."))
    text = message.format(key=masked(bearer(request)), model=model)
    error = {"message": text, "type": kind, "param": None, "code": code}
    return JSONResponse({"error": error}, status, failure_headers(status))


def masked(key: str) -> str:
    """Hides the middle of a key, as the real provider does; short keys stay readable."""
    return key if len(key) <= 12 else key[:8] + "*" * (len(key) - 12) + key[-4:]


def read_inputs(given: Any) -> list[str]:
    """Reads the input of an embedding call: a text, texts, tokens or lists of tokens."""
    if isinstance(given, str) or (given and isinstance(given[0], int)):
        given = [given]
    return [item if isinstance(item, str) else " ".join(map(str, item)) for item in given]


def packed(numbers: list[float]) -> str:
    """Writes a vector the way encoding_format base64 has it."""
    return base64.b64encode(array("f", numbers).tobytes()).decode()
