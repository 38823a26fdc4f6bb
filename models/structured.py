"""Structured output: a schema, one repair round, a clear error."""

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel, ValidationError

from models.calls import Role, limited, said
from schema.errors import ModelOutputError, ModelUnavailableError
from schema.report import ModelCall

Schema = TypeVar("Schema", bound=BaseModel)

_FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_SHOWN = 4_000  # characters of a broken answer that the repair round sees


async def ask_structured(
    role: Role,
    prompt: str,
    messages: list[BaseMessage],
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
        prompt: the prompt's name, for the trace.
        messages: the rendered prompt.
        schema: a pydantic model.
        check: says what is wrong with a well-formed object, or None.

    Returns:
        The object, and the calls it took.

    Raises:
        ModelOutputError: also the repaired answer does not fit.
        ModelUnavailableError: the model did not answer.
    """
    calls: list[ModelCall] = []
    first, wrong = "", ""
    try:
        raw, calls = await limited(role, prompt, _structured(role, schema), messages)
    except ModelUnavailableError as error:
        if not _may_speak_plainly(error.__cause__):
            raise
    else:
        first = said(raw)
        parsed, wrong = _parse(first, schema, check)
        if parsed is not None:
            return parsed, calls
    repair = [*messages, *_repair(first, wrong, schema)]
    message, more = await limited(role, f"{prompt} (repair)", role.chat, repair)
    calls += more
    parsed, wrong = _parse(said(message), schema, check)
    if parsed is None:
        raise ModelOutputError(
            f"The model {role.model} did not give a usable {schema.__name__} in two tries ({wrong})"
            ": choose a model that follows JSON schemas.",
            calls,
        )
    return parsed, calls


def _may_speak_plainly(error: BaseException | None) -> bool:
    """Whether a plain question may bring what the provider's structured output did not.

    It may not know the schema, or its client may not take an answer that the output limit cut.
    """
    cut = type(error).__name__ == "LengthFinishReasonError"
    return cut or getattr(error, "status_code", None) in (400, 422)


def _structured(role: Role, schema: type[BaseModel]) -> Runnable[list[BaseMessage], AIMessage]:
    """The provider's structured output, of which only the raw message is taken."""
    # the schema, not the class: given the class, OpenAI's client parses first and raises
    wanted = schema.model_json_schema()
    structured = role.chat.with_structured_output(wanted, include_raw=True)
    return cast("Runnable[list[BaseMessage], AIMessage]", structured | _raw)


def _raw(output: Any) -> AIMessage:
    return cast("AIMessage", output["raw"])


def _parse(
    text: str, schema: type[Schema], check: Callable[[Schema], str | None]
) -> tuple[Schema | None, str]:
    """(object, "") or (None, what is wrong)."""
    # a bare object may hold fences in its strings
    fenced = None if text.startswith("{") else _FENCED.search(text)
    body = fenced[1] if fenced else text[text.find("{") : text.rfind("}") + 1]
    try:
        parsed = schema.model_validate_json(body or text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return None, f"{where}: {first['msg']}" if where else str(first["msg"])
    wrong = check(parsed)
    return (None, wrong) if wrong else (parsed, "")


def _repair(first: str, wrong: str, schema: type[BaseModel]) -> list[BaseMessage]:
    """What is asked after a first try: with the answer and its fault, if there was an answer."""
    wanted = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    asked = f"Answer with nothing but one JSON object of this schema:\n{wanted}"
    if not first:
        return [HumanMessage(asked)]
    return [AIMessage(first[:_SHOWN]), HumanMessage(f"That cannot be used: {wrong}. {asked}")]
