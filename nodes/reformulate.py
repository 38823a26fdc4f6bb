"""Understand the question; empty what an earlier run on this thread left."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from models.calls import Role
from models.embeddings import embedder
from models.intent import intent
from nodes.run import context_of, conversation, degraded, emit, is_extractive, text_of
from schema.context import Context
from schema.errors import InputError
from schema.events import QuestionReady
from schema.report import Degraded
from schema.state import Question, ReportState

LONGEST_QUESTION = 8_000


async def reformulate(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Resolve references to the conversation, name the language, list what must be found.

    Raises:
        InputError: there is no question, or it is too long.
        ModelUnavailableError: the planner does not answer; nothing has been done yet.
    """
    context = context_of(runtime)
    question = checked_question(text_of(state["messages"][-1]) if state["messages"] else "")
    found, calls, unread = await intent(
        question, conversation(state["messages"]), context.planner_model
    )
    language = context.language or found.language
    queries = [query.query for query in found.queries]
    emit(
        runtime,
        QuestionReady(type="question", question=found.question, language=language, queries=queries),
    )
    return {
        "question": Question(
            text=found.question,
            asked=question,
            language=language,
            queries=[query.model_dump() for query in found.queries],
        ),
        "outline": None,
        "look": [],
        "sources": [],
        "pool": [],
        "sections": Overwrite([]),
        "further_questions": [],
        "calls": Overwrite(calls),
        "degraded": Overwrite([*_lacking(context), *unread]),
        "report": None,
    }


def checked_question(text: str) -> str:
    """Return the question if it can be asked.

    Raises:
        InputError: it is empty or longer than 8,000 characters.
    """
    if not any(character.isalnum() for character in text):
        raise InputError("There is no question: write one sentence that asks for something.")
    if len(text) > LONGEST_QUESTION:
        raise InputError(
            f"The question has {len(text):,} characters, more than {LONGEST_QUESTION:,}: ask it "
            "shortly and put the material into files."
        )
    return text


def _lacking(context: Context) -> list[Degraded]:
    """What this installation does without, said once a report."""
    lacking = []
    if is_extractive(Role.of("writer", context.writer_model).model):
        lacking.append(
            degraded(
                "no_language_model",
                "No language model is configured: sentences are taken from the sources as they "
                "are, nothing is rephrased, compared or concluded. Set OPENAI_API_KEY or "
                "QUIRE_MODEL.",
            )
        )
    if embedder() is None:
        lacking.append(
            degraded(
                "no_embedding_model",
                "No embedding model is configured: sources were found by their words, not by "
                "meaning. Set QUIRE_EMBEDDING_MODEL.",
            )
        )
    return lacking
