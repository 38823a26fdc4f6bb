"""What is configured, what is missing, and what each absence costs."""

import os
from dataclasses import dataclass
from typing import Literal

from connectors.registry import connector, missing, names
from library.library import open_library
from models.calls import Role
from models.embeddings import embedder
from models.extractive.model import EXTRACTIVE
from models.rerank import WORDS
from schema.errors import QuireError
from schema.settings import settings


@dataclass(frozen=True)
class Finding:
    """One part of the installation: how it stands, and what to do about it."""

    part: str
    state: Literal["ready", "absent", "broken"]
    what: str
    cost: str = ""


async def examine(space: str) -> list[Finding]:
    """Look at every part. Opens the library; asks no model and no source."""
    return [
        await _library(space),
        _writer(),
        _embedding(),
        _reranker(),
        *_live_connectors(),
        _tracing(),
    ]


async def _library(space: str) -> Finding:
    here = settings()
    where = "QUIRE_DATABASE_URL" if here.database_url else f"embedded, in {here.data_dir}"
    try:
        library = await open_library(space)
        documents, chunks = await library.count()
        pages, _ = await library.part("web").count()
    except QuireError as error:
        return Finding("library", "broken", str(error), "nothing works without it")
    held = f"{documents} documents, {chunks} chunks in the space “{space}”"
    if pages:
        held += f"; {pages} pages that were found on the web, each used for {here.web_days} days"
    empty = "" if documents else "no report without sources: quire ingest PATH"
    return Finding("library", "ready", f"{where}: {held}", empty)


def _writer() -> Finding:
    role = Role.of("writer", None)
    if role.model == EXTRACTIVE:
        cost = "reports quote their sources; nothing is rephrased, compared or concluded"
        return Finding("chat model", "absent", "set OPENAI_API_KEY or QUIRE_MODEL", cost)
    try:
        role.chat  # noqa: B018  (making it tells whether it can be made)
    except QuireError as error:
        return Finding("chat model", "broken", str(error), "no report can be written")
    return Finding("chat model", "ready", role.model)


def _embedding() -> Finding:
    try:
        model = embedder()
    except QuireError as error:
        return Finding("embedding model", "broken", str(error), "nothing can be searched")
    if model is None:
        cost = "sources are found by their words only: other words for the same thing are missed"
        return Finding("embedding model", "absent", "set QUIRE_EMBEDDING_MODEL", cost)
    return Finding("embedding model", "ready", model.name)


def _reranker() -> Finding:
    name = settings().rerank_model
    if name == WORDS:
        cost = "passages are ordered by words: the best one may not come first"
        return Finding("reranker", "absent", "set QUIRE_RERANK_MODEL", cost)
    return Finding("reranker", "ready", name)


def _live_connectors() -> list[Finding]:
    found = []
    for name in names():
        one = connector(name)
        if one.kind != "live":
            continue
        lack = missing(one)
        cost = "reports know nothing from there" if lack else ""
        named = "configured" if one.needs else "asked where a run or QUIRE_CONNECTORS names it"
        found.append(Finding(name, "absent" if lack else "ready", lack or named, cost))
    return found


def _tracing() -> Finding:
    on = any(
        os.environ.get(n, "").lower() == "true"
        for n in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2")
    )
    if on:
        return Finding("tracing", "ready", "LangSmith")
    return Finding(
        "tracing",
        "absent",
        "set LANGSMITH_TRACING and LANGSMITH_API_KEY",
        "no traces; nothing is sent",
    )
