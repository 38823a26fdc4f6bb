"""Rerankers behind an address: a server of one's own, or a provider with the same route.

Most take Cohere's form (`documents` in, `results` with `relevance_score` out): vLLM, Infinity,
llama.cpp, Jina. text-embeddings-inference takes `texts` and gives a bare list with `score`.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx
from pydantic import AliasChoices, BaseModel, Field, FiniteFloat, TypeAdapter, ValidationError

from models.errors import translate_errors
from models.http_retries import HttpStatusError, post_json
from schema.errors import InputError, ModelUnavailableError
from schema.settings import get_settings

PREFIX = "remote:"

BATCH_TEXTS = 32
"""Texts of one request, which is what text-embeddings-inference takes unless told otherwise."""

TRIES = 3

_takes_texts: set[str] = set()
"""Addresses that were found to take the form of text-embeddings-inference."""


class _Score(BaseModel):
    index: int
    score: FiniteFloat = Field(validation_alias=AliasChoices("relevance_score", "score"))


class _Results(BaseModel):
    results: list[_Score]


_ANSWER: TypeAdapter[_Results | list[_Score]] = TypeAdapter(_Results | list[_Score])


def is_remote(name: str) -> bool:
    """Whether a name is one of a reranker behind QUIRE_RERANK_URL."""
    return name.startswith(PREFIX)


async def score_remotely(name: str, query: str, texts: Sequence[str]) -> list[float]:
    """A score per text, in order, as the server gives them; higher is better.

    Raises:
        InputError: the name, the address or the key cannot be used.
        ModelUnavailableError: the server does not answer, or not with a score for each text.
    """
    model = name.removeprefix(PREFIX)
    scores: list[float] = []
    with translate_errors(name):
        async with asyncio.timeout(get_settings().model_seconds), _open_client(name) as client:
            for start in range(0, len(texts), BATCH_TEXTS):
                batch = texts[start : start + BATCH_TEXTS]
                answer = await _ask(client, model, query, batch)
                scores += _parse_scores(name, answer, len(batch))
    return scores


def _open_client(name: str) -> httpx.AsyncClient:
    """A client for one ranking: its connections belong to the event loop that it runs on."""
    here = get_settings()
    key = here.rerank_api_key.get_secret_value() if here.rerank_api_key else ""
    if not name.removeprefix(PREFIX):
        raise InputError("QUIRE_RERANK_MODEL names no model: write remote:MODEL.")
    if not (key.isascii() and key.isprintable()):
        raise InputError("QUIRE_RERANK_API_KEY must be plain letters, digits and signs.")
    try:
        url = httpx.URL(here.rerank_url or "")
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(
            "The reranker needs the address of its server: set QUIRE_RERANK_URL, such as "
            "http://127.0.0.1:8080/rerank."
        )
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx.AsyncClient(base_url=url, headers=headers, timeout=here.model_seconds)


async def _ask(client: httpx.AsyncClient, model: str, query: str, texts: Sequence[str]) -> bytes:
    address = str(client.base_url)
    if address not in _takes_texts:
        body = {"model": model, "query": query, "documents": list(texts)}
        try:
            return await _post(client, body)
        except HttpStatusError as error:
            if error.status_code != 422 or "`texts`" not in error.text:
                raise
        _takes_texts.add(address)
    return await _post(client, {"query": query, "texts": list(texts), "truncate": True})


async def _post(client: httpx.AsyncClient, body: dict[str, Any]) -> bytes:
    # an address as the base of others ends with a slash, which servers do not take for the same
    address = str(client.base_url).rstrip("/")
    return await post_json(client, address, body, tries=TRIES, turn=asyncio.Semaphore(1))


def _parse_scores(name: str, answer: bytes, count: int) -> list[float]:
    try:
        found = _ANSWER.validate_json(answer)
    except ValidationError:
        raise ModelUnavailableError(
            f"The model {name} sent an answer that could not be read: check QUIRE_RERANK_URL."
        ) from None
    results = found.results if isinstance(found, _Results) else found
    scores = {one.index: one.score for one in results}
    if missing := [index for index in range(count) if index not in scores]:
        raise ModelUnavailableError(
            f"The model {name} sent no score for {len(missing)} of {count} texts."
        )
    return [scores[index] for index in range(count)]
