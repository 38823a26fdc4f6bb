"""A stand-in for a provider that puts every answer on a bill, in habits of its own."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import JSONResponse, Response

from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest, completion, tokens


@dataclass(frozen=True)
class Manner:
    """How a provider counts, answers and errs.

    Attributes:
        counting: tokens that it counts for each that is estimated.
        obeys: whether an answer ends at the `max_tokens` that it is told.
        seconds_per_token: of an answer.
        thoughts: tokens that it thinks aloud before each answer.
        errors: share of calls that end in 500, or in an empty answer, which is billed.
        seed: of its errors.
    """

    counting: float = 1.0
    obeys: bool = True
    seconds_per_token: float = 0.0
    thoughts: int = 0
    errors: float = 0.0
    seed: int = 0


class MeteredModel(FakeOpenAI):
    """An OpenAI-compatible server.

    Attributes:
        billed: (read, written) tokens of each answer that it gave.
    """

    def __init__(self, answer: Callable[[ChatRequest], str], manner: Manner | None = None) -> None:
        super().__init__(answer)
        self.manner = manner or Manner()
        self.billed: list[tuple[int, int]] = []
        self._chance = random.Random(self.manner.seed)
        self._clever = answer
        self.hang = self._measure_seconds

    @property
    def total(self) -> int:
        """Tokens on the bill."""
        return sum(read + written for read, written in self.billed)

    def _measure_seconds(self, asked: ChatRequest) -> float:
        return self.manner.seconds_per_token * tokens(self._clever(asked))

    def _reply(self, asked: ChatRequest) -> Response:
        chance = self._chance.random()
        if chance < self.manner.errors / 2:
            return JSONResponse({"error": {"message": "Overloaded."}}, 500)
        thoughts = f"<think>{'hm, ' * self.manner.thoughts}</think>" if self.manner.thoughts else ""
        reply = self._shorten(asked, thoughts + self._clever(asked))
        if chance < self.manner.errors:
            reply = ""
        counted = replace(asked, prompt_tokens=round(tokens(asked.text) * self.manner.counting))
        self.billed.append((counted.prompt_tokens or 0, tokens(reply)))
        return JSONResponse(completion(counted, reply))

    def _shorten(self, asked: ChatRequest, reply: str) -> str:
        most: Any = asked.raw.get("max_tokens") or asked.raw.get("max_completion_tokens")
        return reply[: 4 * most] if self.manner.obeys and most else reply
