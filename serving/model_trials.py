"""Trying the configured embedder and reranker with one short text."""

import time
from dataclasses import dataclass
from typing import Literal

from models.embeddings import Embedder
from models.local.names import is_local
from models.local.opened import prepare_model
from models.local.session import CUDA
from models.local.weights import measure_megabytes
from models.rerank import rerank_texts
from models.rerank_server import is_remote
from schema.errors import QuireError

_QUESTION = "How does the wind turn the blades?"
_TEXT = "The wind turns the blades of a mill."


@dataclass(frozen=True)
class PartStatus:
    """One part of the installation: how it stands, and what to do about it."""

    part: str
    state: Literal["ready", "absent", "broken"]
    detail: str
    cost: str = ""


async def try_embedder(model: Embedder, cost: str) -> PartStatus:
    """How an embedding model answers: the length of its vector, and milliseconds."""
    part = "embedding model"
    try:
        where = await _describe_place(model.name)
        start = time.perf_counter()
        vector = await model.embed_query(_TEXT)
    except QuireError as error:
        return PartStatus(part, "broken", str(error), cost)
    took = _format_time(start)
    return PartStatus(part, "ready", f"{model.name}{where}; {len(vector):,} numbers a text, {took}")


async def try_reranker(name: str, cost: str) -> PartStatus:
    """How a reranker answers. One of a library, which fetches its weights itself, is not asked."""
    part = "reranker"
    if not (is_local(name) or is_remote(name)):
        return PartStatus(part, "ready", name)
    try:
        where = await _describe_place(name)
    except QuireError as error:
        return PartStatus(part, "broken", str(error), cost)
    start = time.perf_counter()
    ranking = await rerank_texts(_QUESTION, [_TEXT], name)
    if ranking.degraded:
        return PartStatus(part, "broken", ranking.degraded[0]["detail"], cost)
    return PartStatus(part, "ready", f"{name}{where}; {_format_time(start)}")


async def _describe_place(name: str) -> str:
    """Where a model of this machine runs, and what it takes; opens it. "" for any other."""
    if not is_local(name):
        return ""
    model = await prepare_model(name)
    size = f"{measure_megabytes(model.weights.folder):,} MB"
    processor = "GPU" if model.graph.provider == CUDA else "processor"
    return f", on this machine ({size}), on its {processor} ({model.graph.provider})"


def _format_time(start: float) -> str:
    return f"{1_000 * (time.perf_counter() - start):,.0f} ms"
