"""`extractive`: a LangChain chat model that is no language model.

It answers the same prompts as any other, from the passages in them. It writes no
sentence that is not in a source, so it invents nothing, and it cannot rephrase, conclude or judge.
"""

import json
from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import PrivateAttr

from models.extractive.answer import answer_question
from models.extractive.criteria import choose_criteria, judge_answer
from models.extractive.follow_up import route_follow_up
from models.extractive.next_step import choose_action, write_queries
from models.extractive.outline import make_outline
from models.extractive.rewrite import revise_text
from models.extractive.section import write_section
from models.extractive.small_talk import reformulate, reply
from models.extractive.summary import summarise
from prompts.template import Prompt

EXTRACTIVE = "extractive"


@singledispatch
def _answer(prompt: Prompt | None) -> str:  # noqa: ARG001
    return "The extractive model answers Quire's own prompts only; configure a language model."


for _task in (
    reformulate, reply, make_outline, write_section, revise_text, summarise, choose_criteria,
    choose_action, write_queries, answer_question, judge_answer, route_follow_up,
):  # fmt: skip
    _answer.register(_task)  # for the prompt that its parameter names


class ExtractiveChatModel(BaseChatModel):
    """Answers the prompt that it is made for, by its fields; without one it says what to do."""

    _prompt: Prompt | None = PrivateAttr()

    def __init__(self, prompt: Prompt | None = None) -> None:
        super().__init__()
        self._prompt = prompt

    @property
    def _llm_type(self) -> str:
        return EXTRACTIVE

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model": EXTRACTIVE}

    def with_structured_output(
        self,
        schema: dict[str, Any] | type,  # noqa: ARG002  (its tasks answer in their own schema)
        *,
        include_raw: bool = False,
        **kwargs: Any,  # noqa: ARG002  (the base class's)
    ) -> Runnable[Any, Any]:
        """The answer as a dictionary; the tasks that plan answer in JSON by themselves."""

        def parsed(message: AIMessage) -> Any:
            value = json.loads(str(message.text))
            if not include_raw:
                return value
            return {"raw": message, "parsed": value, "parsing_error": None}

        return self | RunnableLambda(parsed)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> ChatResult:
        text = _answer(self._prompt)
        message = AIMessage(text, usage_metadata=_measure_usage(messages, text))
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ARG002
    ) -> Iterator[ChatGenerationChunk]:
        text = _answer(self._prompt)
        parts = text.split("\n\n")
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            chunk = AIMessageChunk(
                content=part if last else f"{part}\n\n",
                usage_metadata=_measure_usage(messages, text) if last else None,
                chunk_position="last" if last else None,
            )
            if run_manager:
                run_manager.on_llm_new_token(part, chunk=ChatGenerationChunk(message=chunk))
            yield ChatGenerationChunk(message=chunk)


def _measure_usage(messages: list[BaseMessage], text: str) -> UsageMetadata:
    given = count_tokens_approximately(messages)
    made = count_tokens_approximately([AIMessage(text)])
    return UsageMetadata(input_tokens=given, output_tokens=made, total_tokens=given + made)
