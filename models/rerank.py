"""Rerankers by name: `onnx:model`, `remote:model`, `type:model` of rerankers, or `words`.

A reranker only reorders. One that cannot be loaded or fails does not stop a report: the words
rank instead, and a code says so.
"""

import asyncio
import contextlib
import io
import logging
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

from langsmith import traceable

from models.local.names import is_local
from models.rerank_server import is_remote, score_remotely
from retrieval.search.word_ranker import score_by_words
from schema.report import Degradation
from schema.settings import get_settings

WORDS = "words"
_model_lock = Lock()  # local models share the cores and have no locks of their own

Backend = Callable[[str, Sequence[str]], list[float]]


@dataclass(frozen=True)
class Ranking:
    """A score per text, in order, higher is better; and what failed on the way."""

    scores: list[float]
    degraded: list[Degradation] = field(default_factory=list)


async def rerank_texts(query: str, texts: Sequence[str], name: str | None = None) -> Ranking:
    """Score texts against a query.

    Args:
        query: a question, or several.
        texts: passages.
        name: `onnx:model`, `remote:model`, `type:model`, such as
            `flashrank:ms-marco-MiniLM-L-12-v2`, or `words`; the installation's where None.
    """
    chosen = name or get_settings().rerank_model
    if not texts:
        return Ranking([])
    return await _rerank_traced(query, texts, chosen)


@traceable(
    name="rerank",
    run_type="retriever",
    process_inputs=lambda given: {**given, "texts": len(given["texts"])},  # numbers, not pages
)
async def _rerank_traced(query: str, texts: Sequence[str], chosen: str) -> Ranking:
    if chosen != WORDS:
        try:
            return Ranking(await _rank_by_model(chosen, query, list(texts)))
        except Exception as error:  # noqa: BLE001  (third-party code; the words take over)
            return Ranking(
                await asyncio.to_thread(score_by_words, query, texts),
                [_describe_failure(chosen, error)],
            )
    return Ranking(await asyncio.to_thread(score_by_words, query, texts))


async def _rank_by_model(name: str, query: str, texts: list[str]) -> list[float]:
    seconds = get_settings().model_seconds
    if is_local(name):
        from models.local.reranker import prepare_reranker, score_texts  # noqa: PLC0415

        await prepare_reranker(name)  # which may take minutes, once
        async with asyncio.timeout(seconds):
            return await score_texts(name, query, texts)
    if is_remote(name):
        return await score_remotely(name, query, texts)
    async with asyncio.timeout(seconds):
        return await asyncio.to_thread(_rank, name, query, texts)


def _describe_failure(name: str, error: Exception) -> Degradation:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if "ConnectionPool(" in reason:
        reason = "its weights could not be downloaded: check the network"
    reason = reason[:300].rstrip(".")
    detail = f"The reranker {name} could not be used ({reason}); words ranked instead."
    return Degradation(code="reranker_unavailable", detail=detail)


def _rank(name: str, query: str, texts: list[str]) -> list[float]:
    with _model_lock:
        ranker = _load(
            name, str(get_settings().rerank_cache or get_settings().data_dir / "rerankers")
        )
        results = ranker.rank(query=query, docs=texts, doc_ids=list(range(len(texts))))
    scores = [-math.inf] * len(texts)
    for result in results.results:
        scores[int(result.document.doc_id)] = float(result.score)
    if not all(map(math.isfinite, scores)):
        raise ValueError("it returned no score for some passages")
    return scores


@lru_cache(maxsize=2)
def _load(name: str, cache: str) -> Any:
    """Load a reranker; weights are downloaded on first use into `cache`."""
    kind, _, model = name.partition(":")
    if not kind or not model:
        raise ValueError("write it as type:model, such as flashrank:ms-marco-MiniLM-L-12-v2")
    from rerankers import Reranker  # noqa: PLC0415  (0.2 s, and torch where it is installed)

    options = {"cache_dir": cache} if kind == "flashrank" else {}
    # the library prints what is missing and returns None; of an unknown type it says nothing
    with contextlib.redirect_stdout(io.StringIO()) as output, _guard_root_logger():
        try:
            ranker = Reranker(model, model_type=kind, verbose=0, **options)
        except KeyError:
            raise ValueError(f"rerankers knows no type {kind}") from None
    if ranker is None:
        extra = re.search(r"rerankers\[[\w-]+\]", output.getvalue())
        advice = f"pip install '{extra[0]}'" if extra else output.getvalue().strip()
        raise ValueError(advice or f"pip install 'rerankers[{kind}]'")
    return ranker


@contextlib.contextmanager
def _guard_root_logger() -> Iterator[None]:
    """Keep flashrank from setting up the root logger, which it does where that has no handler."""
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
