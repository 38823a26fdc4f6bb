"""Answer the question at hand from what was found."""

from typing import Any

from langgraph.runtime import Runtime

from models.calls import Answer, Role, ask
from models.extractive.model import EXTRACTIVE
from models.extractive.phrases import NOTHING, phrase
from nodes.deep_search.desk import Bill, Spoken, at_hand, best_evidence, kept, told
from nodes.run import context_of, degraded, library_of, role_of
from prompts.answer_question import ANSWER_QUESTION, MODES, NOT_FOUND
from prompts.template import SourceText, fence, items, sources
from retrieval.citations import marks, normalise
from schema.context import Context
from schema.deep_search import DeepSearchState, Draft, Evidence
from schema.errors import ModelUnavailableError
from schema.report import Source

EXCERPT = 2_000
"""Characters of what a search engine says of one page."""

WORDS, WORDS_OF_PART = 200, 60
"""Of the answer to the original question, and to a part of it."""

LEAST_TOKENS = 500
"""Of sources that an answer is always written from."""

PROMPT_TOKENS = 1_000
"""Of an answer's prompt beside its sources, and of the answer."""


async def answer(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Write a draft, which is judged next.

    Where the model does not answer, or its last answer cites nothing, the best sentences of the
    sources stand in.
    """
    context, bill, question = context_of(runtime), Bill(), at_hand(state)
    decisive = state["choice"]["decisive"]
    if decisive and not state["evidence"]:
        evidence, known_sources = await _excerpts(state, runtime)
        state = {**state, "evidence": evidence, "sources": known_sources}
    shown = await best_evidence(state, runtime, question, bill, _room(state, context))
    known = {number for one in state["findings"] for number in marks(one["text"])}
    numbers = {source.number for source in shown} | known
    found, text = False, ""
    if shown:
        role = role_of(state, runtime, "writer", context.writer_model)
        found, text = await _written(state, shown, role, bill, numbers)
        if not text or (decisive and not marks(text)):
            if text or not bill.lost:
                said = "The model's answer was empty or cited no source."
                bill.lost.append(degraded("answer_quoted", said))
            quoted = Role(role.name, EXTRACTIVE)
            found, text = await _written(state, shown, quoted, bill, numbers)
    if not text:
        found, text = False, phrase(NOTHING, state["language"], question)
    outcome = f"I answered “{question}”." if found else f"What I read does not answer “{question}”."
    return {
        **told(runtime, state, bill, "answer", outcome),
        "draft": Draft(question=question, text=text, found=found),
        "evidence": state["evidence"],
        "sources": state["sources"],
    }


async def _excerpts(
    state: DeepSearchState, runtime: Runtime[Context]
) -> tuple[list[Evidence], list[Source]]:
    """Where no page could be read: what the search engines said of them, marked as such."""
    library = await library_of(runtime)
    unread = [page["excerpt"] for page in state["pages"] if page["status"] != "read"]
    spans = [(document, 0, EXCERPT) for document in unread if document]
    texts = await library.spans(spans)
    found = [
        Spoken(document, 0, len(text), text)
        for (document, _, _), text in zip(spans, texts, strict=True)
        if text
    ]
    return await kept(state, library, found)


async def _written(
    state: DeepSearchState,
    shown: list[SourceText],
    role: Role,
    bill: Bill,
    numbers: set[int],
) -> tuple[bool, str]:
    """Whether there is an answer, and its text, its marks normalised; "" where none came."""
    question, decisive = at_hand(state), state["choice"]["decisive"]
    messages = ANSWER_QUESTION.render(
        language=state["language"],
        words=str(WORDS if question == state["question"] else WORDS_OF_PART),
        mode=MODES["decisive" if decisive else "open"],
        goal=fence(state["question"]),
        question=fence(question),
        known=items(f"{one['question']} {one['text']}" for one in state["findings"]),
        requirements=items(state["improvements"]),
        sources=sources(shown),
    )
    try:
        said: Answer = await ask(role, ANSWER_QUESTION.name, messages)
    except ModelUnavailableError as error:
        bill.lost.append(degraded("answer_quoted", error))
        return False, ""
    bill.calls += said.calls
    head, _, rest = said.text.partition("\n")
    found = head.strip(" *#.") != NOT_FOUND
    text, _ = normalise(said.text if found else rest, numbers)
    return found and bool(text), text


def _room(state: DeepSearchState, context: Context) -> int:
    """Tokens of sources: what the run allows, less where the budget ends before."""
    budget = state.get("budget") or context.deep_budget
    left = budget["tokens"] - state["spent"]["tokens"] - PROMPT_TOKENS
    return max(LEAST_TOKENS, min(context.section_tokens, left))
