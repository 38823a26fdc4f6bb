"""A provider that answers oddly, and the names that the tests of models share."""

import json
from collections.abc import Callable
from typing import Any

from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from langchain_core.messages import BaseMessage, HumanMessage
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from prompts.template import Prompt

KEY = "sk-test-0123456789abcdef"
NAME = "openai:gpt-4.1-mini"

Speaks = Callable[[FakeOpenAI], None]


class Bare(Prompt):
    """A prompt of one message."""

    name = "bare"
    text: str

    def render(self) -> list[BaseMessage]:
        return [HumanMessage(self.text)]


class OddOpenAI(FakeOpenAI):
    """A provider whose whole (not streamed) replies a test reshapes before they are sent."""

    def __init__(
        self, answer: Callable[[ChatRequest], str], reshape: Callable[[dict[str, Any]], None]
    ) -> None:
        super().__init__(answer)
        self._reshape = reshape

    async def _chat(self, request: Request) -> Response:
        response = await super()._chat(request)
        if not isinstance(response, JSONResponse) or response.status_code != 200:
            return response
        body = json.loads(bytes(response.body))
        self._reshape(body)
        return JSONResponse(body)


def one_sentence(message: str) -> bool:
    """Whether a message reads as one sentence: one line, closed, nothing after."""
    return "\n" not in message and message.endswith(".") and ". " not in message


def told_of(error: Exception, name: str) -> str:
    """The message of a model that failed: one sentence that names it, and no key."""
    message = str(error)
    assert message.startswith(f"The model {name} ")
    assert one_sentence(message)
    assert KEY not in message
    return message
