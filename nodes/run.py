"""What every node asks of its run: settings, library, progress, conversation."""

from collections.abc import Sequence

from langchain_core.messages import AnyMessage, BaseMessage
from langgraph.runtime import Runtime

from library.library import LOCAL_USER, Library, open_library
from models.extractive.model import EXTRACTIVE
from schema.context import Context
from schema.documents import DocumentInfo
from schema.errors import QuireError
from schema.events import Event
from schema.report import Degraded, Source

TURNS = 6
"""Messages before the last that a model sees of the conversation."""

TURN_CHARACTERS = 1_500

BRIEF_CHARACTERS = 200


def context_of(runtime: Runtime[Context]) -> Context:
    """The run's settings; LangGraph passes None where a notebook gave none."""
    return runtime.context or Context()


def user_of(runtime: Runtime[Context]) -> str:
    """Who owns what this run reads and writes: whom the server authenticated, else `local`."""
    user = runtime.server_info.user if runtime.server_info else None
    return str(user.identity) if user else LOCAL_USER


async def library_of(runtime: Runtime[Context]) -> Library:
    """The search space of this run."""
    return await open_library(context_of(runtime).space, user_of(runtime))


def emit(runtime: Runtime[Context], event: Event) -> None:
    """Send a typed event to whoever streams `custom`."""
    runtime.stream_writer(event)


def degraded(code: str, detail: str | QuireError) -> Degraded:
    """An entry for `degraded[]`."""
    return Degraded(code=code, detail=str(detail))


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


def brief(number: int, info: DocumentInfo) -> Source:
    """A source as state holds it: its number, and enough to recognise it."""
    title, url = info.title[:BRIEF_CHARACTERS], info.url[:BRIEF_CHARACTERS]
    return Source(number=number, document=info.id, title=title, url=url)


def is_extractive(model: str) -> bool:
    """Whether a model is no language model."""
    return model == EXTRACTIVE
