"""A stand-in for a small model on a local server: it cuts prompts, and errs as small models do.

What it does follows from the seed, from what it is asked and from how often it was asked the same,
so a run can be repeated. How it errs stands in `fakes/small_errors.py`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.small_errors import err
from fakes.writer import task_of

_TOKEN = re.compile(r"\s?[^\W\d_]{1,6}|\d{1,3}|[^\w\s]|_|\s+")

MODEL = "small-8b"
"""Its name at its server: one that no list of models has."""

LOST = "This is a text about several subjects. What would you like to know about it?"
"""What a model says whose instructions were cut off."""

Tells = Literal["props", "models", "ollama", "studio", "error", "nothing"]


@dataclass
class Habits:
    """What a server does.

    Attributes:
        window: tokens that it reads at once.
        tells: the route that names the window, an error that does, or nothing.
        keeps: of a prompt that is too long: its end, its beginning, or half the window of its end.
        forms: in which objects can be asked for; others are refused with 400.
        seed: of its errors; None for none.
    """

    window: int = 8_192
    tells: Tells = "nothing"
    keeps: Literal["end", "start", "half"] = "end"
    forms: frozenset[str] = field(default_factory=lambda: frozenset({"schema", "tool"}))
    seed: int | None = None


class SmallModel(FakeOpenAI):
    """An OpenAI-compatible server of a model that reads few tokens at once.

    Attributes:
        cut: the sizes of the prompts that it cut, in tokens.
        reported: what it counted of each prompt that it answered.
        loaded: whether the model is in memory, as it is after the first answer.
    """

    def __init__(self, answer: Callable[[ChatRequest], str], habits: Habits) -> None:
        """Args: answer: what a model that errs in nothing would say; habits: of the server."""
        super().__init__(self._think)
        self.habits = habits
        self.cut: list[int] = []
        self.reported: list[int] = []
        self.probes: list[str] = []
        self.loaded = False
        self._clever = answer
        self._seen: dict[str, int] = {}
        for path, method in (("/props", "GET"), ("/api/ps", "GET"), ("/api/show", "POST"),
                             ("/api/v0/models", "GET"), ("/v1/models", "GET")):  # fmt: skip
            self.router.routes.insert(0, Route(path, self._tell, methods=[method]))

    async def _tell(self, request: Request) -> Response:
        path = request.url.path
        self.probes.append(path)
        told = describe_window(self.habits, path, self.loaded)
        return JSONResponse(told or {"error": "not found"}, 200 if told else 404)

    def _reply(self, asked: ChatRequest) -> Response:
        self.loaded = True
        form = (
            "schema" if "response_format" in asked.raw else "tool" if "tools" in asked.raw else ""
        )
        if form and form not in self.habits.forms:
            return _refuse(f"{'response_format' if form == 'schema' else 'tools'} is not supported")
        pieces = [_TOKEN.findall(one["content"]) for one in asked.messages]
        size = sum(map(len, pieces))
        if size > self.habits.window and self.habits.tells == "error":
            return _refuse(
                f"This model's maximum context length is {self.habits.window} tokens. However, "
                f"you requested {size} tokens. Please reduce the length of the messages."
            )
        if size > self.habits.window:
            self.cut.append(size)
            pieces = _cut(pieces, self.habits)
        size = sum(map(len, pieces)) if asked.prompt_tokens is None else asked.prompt_tokens
        self.reported.append(size)
        messages = [
            {**one, "content": "".join(left)}
            for one, left in zip(asked.messages, pieces, strict=True)
        ]
        return super()._reply(replace(asked, messages=messages, prompt_tokens=size))

    def _think(self, asked: ChatRequest) -> str:
        try:
            clever = self._clever(asked) if task_of(asked) else LOST
        except (KeyError, IndexError):  # a part that it needs was cut off
            clever = LOST
        number = self._seen[asked.text] = self._seen.get(asked.text, 0) + 1
        return err(clever, asked, number, self.habits.seed)


def describe_window(habits: Habits, path: str, loaded: bool) -> dict[str, Any] | None:
    """What a server says at one of its routes; None where it has none."""
    tokens, name = habits.window, MODEL
    entry: dict[str, Any] = {"id": name, "object": "model"}
    if path == "/v1/models":
        length = {"max_model_len": tokens} if habits.tells == "models" else {}
        return {"object": "list", "data": [{**entry, **length}]}
    if (habits.tells, path) == ("props", "/props"):
        return {"default_generation_settings": {"n_ctx": tokens}}
    if (habits.tells, path) == ("studio", "/api/v0/models"):
        length = {"loaded_context_length": tokens} if loaded else {}
        return {"data": [{**entry, "max_context_length": 131_072, **length}]}
    if (habits.tells, path) == ("ollama", "/api/ps"):
        return {"models": [{"name": name, "context_length": tokens}] if loaded else []}
    if (habits.tells, path) == ("ollama", "/api/show"):
        return {"model_info": {"qwen3.context_length": 40_960}, "parameters": "temperature 0.6"}
    return None


def _cut(pieces: list[list[str]], habits: Habits) -> list[list[str]]:
    """What is left of a prompt that is too long; nothing tells that it was cut."""
    left = habits.window // 2 + 2 if habits.keeps == "half" else habits.window
    kept: list[list[str]] = []
    for one in pieces if habits.keeps == "start" else reversed(pieces):
        taken = one[:left] if habits.keeps == "start" else one[max(0, len(one) - left) :]
        kept.append(taken)
        left -= len(taken)
    return kept if habits.keeps == "start" else kept[::-1]


def _refuse(message: str) -> Response:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return JSONResponse({"error": error}, 400)
