"""Objects of a schema from any model: the best form that it knows, one repair, a clear error."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from models.answers import extract_answer
from models.calls import Asked, Role, call_model
from models.extractive.chat_model import EXTRACTIVE
from models.forms import Form, get_forms
from models.objects.lines import describe_lines
from models.objects.read import ReadObject, read_object
from models.objects.sent_schema import make_sent_schema
from models.objects.shape import get_shape
from models.sending import Bind
from models.served import is_too_long
from prompts.template import Prompt
from retrieval.passages.context_window import estimate_tokens
from schema.errors import ModelOutputError, ModelUnavailableError
from schema.report import ModelCall

Schema = TypeVar("Schema", bound=BaseModel)

_SHOWN_CHARACTERS = 4_000  # characters of a broken answer that the repair round sees

_FORM_WORDS = re.compile(r"response_format|json_schema|grammar|tool|jinja", re.IGNORECASE)
"""What a server speaks of that fails at a form which it does not know."""


async def ask_structured(
    role: Role,
    prompt: Prompt,
    schema: type[Schema],
    *,
    check: Callable[[Schema], str | None] = lambda _: None,
) -> tuple[Schema, list[ModelCall]]:
    """Ask for an object of a schema.

    The first try uses the provider's own structured output; where a server or a model cannot do
    that, the call of a tool; where it cannot do that either, lines of text. If the answer does not
    fit, the model is shown it and what is wrong, once, and asked for lines.

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
    form, first, calls = await _ask_first(role, prompt, schema)
    tried = read_object(first, schema, check) if first else ReadObject[Schema](None, "", True)
    get_forms(role.model).note_answer(form, is_read=not tried.is_form)
    if tried.value is not None and not tried.wrong:
        return tried.value, calls
    asked = Asked(
        prompt,
        f"{prompt.name} (repair)",
        more=_show_fault(first, tried.wrong),
        form=_describe_form(schema),
    )
    message, more = await call_model(role, asked)
    calls += more
    repaired = read_object(extract_answer(message), schema, check)
    value = next((one.value for one in (repaired, tried) if one.value is not None), None)
    if value is None:
        raise ModelOutputError(
            f"The model {role.model} did not give a usable {schema.__name__} in two tries "
            f"({repaired.wrong}): choose a model that follows instructions better.",
            calls,
        )
    return value, calls


async def _ask_first(
    role: Role, prompt: Prompt, schema: type[BaseModel]
) -> tuple[Form, str, list[ModelCall]]:
    """Ask in the best form that the model is not known to fail at.

    Returns:
        The form, the answer, "" where the output limit left nothing of it, and the calls.
    """
    forms, chat = get_forms(role.model), role.get_chat_for(prompt)
    while True:
        form: Form = "schema" if role.model == EXTRACTIVE else forms.choose()
        if _bind_form(chat, schema, form) is None:
            forms.note_refused(form)
            continue
        if form == "lines":
            asked = Asked(prompt, prompt.name, form=_describe_form(schema))
        else:
            asked = Asked(prompt, prompt.name, overhead=_estimate_schema(schema))
        try:
            bind = cast("Bind", partial(_bind_form, schema=schema, form=form))
            message, calls = await call_model(role, asked, bind)
        except ModelUnavailableError as error:
            if type(error.__cause__).__name__ == "LengthFinishReasonError":
                return form, "", []  # the client takes no answer that the output limit cut
            if form == "lines" or not _refuses_form(error.__cause__):
                raise
            forms.note_refused(form)
        else:
            return form, extract_answer(message), calls


def _bind_form(
    chat: BaseChatModel, schema: type[BaseModel], form: Form
) -> Runnable[list[BaseMessage], AIMessage] | None:
    """What is called for an object in a form, of which only the raw message is taken.

    None where the client does not offer it.
    """
    if form == "lines":
        return chat
    # the schema, not the class: given the class, OpenAI's client parses first and raises
    wanted = make_sent_schema(schema)
    options = {"method": "function_calling"} if form == "tool" else {}
    try:
        structured = chat.with_structured_output(wanted, include_raw=True, **options)
    except (NotImplementedError, TypeError, ValueError):
        return None
    return cast("Runnable[list[BaseMessage], AIMessage]", structured | _get_raw_message)


def _get_raw_message(output: Any) -> AIMessage:
    return cast("AIMessage", output["raw"])


def _refuses_form(error: BaseException | None) -> bool:
    """Whether a server may not know the form that it was asked for."""
    status = getattr(error, "status_code", None)
    if not isinstance(status, int) or is_too_long(error):
        return False
    return status in (400, 422, 501) or bool(_FORM_WORDS.search(str(error)))


def _estimate_schema(schema: type[BaseModel]) -> int:
    return estimate_tokens(json.dumps(make_sent_schema(schema), ensure_ascii=False))


def _describe_form(schema: type[BaseModel]) -> str:
    """How to answer in lines."""
    lines = describe_lines(get_shape(schema))
    return f"Answer with lines of this form, and with nothing else:\n\n{lines}"


def _show_fault(first: str, wrong: str) -> list[BaseMessage]:
    """An answer that cannot be used, and why; nothing where none came."""
    if not first:
        return []
    shown = AIMessage(first[:_SHOWN_CHARACTERS])
    return [shown, HumanMessage(f"That cannot be used: {wrong}.")]
