"""What every node asks of its run: settings, library, record, progress, conversation."""

import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar, cast

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from library.journal import Journal
from library.library import Library, open_library
from models.calls import Role, Run
from models.embeddings import get_embedder
from models.extractive.chat_model import EXTRACTIVE
from nodes.common.ceiling import find_spending
from prompts.template import SourceText, Turn
from schema.access import LOCAL_MEMBER, GroupRole, Member, find_owner
from schema.context import Context
from schema.documents import DocumentInfo
from schema.error_text import end_sentence, is_text
from schema.errors import InputError, LibraryError, QuireError
from schema.events import Event
from schema.report import Degradation, Report, Source
from schema.state import ReportState

Value = TypeVar("Value")

TURNS = 6
"""Messages before the last that a model sees of the conversation."""

TURN_CHARACTERS = 1_500

BRIEF_CHARACTERS = 200

MAX_QUESTION_CHARACTERS = 8_000

_MAX_RUNS = 10_000
"""Runs whose beginning is remembered; one that is older begins anew."""

_run_starts: OrderedDict[str, float] = OrderedDict()


def get_context(runtime: Runtime[Context]) -> Context:
    """The run's settings; LangGraph passes None where a notebook gave none.

    Raises:
        InputError: what was given as the context is none.
    """
    given: object = runtime.context
    return given if isinstance(given, Context) else Context.model_validate(given or {})


def get_member(runtime: Runtime[Context]) -> Member:
    """Who asked for this run: whom the server authenticated, else `local`."""
    user = runtime.server_info.user if runtime.server_info else None
    if user is None or isinstance(user, Member):
        return user or LOCAL_MEMBER
    return Member.from_permissions(str(user.identity), getattr(user, "permissions", ()))


def is_remote(runtime: Runtime[Context]) -> bool:
    """Whether a client of a LangGraph server wrote the run's `configurable`, which nobody checked.

    No client can write a `Member`: that comes of our own process.
    """
    info = runtime.server_info
    return info is not None and not isinstance(info.user, Member)


async def get_library(runtime: Runtime[Context], least: GroupRole = "writer") -> Library:
    """The search space of this run.

    Raises:
        AccessError: who asked has not the role `least` in the group whose space it is.
    """
    member, info = get_member(runtime), runtime.execution_info
    owner, space = find_owner(get_context(runtime).space, member, least)
    return await open_library(space, owner, member.names, (info and info.thread_id) or "")


def get_journal(state: Mapping[str, Any], runtime: Runtime[Context]) -> Journal | None:
    """The record of this run; None for a state that no graph began, as a test's."""
    return Journal(get_member(runtime).identity, state["run"]) if state.get("run") else None


def make_role(
    state: Mapping[str, Any], runtime: Runtime[Context], name: str, chosen: str | None
) -> Role:
    """Who speaks in this run: its answers are recorded, and asked for before the run ends."""
    journal = get_journal(state, runtime)
    if journal is None:
        return Role.from_choice(name, chosen)
    step = len(state.get("diary") or [])  # a deep search goes round
    spending = find_spending(journal, state["run"], get_context(runtime))
    return Role.from_choice(
        name, chosen, Run(journal, get_deadline(state, runtime), step, journal.user, spending)
    )


def get_deadline(state: Mapping[str, Any], runtime: Runtime[Context]) -> float:
    """When the run has to end, on the monotonic clock: `run_seconds` after it was first seen.

    A run that is gone on with in another process begins anew: the time between does not count.
    """
    begun = _run_starts.setdefault(state["run"], time.monotonic())
    while len(_run_starts) > _MAX_RUNS:
        _run_starts.popitem(last=False)
    return begun + get_context(runtime).run_seconds


def restart_clock(state: Mapping[str, Any]) -> None:
    """Count the run's time from now: its reader took their time over the outline."""
    _run_starts.pop(state["run"], None)


def shift_clocks(seconds: float) -> None:
    """Let so many seconds not count for any run of this process, which was suspended for them."""
    for run in _run_starts:
        _run_starts[run] += seconds


def is_outermost(runtime: Runtime[Context]) -> bool:
    """Whether the graph of this node was started itself, not as a step of another."""
    info = runtime.execution_info
    return info is None or "|" not in info.checkpoint_ns


async def close_run(state: Mapping[str, Any], runtime: Runtime[Context]) -> None:
    """Forget what a run that has come to its end was recorded for."""
    if journal := get_journal(state, runtime):
        _run_starts.pop(state["run"], None)
        with suppress(LibraryError):  # what is left is dropped when it is old
            await journal.close()


def get_report(state: ReportState) -> Report:
    """The report that `finalize` made, or that a revision is of: later steps come after it."""
    return cast("Report", state["report"])


def overwrite(value: Value) -> Value:
    """The value in place of what a channel has collected, which a node's update would add to."""
    return cast("Value", Overwrite(value))


def emit(runtime: Runtime[Context], event: Event) -> None:
    """Send a typed event to whoever streams `custom`."""
    runtime.stream_writer(event)


def make_degradation(code: str, detail: str | QuireError) -> Degradation:
    """An entry for `degraded[]`."""
    return Degradation(code=code, detail=end_sentence(str(detail)))


def drop_duplicates(entries: Iterable[Degradation]) -> list[Degradation]:
    """The entries without duplicates, which are alike in code and detail."""
    return list({(one["code"], one["detail"]): one for one in entries}.values())


def get_conversation(messages: Sequence[AnyMessage]) -> list[Turn]:
    """The turns before the last message, shortened."""
    return [
        Turn("user" if message.type == "human" else "quire", get_text(message)[:TURN_CHARACTERS])
        for message in messages[-TURNS - 1 : -1]
        if message.type in ("human", "ai")
    ]


def get_text(message: BaseMessage) -> str:
    """A message's text, whatever its content is made of."""
    return str(message.text).strip()


def get_last_question(messages: Sequence[AnyMessage]) -> str:
    """The text of the last message; empty where there is none.

    Raises:
        InputError: it is none of the user's.
    """
    if messages and not isinstance(messages[-1], HumanMessage):
        raise InputError(
            f"The last message is of type {messages[-1].type}: end the conversation with the "
            "question, as a message of type human."
        )
    return get_text(messages[-1]) if messages else ""


def make_source(number: int, info: DocumentInfo) -> Source:
    """A source as state holds it: its number, and enough to recognise it."""
    title, url = info.title[:BRIEF_CHARACTERS], info.url[:BRIEF_CHARACTERS]
    return Source(number=number, document=info.id, title=title, url=url)


def make_source_text(
    number: int, info: DocumentInfo, texts: Sequence[str], headings: Sequence[str] = ()
) -> SourceText:
    """A source as a prompt shows it, with all that a writer may say of it.

    A heading that only repeats the title is left out of the texts.
    """
    above = re.compile(rf"#+ {re.escape(' '.join(info.title.split()))}\s*\n")
    texts = [above.sub("", text, count=1) if above.match(text) else text for text in texts]
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


def check_question(text: str) -> str:
    """Return the question if it can be asked.

    Raises:
        InputError: it is empty, no text, or longer than 8,000 characters.
    """
    if not any(character.isalnum() for character in text):
        raise InputError("There is no question: write one sentence that asks for something.")
    if not is_text(text):
        raise InputError("The question holds what no text holds, such as NUL: write it anew.")
    if len(text) > MAX_QUESTION_CHARACTERS:
        raise InputError(
            f"The question has {len(text):,} characters, more than {MAX_QUESTION_CHARACTERS:,}: "
            "ask it shortly and put the material into files."
        )
    return text


def find_missing_models(context: Context) -> list[Degradation]:
    """The models that this installation lacks, once a report."""
    codes = []
    if is_extractive(Role.from_choice("writer", context.writer_model).model):
        codes.append(
            make_degradation(
                "no_language_model",
                "No language model is configured: sentences are taken from the sources as they "
                "are, nothing is rephrased, compared or concluded. Set OPENAI_API_KEY or "
                "QUIRE_MODEL.",
            )
        )
    if get_embedder() is None:
        codes.append(
            make_degradation(
                "no_embedding_model",
                "No embedding model is configured: sources were found by their words, not by "
                "meaning. Set QUIRE_EMBEDDING_MODEL.",
            )
        )
    return codes
