"""Calling chat models: one shared limit, deadlines, answers on record, errors in plain words."""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.constants import TAG_NOSTREAM

from models.chat import chat_model, model_name
from models.errors import unavailable
from schema.errors import ModelUnavailableError
from schema.limits import slots
from schema.report import ModelCall
from schema.settings import settings

TRIES = 2
"""Of one question: what comes back empty, cut off or too late is asked for once more."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # an answer may break off inside an emoji
# many servers keep the opening tag for themselves; the closing one then has a line of its own
_THOUGHTS = re.compile(r"^(?:\s*<think>.*?|(?:(?:(?!<think>).)*?\n)?)</think>\s*", re.DOTALL)


class Record(Protocol):
    """Where answers are put on record; see `library.journal.Journal`."""

    async def once(self, asked: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """The answer on record, else that of `make`, which is recorded."""
        ...


@dataclass(frozen=True)
class Run:
    """What the calls of one step of a run share.

    Args:
        record: of the run.
        ends: when the run does, on the monotonic clock.
        step: tells steps apart that may ask the same again, to hear something new.
    """

    record: Record
    ends: float
    step: int = 0

    @property
    def left(self) -> float:
        """Seconds; not below 0."""
        return max(0.0, self.ends - time.monotonic())


@dataclass(frozen=True)
class Role:
    """Who speaks: the role names the span and the line in the usage table."""

    name: str
    model: str
    run: Run | None = None

    @classmethod
    def of(cls, name: str, chosen: str | None, run: Run | None = None) -> "Role":
        """The role with the model that the run or the installation chose for it."""
        return cls(name, model_name(chosen), run)

    @property
    def chat(self) -> BaseChatModel:
        """The model itself."""
        return chat_model(self.model)


@dataclass(frozen=True)
class Answer:
    """A model's text. `cut` tells that it broke off or stopped at its output limit."""

    text: str
    cut: bool
    calls: list[ModelCall]


async def ask(role: Role, prompt: str, messages: list[BaseMessage]) -> Answer:
    """Ask for text; its tokens reach `messages` streams.

    Args:
        role: who is asked.
        prompt: the prompt's name, for the trace.
        messages: the rendered prompt.

    Raises:
        ModelUnavailableError: the model did not answer.
        InputError: the model's name cannot be used.
    """
    message, calls = await limited(role, prompt, role.chat, messages, streamed=True)
    cut = message.response_metadata.get("finish_reason") == "length" or _broke_off(role, message)
    return Answer(plain_text(message), cut, calls)


async def limited(
    role: Role,
    prompt: str,
    runnable: Runnable[list[BaseMessage], AIMessage],
    messages: list[BaseMessage],
    *,
    streamed: bool = False,
) -> tuple[AIMessage, list[ModelCall]]:
    """Call a model under the shared limit and the deadlines, unless the answer is on record.

    An answer that is empty, breaks off or comes too late is asked for once more.

    Returns:
        The last answer, and a call for each that came.
    """
    calls: list[ModelCall] = []
    for number in range(1, TRIES + 1):
        try:
            message, seconds = await _recorded(role, prompt, runnable, messages, number, streamed)
        except ModelUnavailableError as error:
            if number == TRIES or not error.passing:
                raise
            continue
        calls.append(_usage(role, messages, message, seconds))
        if said(message) and not _broke_off(role, message):
            break
    return message, calls


async def _recorded(
    role: Role,
    prompt: str,
    runnable: Runnable[list[BaseMessage], AIMessage],
    messages: list[BaseMessage],
    number: int,
    streamed: bool,
) -> tuple[AIMessage, float]:
    """One answer and the seconds it took: the one on record, else a new one."""

    async def make() -> dict[str, Any]:
        message, seconds = await _called(role, prompt, runnable, messages, streamed=streamed)
        return {"message": message.model_dump(mode="json"), "seconds": seconds}

    if role.run is None:
        return await _called(role, prompt, runnable, messages, streamed=streamed)
    told = [(one.type, one.text) for one in messages]
    asked = [role.name, role.model, role.run.step, prompt, number, told]
    found = await role.run.record.once(json.dumps(asked), make)
    return AIMessage.model_validate(found["message"]), found["seconds"]


async def _called(
    role: Role,
    prompt: str,
    runnable: Runnable[list[BaseMessage], AIMessage],
    messages: list[BaseMessage],
    *,
    streamed: bool,
) -> tuple[AIMessage, float]:
    """One call; its deadline begins when it has its turn, the turn comes before the run ends."""
    config = RunnableConfig(
        run_name=f"{role.name}: {prompt}",
        metadata={"quire_role": role.name, "quire_prompt": prompt, "quire_model": role.model},
        tags=[] if streamed else [TAG_NOSTREAM],
    )
    turn = slots("models", settings().model_concurrency)
    try:
        async with asyncio.timeout(role.run.left if role.run else None):
            await turn.acquire()
    except TimeoutError:
        raise ModelUnavailableError(
            f"The model {role.model} was not asked: the run's time is over. Give it more "
            "run_seconds."
        ) from None
    try:
        seconds = settings().model_seconds
        left = role.run.left if role.run else seconds
        started = time.perf_counter()
        async with asyncio.timeout(min(seconds, left)):
            message = await runnable.ainvoke(messages, config)
    except Exception as error:
        raise unavailable(role.model, error) from error
    finally:
        turn.release()
    return message, round(time.perf_counter() - started, 3)


def said(message: AIMessage) -> str:
    """What an answer says: its text, or the JSON of the arguments of its tool call."""
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    return plain_text(message)


def plain_text(message: BaseMessage) -> str:
    """The text of an answer without the thoughts that some servers put before it."""
    text = _LONE_SURROGATE.sub("\ufffd", str(message.text))
    return _THOUGHTS.sub("", text).strip()


def _broke_off(role: Role, message: AIMessage) -> bool:
    """Whether the connection ended before the answer did: OpenAI's API says why each ends."""
    return role.model.startswith("openai:") and not message.response_metadata.get("finish_reason")


def _usage(
    role: Role, messages: Sequence[BaseMessage], message: AIMessage, seconds: float
) -> ModelCall:
    """What a call cost: as the provider says, else counted approximately."""
    told = message.usage_metadata
    return ModelCall(
        role=role.name,
        model=role.model,
        input_tokens=told["input_tokens"] if told else count_tokens_approximately(messages),
        output_tokens=told["output_tokens"] if told else count_tokens_approximately([message]),
        seconds=seconds,
    )
