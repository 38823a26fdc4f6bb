"""Calling chat models: prompts built to the window, deadlines, recorded answers, second tries."""

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.config import get_config
from langgraph.constants import TAG_NOSTREAM

from models.answers import cut_loop, extract_answer, extract_text, find_loop
from models.chat import choose_model, get_chat_model
from models.extractive.chat_model import EXTRACTIVE, ExtractiveChatModel
from models.fit import Build, Room, measure_room
from models.sending import Bind, Heard, Question, send
from models.served import get_served
from models.spending import Spending
from models.window import find_window
from prompts.template import Prompt
from schema.errors import ModelUnavailableError
from schema.report import ModelCall

Streamed = Literal["never", "here", "everywhere"]
"""Which `messages` streams tokens reach.

`here`: of the graph that asks, and of those around it if they show subgraphs. `everywhere`: also if
they do not, as those of chat front ends."""

NS_SEP = "|"
"""Between the steps of a graph and of those within them, as LangGraph writes it."""

TRIES = 2
"""Of one question: what comes back empty, cut off, in circles or too late is asked for again."""


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
        user: whose run it is.
        spending: within its ceiling; None where it has none.
    """

    record: Record
    deadline: float
    step: int = 0
    user: str = ""
    spending: Spending | None = None

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

    async def find_room(self, answer_tokens: int) -> Room | None:
        """The estimated tokens that a prompt may have; None where the window is not known.

        Args:
            answer_tokens: that are kept free for the answer.
        """
        window = None if self.model == EXTRACTIVE else await find_window(self.model, self.chat)
        if window is None:
            return None
        return measure_room(window.tokens, answer_tokens, get_served(self.model).factor)


@dataclass(frozen=True)
class Answer:
    """A model's text. `truncated` tells that it broke off, or was cut where it went in circles."""

    text: str
    truncated: bool
    calls: list[ModelCall]


@dataclass(frozen=True)
class Asked:
    """What is asked of a role.

    Args:
        prompt: the prompt.
        name: of the question; the prompt's, or its repair's.
        more: messages after those of the prompt, such as an answer and what it lacks.
        form: put behind the last message: how to answer.
        overhead: tokens of a schema that is sent beside the messages.
    """

    prompt: Prompt
    name: str
    more: Sequence[BaseMessage] = ()
    form: str = ""
    overhead: int = 0

    def get_contents(self) -> list[tuple[str, str]]:
        """What is asked, in full and in whatever form: the same question has the same answer."""
        return [(one.type, one.text) for one in (*self.prompt.render(), *self.more)]

    def make_build(self) -> Build:
        """What makes the messages of the prompt, also of one that was shortened."""

        def build(prompt: Prompt) -> list[BaseMessage]:
            messages = [*prompt.render(), *self.more]
            if self.form:  # not a message of its own: some templates want the roles to alternate
                text = f"{messages[-1].text}\n\n{self.form}"
                messages[-1] = messages[-1].model_copy(update={"content": text})
            return messages

        return build


def as_it_is(chat: BaseChatModel) -> Runnable[list[BaseMessage], AIMessage]:
    """The model itself, which answers with text."""
    return chat


async def ask(
    role: Role,
    prompt: Prompt,
    more: Sequence[BaseMessage] = (),
    *,
    streamed: Streamed = "here",
) -> Answer:
    """Ask for text.

    Args:
        role: who is asked.
        prompt: what is asked.
        more: messages after those of the prompt, such as an answer and what it lacks.
        streamed: which `messages` streams its tokens reach.

    Raises:
        ModelUnavailableError: the model did not answer.
        InputError: the model's name cannot be used.
    """
    asked = Asked(prompt, prompt.name, more)
    message, calls = await call_model(role, asked, streamed=streamed)
    text, looped = cut_loop(extract_text(message))
    ended = message.response_metadata.get("finish_reason") != "length"
    return Answer(text, looped or not ended or _is_cut_off(role, message), calls)


async def call_model(
    role: Role,
    asked: Asked,
    bind: Bind = as_it_is,
    *,
    streamed: Streamed = "never",
) -> tuple[AIMessage, list[ModelCall]]:
    """Call a model under the shared limit and the deadlines, unless the answer is on record.

    An answer that is empty, breaks off, goes round in circles or comes too late is asked for once
    more.

    Returns:
        The last answer, and a call for each that came.
    """
    calls: list[ModelCall] = []
    for number in range(1, TRIES + 1):
        try:
            heard = await _replay_or_send(role, asked, bind, number, streamed)
        except ModelUnavailableError as error:
            if number == TRIES or not error.retryable:
                raise
            continue
        calls += [_measure_usage(role, one, again=one is not heard[-1]) for one in heard]
        message = AIMessage.model_validate(heard[-1]["message"])
        answer = extract_answer(message)
        if answer and not _is_cut_off(role, message) and find_loop(answer) is None:
            break
    return message, calls


async def _replay_or_send(
    role: Role,
    asked: Asked,
    bind: Bind,
    number: int,
    streamed: Streamed,
) -> list[Heard]:
    """What was heard to a question: what is on record, else what comes now."""
    run = role.run

    def get_seconds_left() -> float:
        return run.seconds_left if run else 0.0

    question = Question(
        model=role.model,
        chat=role.get_chat_for(asked.prompt),
        bind=bind,
        prompt=asked.prompt,
        build=asked.make_build(),
        overhead=asked.overhead,
        config=RunnableConfig(
            run_name=f"{role.name}: {asked.name}",
            metadata={
                "quire_role": role.name,
                "quire_prompt": asked.name,
                "quire_model": role.model,
                **(_find_outermost_step() if streamed == "everywhere" else {}),
            },
            tags=[TAG_NOSTREAM] if streamed == "never" else [],
        ),
        get_seconds_left=get_seconds_left if run else None,
        user=run.user if run else "",
        spending=run.spending if run else None,
    )
    if run is None:
        return await send(question)
    key = [role.name, role.model, run.step, asked.name, number, asked.get_contents()]
    found: list[Heard] = await run.record.once(json.dumps(key), lambda: send(question))
    return found


def _find_outermost_step() -> dict[str, str]:
    """What LangGraph tells by whose tokens these are: the step of the outermost graph's."""
    try:
        told = get_config().get("metadata", {})
    except RuntimeError:  # no graph runs
        return {}
    place = str(told.get("langgraph_checkpoint_ns", ""))
    return {"langgraph_checkpoint_ns": place.partition(NS_SEP)[0]} if place else {}


def _is_cut_off(role: Role, message: AIMessage) -> bool:
    """Whether the connection ended before the answer did: OpenAI's API says why each ends."""
    return role.model.startswith("openai:") and not message.response_metadata.get("finish_reason")


def _measure_usage(role: Role, heard: Heard, *, again: bool) -> ModelCall:
    """What a call cost: as the provider says, else counted approximately."""
    message = AIMessage.model_validate(heard["message"])
    usage = message.usage_metadata
    call = ModelCall(
        role=role.name,
        model=role.model,
        input_tokens=usage["input_tokens"] if usage else heard["input_tokens"],
        output_tokens=usage["output_tokens"] if usage else count_tokens_approximately([message]),
        seconds=heard["seconds"],
    )
    if heard["left_out"] or heard["cut_at"]:
        call["window"] = heard["window"]
        call["left_out"] = heard["left_out"]
        call["cut_at"] = heard["cut_at"]
        call["asked_again"] = again
    return call
