"""Calling chat models: one shared limit, one deadline, usage counted, errors in plain words."""

import asyncio
import re
import time
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.constants import TAG_NOSTREAM

from models.chat import chat_model, model_name
from models.errors import unavailable
from schema.limits import slots
from schema.report import ModelCall
from schema.settings import settings

Output = TypeVar("Output")

# many servers keep the opening tag for themselves; the closing one then has a line of its own
_THOUGHTS = re.compile(r"^(?:\s*<think>.*?|(?:(?:(?!<think>).)*?\n)?)</think>\s*", re.DOTALL)


@dataclass(frozen=True)
class Answer:
    """A model's text. `cut` tells that it stopped at its output limit, mid-sentence perhaps."""

    text: str
    cut: bool
    call: ModelCall


@dataclass(frozen=True)
class Role:
    """Who speaks: the role names the span and the line in the usage table."""

    name: str
    model: str

    @classmethod
    def of(cls, name: str, chosen: str | None) -> "Role":
        """The role with the model that the run or the installation chose for it."""
        return cls(name, model_name(chosen))

    @property
    def chat(self) -> BaseChatModel:
        """The model itself."""
        return chat_model(self.model)


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
    message, seconds = await limited(role, prompt, role.chat, messages, streamed=True)
    reason = message.response_metadata.get("finish_reason")
    return Answer(plain_text(message), reason == "length", usage(role, messages, message, seconds))


async def limited(
    role: Role,
    prompt: str,
    runnable: Runnable[list[BaseMessage], Output],
    messages: list[BaseMessage],
    *,
    streamed: bool = False,
) -> tuple[Output, float]:
    """Run one call under the shared limit and the deadline.

    Returns:
        The output, and the seconds the call took once it had its turn.
    """
    config = RunnableConfig(
        run_name=f"{role.name}: {prompt}",
        metadata={"quire_role": role.name, "quire_prompt": prompt, "quire_model": role.model},
        tags=[] if streamed else [TAG_NOSTREAM],
    )
    async with slots("models", settings().model_concurrency):
        started = time.perf_counter()
        try:
            async with asyncio.timeout(settings().model_seconds):
                output = await runnable.ainvoke(messages, config)
        except Exception as error:
            raise unavailable(role.model, error) from error
        return output, time.perf_counter() - started


def plain_text(message: BaseMessage) -> str:
    """The text of an answer without the thoughts that some servers put before it."""
    return _THOUGHTS.sub("", str(message.text)).strip()


def usage(
    role: Role, messages: list[BaseMessage], message: BaseMessage | None, seconds: float
) -> ModelCall:
    """What a call cost: as the provider says, else counted approximately."""
    told = message.usage_metadata if isinstance(message, AIMessage) else None
    return ModelCall(
        role=role.name,
        model=role.model,
        input_tokens=told["input_tokens"] if told else count_tokens_approximately(messages),
        output_tokens=told["output_tokens"]
        if told
        else count_tokens_approximately([message] if message else []),
        seconds=round(seconds, 3),
    )
