"""`extractive`: a LangChain chat model that is no language model.

It reads the same prompts as any other and answers from the passages in them. It writes no
sentence that is not in a source, so it invents nothing, and it cannot rephrase, conclude or judge.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda

from models.extractive.answering import answer_question
from models.extractive.dialogue import reformulate, reply
from models.extractive.judging import choose_criteria, judge_answer
from models.extractive.planning import further_questions, outline
from models.extractive.reading import Asked, read
from models.extractive.rewriting import revise_text
from models.extractive.seeking import choose_action, write_queries
from models.extractive.writing import write_section

EXTRACTIVE = "extractive"

_TASKS: dict[str, Callable[[Asked], str]] = {
    "reformulate": reformulate,
    "reply": reply,
    "outline": outline,
    "write_section": write_section,
    "revise_text": revise_text,
    "further_questions": further_questions,
    "choose_criteria": choose_criteria,
    "choose_action": choose_action,
    "write_queries": write_queries,
    "answer_question": answer_question,
    "judge_answer": judge_answer,
}


class ExtractiveChatModel(BaseChatModel):
    """Answers Quire's own prompts; any other gets a sentence that says so."""

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
        text = _answer(messages)
        message = AIMessage(text, usage_metadata=_usage(messages, text))
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ARG002
    ) -> Iterator[ChatGenerationChunk]:
        text = _answer(messages)
        parts = text.split("\n\n")
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            chunk = AIMessageChunk(
                content=part if last else f"{part}\n\n",
                usage_metadata=_usage(messages, text) if last else None,
                chunk_position="last" if last else None,
            )
            if run_manager:
                run_manager.on_llm_new_token(part, chunk=ChatGenerationChunk(message=chunk))
            yield ChatGenerationChunk(message=chunk)


def _answer(messages: list[BaseMessage]) -> str:
    asked = read(messages)
    task = _TASKS.get(asked.task)
    if task is None:
        return "The extractive model answers Quire's own prompts only; configure a language model."
    return task(asked)


def _usage(messages: list[BaseMessage], text: str) -> UsageMetadata:
    given = count_tokens_approximately(messages)
    made = count_tokens_approximately([AIMessage(text)])
    return UsageMetadata(input_tokens=given, output_tokens=made, total_tokens=given + made)
