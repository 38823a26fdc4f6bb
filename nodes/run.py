"""What every node asks of its run: settings, library, record, progress, conversation."""

import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from library.journal import Journal
from library.library import LOCAL_USER, Library, open_library
from models.calls import Role, Run
from models.embeddings import embedder
from models.extractive.model import EXTRACTIVE
from prompts.template import SourceText
from schema.context import Context
from schema.documents import DocumentInfo
from schema.errors import InputError, LibraryError, QuireError
from schema.events import Event
from schema.faults import is_text, sentence
from schema.report import Degraded, Source

TURNS = 6
"""Messages before the last that a model sees of the conversation."""

TURN_CHARACTERS = 1_500

BRIEF_CHARACTERS = 200

LONGEST_QUESTION = 8_000

_RUNS = 10_000
"""Runs whose beginning is remembered; one that is older begins anew."""

_begun: OrderedDict[str, float] = OrderedDict()


def context_of(runtime: Runtime[Context]) -> Context:
    """The run's settings; LangGraph passes None where a notebook gave none.

    Raises:
        InputError: what was given as the context is none.
    """
    given: object = runtime.context
    return given if isinstance(given, Context) else Context.model_validate(given or {})


def user_of(runtime: Runtime[Context]) -> str:
    """Who owns what this run reads and writes: whom the server authenticated, else `local`."""
    user = runtime.server_info.user if runtime.server_info else None
    return str(user.identity) if user else LOCAL_USER


async def library_of(runtime: Runtime[Context]) -> Library:
    """The search space of this run."""
    return await open_library(context_of(runtime).space, user_of(runtime))


def journal_of(state: Mapping[str, Any], runtime: Runtime[Context]) -> Journal | None:
    """The record of this run; None for a section or a search that runs alone, without one."""
    return Journal(user_of(runtime), state["run"]) if state.get("run") else None


def role_of(
    state: Mapping[str, Any], runtime: Runtime[Context], name: str, chosen: str | None
) -> Role:
    """Who speaks in this run: its answers are recorded, and asked for before the run ends."""
    journal = journal_of(state, runtime)
    if journal is None:
        return Role.of(name, chosen)
    step = len(state.get("diary") or [])  # a deep search goes round
    return Role.of(name, chosen, Run(journal, ends(state, runtime), step))


def ends(state: Mapping[str, Any], runtime: Runtime[Context]) -> float:
    """When the run has to end, on the monotonic clock: `run_seconds` after it was first seen.

    A run that is gone on with in another process begins anew: the time between does not count.
    """
    begun = _begun.setdefault(state["run"], time.monotonic())
    while len(_begun) > _RUNS:
        _begun.popitem(last=False)
    return begun + context_of(runtime).run_seconds


def restart_clock(state: Mapping[str, Any]) -> None:
    """Count the run's time from now: its reader took their time over the outline."""
    _begun.pop(state["run"], None)


def is_outermost(runtime: Runtime[Context]) -> bool:
    """Whether the graph of this node was started itself, not as a step of another."""
    info = runtime.execution_info
    return info is None or "|" not in info.checkpoint_ns


async def close_run(state: Mapping[str, Any], runtime: Runtime[Context]) -> None:
    """Forget what a run that has come to its end was recorded for."""
    if journal := journal_of(state, runtime):
        _begun.pop(state["run"], None)
        with suppress(LibraryError):  # what is left is dropped when it is old
            await journal.close()


def emit(runtime: Runtime[Context], event: Event) -> None:
    """Send a typed event to whoever streams `custom`."""
    runtime.stream_writer(event)


def degraded(code: str, detail: str | QuireError) -> Degraded:
    """An entry for `degraded[]`."""
    return Degraded(code=code, detail=sentence(str(detail)))


def distinct(entries: Iterable[Degraded]) -> list[Degraded]:
    """Each of what was said, once: one code may have several details, one detail several codes."""
    return list({(one["code"], one["detail"]): one for one in entries}.values())


def conversation(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """The turns before the last message as (speaker, text), shortened."""
    return [
        ("user" if message.type == "human" else "quire", text_of(message)[:TURN_CHARACTERS])
        for message in messages[-TURNS - 1 : -1]
        if message.type in ("human", "ai")
    ]


def text_of(message: BaseMessage) -> str:
    """A message's text, whatever its content is made of."""
    return str(message.text).strip()


def asked_last(messages: Sequence[AnyMessage]) -> str:
    """The text of the last message; empty where there is none.

    Raises:
        InputError: it is none of the user's.
    """
    if messages and not isinstance(messages[-1], HumanMessage):
        raise InputError(
            f"The last message is of type {messages[-1].type}: end the conversation with the "
            "question, as a message of type human."
        )
    return text_of(messages[-1]) if messages else ""


def brief(number: int, info: DocumentInfo) -> Source:
    """A source as state holds it: its number, and enough to recognise it."""
    title, url = info.title[:BRIEF_CHARACTERS], info.url[:BRIEF_CHARACTERS]
    return Source(number=number, document=info.id, title=title, url=url)


def source_text(
    number: int, info: DocumentInfo, texts: Sequence[str], headings: Sequence[str] = ()
) -> SourceText:
    """A source as a prompt shows it, with all that a writer may say of it."""
    return SourceText(
        number=number,
        title=info.title,
        author=info.author,
        site=info.site,
        published=info.published,
        url=info.url,
        passages=tuple(texts),
        headings=tuple(headings),
    )


def is_extractive(model: str) -> bool:
    """Whether a model is no language model."""
    return model == EXTRACTIVE


def checked_question(text: str) -> str:
    """Return the question if it can be asked.

    Raises:
        InputError: it is empty, no text, or longer than 8,000 characters.
    """
    if not any(character.isalnum() for character in text):
        raise InputError("There is no question: write one sentence that asks for something.")
    if not is_text(text):
        raise InputError("The question holds what no text holds, such as NUL: write it anew.")
    if len(text) > LONGEST_QUESTION:
        raise InputError(
            f"The question has {len(text):,} characters, more than {LONGEST_QUESTION:,}: ask it "
            "shortly and put the material into files."
        )
    return text


def lacking(context: Context) -> list[Degraded]:
    """What this installation does without, said once a report."""
    codes = []
    if is_extractive(Role.of("writer", context.writer_model).model):
        codes.append(
            degraded(
                "no_language_model",
                "No language model is configured: sentences are taken from the sources as they "
                "are, nothing is rephrased, compared or concluded. Set OPENAI_API_KEY or "
                "QUIRE_MODEL.",
            )
        )
    if embedder() is None:
        codes.append(
            degraded(
                "no_embedding_model",
                "No embedding model is configured: sources were found by their words, not by "
                "meaning. Set QUIRE_EMBEDDING_MODEL.",
            )
        )
    return codes
