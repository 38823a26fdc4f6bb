"""Structured output: a schema, one repair round, a clear error."""

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel, ValidationError

from models.calls import Role, call_model, extract_answer
from prompts.template import Prompt
from schema.errors import ModelOutputError, ModelUnavailableError
from schema.report import ModelCall

Schema = TypeVar("Schema", bound=BaseModel)

_FENCED_JSON = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_SHOWN_CHARACTERS = 4_000  # characters of a broken answer that the repair round sees


async def ask_structured(
    role: Role,
    prompt: Prompt,
    schema: type[Schema],
    *,
    check: Callable[[Schema], str | None] = lambda _: None,
) -> tuple[Schema, list[ModelCall]]:
    """Ask for an object of a schema.

    The first try uses the provider's own structured output. If the answer does not fit, or the
    provider does not offer it, the model is shown its answer and what is wrong, once, and asked
    for plain JSON.

    Args:
        role: who is asked.
        prompt: what is asked.
        schema: a pydantic model.
        check: says what is wrong with a well-formed object, or None.

    Returns:
        The object, and the calls it took.

    Raises:
        ModelOutputError: also the repaired answer does not fit.
        ModelUnavailableError: the model did not answer.
    """
    calls: list[ModelCall] = []
    messages, chat = prompt.render(), role.get_chat_for(prompt)
    first, wrong = "", ""
    try:
        raw, calls = await call_model(role, prompt.name, _bind_schema(chat, schema), messages)
    except ModelUnavailableError as error:
        if not _can_retry_as_text(error.__cause__):
            raise
    else:
        first = extract_answer(raw)
        parsed, wrong = _parse(first, schema, check)
        if parsed is not None:
            return parsed, calls
    repair = [*messages, *_build_repair(first, wrong, schema)]
    message, more = await call_model(role, f"{prompt.name} (repair)", chat, repair)
    calls += more
    parsed, wrong = _parse(extract_answer(message), schema, check)
    if parsed is None:
        raise ModelOutputError(
            f"The model {role.model} did not give a usable {schema.__name__} in two tries ({wrong})"
            ": choose a model that follows JSON schemas.",
            calls,
        )
    return parsed, calls


def _can_retry_as_text(error: BaseException | None) -> bool:
    """Whether a plain question may bring what the provider's structured output did not.

    It may not know the schema, or its client may not take an answer that the output limit cut.
    """
    cut = type(error).__name__ == "LengthFinishReasonError"
    return cut or getattr(error, "status_code", None) in (400, 422)


def _bind_schema(
    chat: BaseChatModel, schema: type[BaseModel]
) -> Runnable[list[BaseMessage], AIMessage]:
    """The provider's structured output, of which only the raw message is taken."""
    # the schema, not the class: given the class, OpenAI's client parses first and raises
    wanted = schema.model_json_schema()
    structured = chat.with_structured_output(wanted, include_raw=True)
    return cast("Runnable[list[BaseMessage], AIMessage]", structured | _get_raw_message)


def _get_raw_message(output: Any) -> AIMessage:
    return cast("AIMessage", output["raw"])


def _parse(
    text: str, schema: type[Schema], check: Callable[[Schema], str | None]
) -> tuple[Schema | None, str]:
    """(object, "") or (None, what is wrong)."""
    # a bare object may hold fences in its strings
    fenced = None if text.startswith("{") else _FENCED_JSON.search(text)
    body = fenced[1] if fenced else text[text.find("{") : text.rfind("}") + 1]
    try:
        parsed = schema.model_validate_json(body or text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return None, f"{where}: {first['msg']}" if where else str(first["msg"])
    wrong = check(parsed)
    return (None, wrong) if wrong else (parsed, "")


def _build_repair(first: str, wrong: str, schema: type[BaseModel]) -> list[BaseMessage]:
    """What is asked after a first try: with the answer and its fault, if there was an answer."""
    wanted = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    asked = f"Answer with nothing but one JSON object of this schema:\n{wanted}"
    if not first:
        return [HumanMessage(asked)]
    return [
        AIMessage(first[:_SHOWN_CHARACTERS]),
        HumanMessage(f"That cannot be used: {wrong}. {asked}"),
    ]
