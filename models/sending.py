"""Sending a prompt to a model: built to its window, and again, smaller, where it was cut."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.runnables import Runnable, RunnableConfig
from typing_extensions import TypedDict

from models.errors import translate_errors
from models.extractive.chat_model import EXTRACTIVE
from models.fit import Build, Fitted, fit_prompt, measure_room
from models.prices import find_price
from models.served import Served, Size, get_served
from models.spending import Amount, CeilingError, Spending, limit_answer
from models.window import ask_again_when_loaded, describe_remedy, find_window
from prompts.template import Prompt
from schema.errors import ModelUnavailableError
from schema.settings import get_settings
from schema.turns import Turn, take_turn

Bind = Callable[[BaseChatModel], Runnable[list[BaseMessage], AIMessage]]
"""Makes of a model what is called."""

MODEL_TURNS = "models"
"""Turns of all models that are asked over a network."""

SIZES = 3
"""How often a prompt is sent that the server cuts or refuses for its size, smaller each time."""


@dataclass(frozen=True)
class Question:
    """What is asked, before it is built to the window.

    Args:
        model: `provider:model`.
        chat: its client, which knows the model's profile.
        bind: makes of the client what is called: itself, or one that asks for structured output.
        prompt: the prompt.
        build: makes the messages of a prompt that was shortened.
        overhead: tokens of what that sends beside them.
        config: of the call.
        get_seconds_left: of the run; None without one.
        user: who asks.
        spending: of the run; None where it has no ceiling.
    """

    model: str
    chat: BaseChatModel
    bind: Bind
    prompt: Prompt
    build: Build
    overhead: int
    config: RunnableConfig
    get_seconds_left: Callable[[], float] | None = None
    user: str = ""
    spending: Spending | None = None


class Heard(TypedDict):
    """An answer, as it is put on record.

    `input_tokens` are the estimated ones of what was sent; `left_out` counts the parts of the
    prompt that did not fit into `window`; `cut_at` is what the server read of it where it cut it,
    else 0. 0 stands for a window that is not known, too.
    """

    model: str
    message: dict[str, Any]
    seconds: float
    input_tokens: int
    left_out: int
    window: int
    cut_at: int


async def send(question: Question) -> list[Heard]:
    """Ask, and ask again with less where the server cut the prompt or refused its size.

    Returns:
        Every answer that came, each paid for; the last one counts.

    Raises:
        ModelUnavailableError: there is no answer, or the prompt fits in no size.
        InputError: the model's name cannot be used.
    """
    served, heard = get_served(question.model), list[Heard]()
    suspect: tuple[Size, int, int | None] | None = None
    for number in range(1, SIZES + 1):
        fitted, window = await _fit(question, served, first=not heard)
        if fitted is None and heard:
            break  # what the server cut is all that can be had
        if fitted is None:
            raise ModelUnavailableError(_describe_small_window(question, window))
        with translate_errors(question.model):
            try:
                message, seconds = await _call(question, fitted, served)
            except Exception as error:
                if number < SIZES and served.learn_from_error(error, fitted.size):
                    continue
                raise
        reported = message.usage_metadata["input_tokens"] if message.usage_metadata else 0
        if suspect:
            served.review_cut(suspect[:2], (fitted.size, reported), suspect[2])
        served.doubt_window(reported)
        before = served.learnt
        cut = question.model != EXTRACTIVE and served.is_cut(fitted.size, reported)
        if cut:
            served.note_cut(fitted.size, reported)
            suspect = (fitted.size, reported, before)
        else:
            served.note_whole(fitted.size, reported)
        heard.append(
            Heard(
                model=question.model,
                message=message.model_dump(mode="json"),
                seconds=seconds,
                input_tokens=fitted.size.tokens,
                left_out=fitted.left_out,
                window=window,
                cut_at=reported if cut else 0,
            )
        )
        await ask_again_when_loaded(question.model, question.chat)
        if not cut:
            break
    return heard


async def _fit(question: Question, served: Served, *, first: bool) -> tuple[Fitted | None, int]:
    """The messages that fit the window, None where there are none; and the window, or 0.

    What does not fit a window that is doubtful is sent once all the same: its count settles it.
    """
    window = None
    if question.model != EXTRACTIVE:
        window = await find_window(question.model, question.chat)
    if window is None:
        return fit_prompt(question.prompt, question.build, question.overhead, None), 0
    room = measure_room(window.tokens, question.prompt.answer_tokens, served.factor)
    fitted = fit_prompt(question.prompt, question.build, question.overhead, room)
    doubtful = first and window.origin == "learnt" and served.is_window_doubtful
    return fitted if doubtful or fitted.fits(room) else None, window.tokens


def _describe_small_window(question: Question, window: int) -> str:
    return (
        f"The model {question.model} reads {window:,} tokens at once, too few for the prompt "
        f"“{question.prompt.name}”: {describe_remedy(question.model)}."
    )


async def _call(question: Question, fitted: Fitted, served: Served) -> tuple[AIMessage, float]:
    """One call within the run's ceiling, and its seconds."""
    spending, prompt = question.spending, question.prompt
    if spending is None or question.model == EXTRACTIVE:
        return await _call_in_turn(question, question.bind(question.chat), fitted.messages)
    sent = fitted.size.tokens * served.factor
    async with spending.hold(
        question.model, prompt.name, sent, prompt.answer_tokens, prompt.ceiling_share
    ) as held:
        runnable = question.bind(limit_answer(question.chat, held.limit))
        try:
            message, seconds = await _call_in_turn(question, runnable, fitted.messages)
        except Exception as error:
            if isinstance(getattr(error, "status_code", None), int):
                held.used = Amount()  # the server refused: nothing is paid for
            raise
        usage = message.usage_metadata
        read = usage["input_tokens"] if usage else sent
        written = usage["output_tokens"] if usage else count_tokens_approximately([message])
        held.used = spending.measure(question.model, read, written)
        spending.note_answer(question.model, written)
    return message, seconds


async def _call_in_turn(
    question: Question,
    runnable: Runnable[list[BaseMessage], AIMessage],
    messages: list[BaseMessage],
) -> tuple[AIMessage, float]:
    """One call, and its seconds.

    Its deadline begins when it has its turn, the turn comes before the run ends.
    """
    left = question.get_seconds_left
    async with AsyncExitStack() as turns:
        try:
            async with asyncio.timeout(left() if left else None):
                turn = await turns.enter_async_context(_take_turn(question))
        except TimeoutError:
            raise CeilingError(
                f"The model {question.model} was not asked: the run's time is over. Give it more "
                "run_seconds."
            ) from None
        seconds = get_settings().model_seconds
        started = time.perf_counter()
        try:
            async with asyncio.timeout(min(seconds, left() if left else seconds)):
                message = await runnable.ainvoke(messages, question.config)
        except TimeoutError:
            if left is None or left() > 0:
                raise
            raise CeilingError(
                f"The model {question.model} did not answer before the run's time was over. Give "
                "it more run_seconds."
            ) from None
        if message.usage_metadata:
            turn.input_tokens = message.usage_metadata["input_tokens"]
            turn.output_tokens = message.usage_metadata["output_tokens"]
            if price := find_price(question.model):
                turn.dollars = price.measure(turn.input_tokens, turn.output_tokens)
        return message, round(time.perf_counter() - started, 3)


def _take_turn(question: Question) -> AbstractAsyncContextManager[Turn]:
    """Its turn; the extractive model asks nobody, and has turns of its own."""
    name = EXTRACTIVE if question.model == EXTRACTIVE else MODEL_TURNS
    return take_turn(name, get_settings().model_concurrency, question.user)
