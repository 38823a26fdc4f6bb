"""What a client of OpenAI's chat completions asks for, as Quire understands it."""

import re
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic import BaseModel, Field, ValidationError

from schema.context import Context, ResearchMode
from schema.error_text import describe_expected
from schema.errors import InputError
from serving.conversation import Turn

MODELS: dict[str, str] = {
    "quire-general": "a short cited report",
    "quire-deep": "a cited report of two to five sections",
    "quire-deeper": "a cited report of four to ten sections, each searched for in depth",
    "quire-ask": "the answer to one question, searched for until it is found",
}
"""Models by name, with what each gives. A space may follow: `quire-deep/NAME` is the member's own,
`quire-deep@GROUP/NAME` one of a group."""

_MODEL = re.compile(
    r"(?P<name>quire-(?:general|deep|deeper|ask))"
    r"(?:/(?P<own>[\w.~-]+)|(?P<shared>@[\w.-]+/[\w.~-]+))?"
)


class UnknownModelError(InputError):
    """There is no such model."""


class _Message(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None


class _StreamOptions(BaseModel):
    include_usage: bool = False


class _Completion(BaseModel):
    """The fields that count here; what OpenAI has besides is left unread."""

    model: str = Field(max_length=300)
    messages: list[_Message] = Field(min_length=1)
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    n: int | None = Field(None, ge=1, le=1)
    quire: dict[str, Any] = {}


@dataclass(frozen=True)
class ChatRequest:
    """A question in its conversation; `ask` wants an answer in place of a report.

    `webhook` is told of the report's end; `usage` says whether a stream tells what was spent.
    """

    model: str
    ask: bool
    question: str
    conversation: list[Turn]
    context: Context
    webhook: str
    stream: bool
    usage: bool


def find_model(name: str) -> tuple[str, str]:
    """(model, space) of a model's name; the space is "" where the name has none.

    Raises:
        UnknownModelError: there is none of this name.
    """
    if (named := _MODEL.fullmatch(name)) is None:
        known = ", ".join(MODELS)
        raise UnknownModelError(f"There is no model {name[:100]!r}: use one of {known}.")
    return named["name"], named["own"] or named["shared"] or ""


def parse_chat(given: dict[str, Any]) -> ChatRequest:
    """Read the body of a request for a completion.

    Raises:
        InputError: a field cannot be used, or there is no question.
        UnknownModelError: there is no such model.
    """
    try:
        asked = _Completion.model_validate(given)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"The field {place} cannot be used: {describe_expected(fault)}.") from None
    name, space = find_model(asked.model)
    settings = dict(asked.quire)
    webhook = settings.pop("webhook", "")
    if space:
        settings.setdefault("space", space)
    if name != "quire-ask":
        settings["research_mode"] = cast("ResearchMode", name.removeprefix("quire-"))
    context = Context(**settings)
    if context.approve_outline:
        raise InputError("An outline is approved on the page: leave approve_outline out here.")
    if not isinstance(webhook, str):
        raise InputError("The setting webhook cannot be used: it must be a web address.")
    if webhook and name == "quire-ask":
        raise InputError("A webhook is told of reports: leave webhook out of a question.")
    *before, last = asked.messages
    if last.role != "user":
        raise InputError("The last message is none of the user's: end with the question.")
    return ChatRequest(
        model=asked.model,
        ask=name == "quire-ask",
        question=_read_question(last),
        conversation=[_make_turn(one) for one in before if one.role in ("user", "assistant")],
        context=context,
        webhook=webhook,
        stream=bool(asked.stream),
        usage=bool(asked.stream_options and asked.stream_options.include_usage),
    )


def _read_question(message: _Message) -> str:
    kinds = {str(part.get("type")) for part in message.content or () if isinstance(part, dict)}
    if others := sorted(kinds - {"text"}):
        raise InputError(f"Quire reads text and no {others[0][:50]}: send the question in words.")
    return _join_text(message)


def _make_turn(message: _Message) -> Turn:
    return ("user" if message.role == "user" else "assistant"), _join_text(message)


def _join_text(message: _Message) -> str:
    if not isinstance(message.content, list):
        return (message.content or "").strip()
    texts = (str(part.get("text", "")) for part in message.content if part.get("type") == "text")
    return "\n\n".join(texts).strip()
