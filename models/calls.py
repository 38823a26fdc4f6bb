"""Calling chat models: one shared limit, deadlines, recorded answers, errors in plain words."""

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

from models.chat import choose_model, get_chat_model
from models.errors import translate_error
from models.extractive.chat_model import EXTRACTIVE, ExtractiveChatModel
from prompts.template import Prompt
from schema.concurrency import get_semaphore
from schema.errors import ModelUnavailableError
from schema.report import ModelCall
from schema.settings import get_settings

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
        deadline: when the run does, on the monotonic clock.
        step: tells steps apart that may ask the same again, to hear something new.
    """

    record: Record
    deadline: float
    step: int = 0

    @property
    def seconds_left(self) -> float:
        """Seconds; not below 0."""
        return max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True)
class Role:
    """Who speaks: the role names the span and the line in the usage table."""

    name: str
    model: str
    run: Run | None = None

    @classmethod
    def from_choice(cls, name: str, chosen: str | None, run: Run | None = None) -> "Role":
        """The role with the model that the run or the installation chose for it."""
        return cls(name, choose_model(chosen), run)

    @property
    def chat(self) -> BaseChatModel:
        """The model itself."""
        return get_chat_model(self.model)

    def get_chat_for(self, prompt: Prompt) -> BaseChatModel:
        """The model that answers a prompt: the extractive one takes its fields, not its text."""
        return ExtractiveChatModel(prompt) if self.model == EXTRACTIVE else self.chat


@dataclass(frozen=True)
class Answer:
    """A model's text. `truncated` tells that it broke off or stopped at its output limit."""

    text: str
    truncated: bool
    calls: list[ModelCall]


async def ask(role: Role, prompt: Prompt, more: Sequence[BaseMessage] = ()) -> Answer:
    """Ask for text; its tokens reach `messages` streams.

    Args:
        role: who is asked.
        prompt: what is asked.
        more: messages after those of the prompt, such as an answer and what it lacks.

    Raises:
        ModelUnavailableError: the model did not answer.
        InputError: the model's name cannot be used.
    """
    messages = [*prompt.render(), *more]
    chat = role.get_chat_for(prompt)
    message, calls = await call_model(role, prompt.name, chat, messages, streamed=True)
    cut = message.response_metadata.get("finish_reason") == "length" or _is_cut_off(role, message)
    return Answer(extract_text(message), cut, calls)


async def call_model(
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
            message, seconds = await _replay_or_call(
                role, prompt, runnable, messages, number, streamed
            )
        except ModelUnavailableError as error:
            if number == TRIES or not error.retryable:
                raise
            continue
        calls.append(_measure_usage(role, messages, message, seconds))
        if extract_answer(message) and not _is_cut_off(role, message):
            break
    return message, calls


async def _replay_or_call(
    role: Role,
    prompt: str,
    runnable: Runnable[list[BaseMessage], AIMessage],
    messages: list[BaseMessage],
    number: int,
    streamed: bool,
) -> tuple[AIMessage, float]:
    """One answer and the seconds it took: the one on record, else a new one."""

    async def make() -> dict[str, Any]:
        message, seconds = await _call_once(role, prompt, runnable, messages, streamed=streamed)
        return {"message": message.model_dump(mode="json"), "seconds": seconds}

    if role.run is None:
        return await _call_once(role, prompt, runnable, messages, streamed=streamed)
    contents = [(one.type, one.text) for one in messages]
    asked = [role.name, role.model, role.run.step, prompt, number, contents]
    found = await role.run.record.once(json.dumps(asked), make)
    return AIMessage.model_validate(found["message"]), found["seconds"]


async def _call_once(
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
    turn = get_semaphore("models", get_settings().model_concurrency)
    try:
        async with asyncio.timeout(role.run.seconds_left if role.run else None):
            await turn.acquire()
    except TimeoutError:
        raise ModelUnavailableError(
            f"The model {role.model} was not asked: the run's time is over. Give it more "
            "run_seconds."
        ) from None
    try:
        seconds = get_settings().model_seconds
        left = role.run.seconds_left if role.run else seconds
        started = time.perf_counter()
        async with asyncio.timeout(min(seconds, left)):
            message = await runnable.ainvoke(messages, config)
    except Exception as error:
        raise translate_error(role.model, error) from error
    finally:
        turn.release()
    return message, round(time.perf_counter() - started, 3)


def extract_answer(message: AIMessage) -> str:
    """What an answer says: its text, or the JSON of the arguments of its tool call."""
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    return extract_text(message)


def extract_text(message: BaseMessage) -> str:
    """The text of an answer without the thoughts that some servers put before it."""
    text = _LONE_SURROGATE.sub("\ufffd", str(message.text))
    return _THOUGHTS.sub("", text).strip()


def _is_cut_off(role: Role, message: AIMessage) -> bool:
    """Whether the connection ended before the answer did: OpenAI's API says why each ends."""
    return role.model.startswith("openai:") and not message.response_metadata.get("finish_reason")


def _measure_usage(
    role: Role, messages: Sequence[BaseMessage], message: AIMessage, seconds: float
) -> ModelCall:
    """What a call cost: as the provider says, else counted approximately."""
    usage = message.usage_metadata
    return ModelCall(
        role=role.name,
        model=role.model,
        input_tokens=usage["input_tokens"] if usage else count_tokens_approximately(messages),
        output_tokens=usage["output_tokens"] if usage else count_tokens_approximately([message]),
        seconds=seconds,
    )
