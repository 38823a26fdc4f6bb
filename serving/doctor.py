"""What is configured, what is missing, and what each absence costs."""

import asyncio
import os

from connectors.registry import explain_missing, list_connector_names, make_connector
from library.library import open_library
from models.calls import Role
from models.embeddings import get_embedder
from models.extractive.chat_model import EXTRACTIVE
from models.local.known_models import DEFAULTS, Kind
from models.local.names import is_local, parse_name
from models.local.packages import are_packages_installed, require_packages
from models.local.weights import find_weights, is_there
from models.rerank import WORDS
from models.window import describe_remedy, find_window
from schema.errors import QuireError
from schema.settings import get_settings
from serving.local_models import list_models
from serving.model_trials import PartStatus, try_embedder, try_reranker

COMFORTABLE_WINDOW = 16_384
"""Tokens in which a section's sources, its prompt and its text have room."""


async def check_installation(space: str) -> list[PartStatus]:
    """Look at every part.

    Opens the library; asks no source, and of the chat model's server nothing but how much it reads.
    An embedding model and a reranker that are there are asked for one short text.
    """
    return [
        await _check_library(space),
        await _check_writer(),
        await _check_embedding(),
        await _check_reranker(),
        _check_checker(),
        *_check_live_connectors(),
        _check_tracing(),
    ]


async def _check_library(space: str) -> PartStatus:
    here = get_settings()
    where = "QUIRE_DATABASE_URL" if here.database_url else f"embedded, in {here.data_dir}"
    try:
        library = await open_library(space)
        documents, chunks = await library.count()
        pages, _ = await library.open_part("web").count()
    except QuireError as error:
        return PartStatus("library", "broken", str(error), "nothing works without it")
    held = f"{documents} documents, {chunks} chunks in the space “{space}”"
    if pages:
        held += f"; {pages} pages that were found on the web, each used for {here.web_days} days"
    empty = "" if documents else "no report without sources: quire ingest PATH"
    return PartStatus("library", "ready", f"{where}: {held}", empty)


async def _check_writer() -> PartStatus:
    role = Role.from_choice("writer", None)
    if role.model == EXTRACTIVE:
        cost = "reports quote their sources; nothing is rephrased, compared or concluded"
        return PartStatus("chat model", "absent", "set OPENAI_API_KEY or QUIRE_MODEL", cost)
    try:
        window = await find_window(role.model, role.chat)
    except QuireError as error:
        return PartStatus("chat model", "broken", str(error), "no report can be written")
    if window is None:
        cost = "a prompt that its server cuts is sent twice: set QUIRE_MODEL_WINDOW"
        return PartStatus("chat model", "ready", f"{role.model}; nobody says what it reads", cost)
    known = f"{role.model}; reads {window.tokens:,} tokens at once ({window.source})"
    cost = ""
    if window.passing:
        cost = "its server has not loaded it yet: how much it reads is known with its first answer"
    elif window.tokens < COMFORTABLE_WINDOW:
        cost = f"sections are written from fewer sources: {describe_remedy(role.model)}"
    return PartStatus("chat model", "ready", known, cost)


async def _check_embedding() -> PartStatus:
    try:
        model = get_embedder()
    except QuireError as error:
        return PartStatus("embedding model", "broken", str(error), "nothing can be searched")
    cost = "sources are found by their words only: other words for the same thing are missed"
    if model is None:
        advice = f"set QUIRE_EMBEDDING_MODEL, such as {_advise('embedder')}"
        return PartStatus("embedding model", "absent", advice, cost)
    unready = await _check_local("embedding model", model.name, cost)
    return unready or await try_embedder(model, cost)


async def _check_reranker() -> PartStatus:
    name = get_settings().rerank_model
    cost = "passages are ordered by words: the best one may not come first"
    if name == WORDS:
        advice = f"set QUIRE_RERANK_MODEL, such as {_advise('reranker')}"
        return PartStatus("reranker", "absent", advice, cost)
    unready = await _check_local("reranker", name, cost)
    return unready or await try_reranker(name, cost)


def _check_checker() -> PartStatus:
    """A checker is named by a run: what can be said is whether one is there."""
    there = [one.name for one in list_models() if one.kind == "checker" and one.there]
    if there:
        return PartStatus("citation checker", "ready", f"quire report --checker {there[0]}")
    cost = "what a source says in other words may be called unsupported"
    advice = f"quire report --checker MODEL, such as {_advise('checker')}"
    return PartStatus("citation checker", "absent", advice, cost)


async def _check_local(part: str, name: str, cost: str) -> PartStatus | None:
    """What a model of this machine lacks; None where it can be tried, as any other can."""
    if not is_local(name):
        return None
    try:
        require_packages(name)
        wanted = parse_name(name)
        if wanted.repository and not is_there(wanted):
            size = f", about {wanted.known.megabytes:,} MB" if wanted.known else ""
            return PartStatus(part, "absent", f"{name} is fetched on first use{size}", cost)
        await asyncio.to_thread(find_weights, wanted)
    except QuireError as error:
        return PartStatus(part, "broken", str(error), cost)
    return None


def _advise(kind: Kind) -> str:
    """The model to name to who has none, and what it takes."""
    name = DEFAULTS[kind]
    known = parse_name(name).known
    extra = "" if are_packages_installed() else "pip install 'quire[local]', "
    return f"{name} ({extra}{known.megabytes if known else 0:,} MB, once)"


def _check_live_connectors() -> list[PartStatus]:
    found = []
    for name in list_connector_names():
        one = make_connector(name)
        if one.kind != "live":
            continue
        lack = explain_missing(one)
        cost = "reports know nothing from there" if lack else ""
        named = (
            "configured"
            if one.required_variables
            else "asked where a run or QUIRE_CONNECTORS names it"
        )
        found.append(PartStatus(name, "absent" if lack else "ready", lack or named, cost))
    return found


def _check_tracing() -> PartStatus:
    on = any(
        os.environ.get(n, "").lower() == "true"
        for n in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2")
    )
    if on:
        return PartStatus("tracing", "ready", "LangSmith")
    return PartStatus(
        "tracing",
        "absent",
        "set LANGSMITH_TRACING and LANGSMITH_API_KEY",
        "no traces; nothing is sent",
    )
