"""Answer the question at hand from what was found."""

from langgraph.runtime import Runtime

from citations.markers import find_markers, normalise_markers
from models.calls import Role, ask
from models.extractive.chat_model import EXTRACTIVE
from models.extractive.phrases import NOTHING_FOUND, format_phrase
from nodes.common.run import get_context, get_library, make_degradation, make_role
from nodes.deep_search.evidence import (
    StepCost,
    TextSpan,
    add_evidence,
    get_current_question,
    list_findings,
    record_step,
    select_evidence,
)
from prompts.answer_question import MODES, NOT_FOUND, AnswerQuestionPrompt
from prompts.template import SourceText
from schema.context import Context
from schema.deep_search import DeepSearchState, DeepSearchUpdate, Draft, Evidence
from schema.errors import ModelUnavailableError
from schema.report import Source

EXCERPT_CHARACTERS = 2_000
"""Characters of what a search engine says of one page."""

WORDS, WORDS_OF_PART = 200, 60
"""Of the answer to the original question, and to a part of it."""

MIN_TOKENS = 500
"""Of sources that an answer is always written from."""

PROMPT_TOKENS = 1_000
"""Of an answer's prompt beside its sources, and of the answer."""


async def answer(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Write a draft, which is judged next.

    Where the model does not answer, or its last answer cites nothing, the best sentences of the
    sources stand in.
    """
    context, bill, question = get_context(runtime), StepCost(), get_current_question(state)
    decisive = state["choice"]["decisive"]
    if decisive and not state["evidence"]:
        evidence, known_sources = await _load_excerpts(state, runtime)
        state = {**state, "evidence": evidence, "sources": known_sources}
    shown = await select_evidence(state, runtime, question, bill, _compute_budget(state, context))
    known = {number for one in state["findings"] for number in find_markers(one["text"])}
    numbers = {source.number for source in shown} | known
    found, text = False, ""
    if shown:
        role = make_role(state, runtime, "writer", context.writer_model)
        found, text = await _write_draft(state, shown, role, bill, numbers)
        if not text or (decisive and not find_markers(text)):
            if text or not bill.failures:
                detail = "The model's answer was empty or cited no source."
                bill.failures.append(make_degradation("answer_quoted", detail))
            quoted = Role(role.name, EXTRACTIVE)
            found, text = await _write_draft(state, shown, quoted, bill, numbers)
    if not text:
        found, text = False, format_phrase(NOTHING_FOUND, state["language"], question)
    outcome = f"I answered “{question}”." if found else f"What I read does not answer “{question}”."
    return {
        **record_step(runtime, state, bill, "answer", outcome),
        "draft": Draft(question=question, text=text, found=found),
        "evidence": state["evidence"],
        "sources": state["sources"],
    }


async def _load_excerpts(
    state: DeepSearchState, runtime: Runtime[Context]
) -> tuple[list[Evidence], list[Source]]:
    """Where no page could be read: the search engines' excerpts of them, marked as such."""
    library = await get_library(runtime)
    unread = [page["excerpt"] for page in state["pages"] if page["status"] != "read"]
    spans = [(document, 0, EXCERPT_CHARACTERS) for document in unread if document]
    texts = await library.load_spans(spans)
    found = [
        TextSpan(document, 0, len(text), text)
        for (document, _, _), text in zip(spans, texts, strict=True)
        if text
    ]
    return await add_evidence(state, library, found)


async def _write_draft(
    state: DeepSearchState,
    shown: list[SourceText],
    role: Role,
    bill: StepCost,
    numbers: set[int],
) -> tuple[bool, str]:
    """Whether there is an answer, and its text, its markers normalised; "" where none came."""
    question, decisive = get_current_question(state), state["choice"]["decisive"]
    prompt = AnswerQuestionPrompt(
        language=state["language"],
        words=WORDS if question == state["question"] else WORDS_OF_PART,
        mode=MODES["decisive" if decisive else "open"],
        goal=state["question"],
        question=question,
        known=list_findings(state),
        requirements=state["improvements"],
        sources=shown,
    )
    try:
        written = await ask(role, prompt)
    except ModelUnavailableError as error:
        bill.failures.append(make_degradation("answer_quoted", error))
        return False, ""
    bill.calls += written.calls
    head, _, rest = written.text.partition("\n")
    found = head.strip(" *#.") != NOT_FOUND
    text, _ = normalise_markers(written.text if found else rest, numbers)
    return found and bool(text), text


def _compute_budget(state: DeepSearchState, context: Context) -> int:
    """Tokens of sources: what the run allows, less where the budget ends before."""
    budget = state.get("budget") or context.deep_budget
    left = budget["tokens"] - state["spent"]["tokens"] - PROMPT_TOKENS
    return max(MIN_TOKENS, min(context.section_tokens, left))
