"""Building a prompt to a model's window: what gives way is left out, worst first."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from models.served import Size
from prompts.template import GivesWay, Prompt
from retrieval.passages.context_window import estimate_tokens

Build = Callable[[Prompt], list[BaseMessage]]

_DENSE = re.compile(r"[0-9!-/:-@\[-`{-~]")

MESSAGE_TOKENS = 8
"""What a chat template puts around each message."""

LEAST_ANSWER = 256
"""Tokens that are kept free for an answer, however small the window is."""


@dataclass(frozen=True)
class Room:
    """What a prompt may take of a window, in estimated tokens.

    `wanted` leaves free what the answer wants, `most` the least that an answer needs.
    """

    wanted: int
    most: int


@dataclass(frozen=True)
class Fitted:
    """Messages that are sent, their size, and how many parts of the prompt they leave out."""

    messages: list[BaseMessage]
    size: Size
    left_out: int

    def fits(self, room: Room) -> bool:
        """Whether the model can read them and answer."""
        return self.size.tokens <= room.most


def measure_room(window: int, answer_tokens: int, factor: float) -> Room:
    """The room that a window has for a prompt.

    Args:
        window: tokens.
        answer_tokens: that the answer wants; it gets no more than a quarter of the window.
        factor: tokens as the server counts them, of an estimated one.
    """
    wanted = window - min(answer_tokens, window // 4)
    return Room(int(wanted / factor), int((window - LEAST_ANSWER) / factor))


def fit_prompt(prompt: Prompt, build: Build, overhead: int, room: Room | None) -> Fitted:
    """Leave out of a prompt what does not fit, in the order that it declares.

    Args:
        prompt: what is asked.
        build: makes the messages of it.
        overhead: tokens of what is sent beside them, such as a schema.
        room: of the window; None where it is not known.

    Returns:
        What fits. Where nothing is left to leave out it may still be too large: see `fits`.
    """
    made = _measure(build(prompt), overhead, 0)
    if room is None:
        return made
    left_out = 0
    for way in prompt.gives_way:
        if made.size.tokens <= room.wanted:
            break
        parts = prompt.count_parts(way.field)
        kept = _count_fitting(prompt, way, build, overhead, room.wanted)
        if kept < parts:
            prompt = prompt.keep_parts(way, kept)
            left_out += parts - kept
            made = _measure(build(prompt), overhead, left_out)
    return made


def estimate_prompt(messages: Sequence[BaseMessage]) -> int:
    """Tokens of messages, without a tokenizer: numbers, marks and tags cost more than words do."""
    texts = [one.text for one in messages]
    dense = sum(len(_DENSE.findall(text)) for text in texts)
    return sum(map(estimate_tokens, texts)) + dense // 2 + MESSAGE_TOKENS * len(texts)


def _measure(messages: list[BaseMessage], overhead: int, left_out: int) -> Fitted:
    tokens = estimate_prompt(messages) + overhead
    characters = sum(len(one.text) for one in messages)
    return Fitted(messages, Size(tokens, characters), left_out)


def _count_fitting(prompt: Prompt, way: GivesWay, build: Build, overhead: int, tokens: int) -> int:
    """How many parts of a field may stay; no fewer than its least."""
    parts = prompt.count_parts(way.field)
    least, most = min(way.least, parts), parts
    while least < most:
        tried = (least + most + 1) // 2
        size = estimate_prompt(build(prompt.keep_parts(way, tried))) + overhead
        least, most = (tried, most) if size <= tokens else (least, tried - 1)
    return least
