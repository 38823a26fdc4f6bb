"""Write one section from its passages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from citations.grounds import split_sums
from citations.markers import find_markers, normalise_markers
from citations.open_points import append_open_points, split_open_points
from models.calls import Role, ask
from models.extractive.chat_model import EXTRACTIVE
from models.spending import CeilingError
from nodes.common.run import (
    close_run,
    emit,
    get_context,
    get_library,
    is_extractive,
    is_outermost,
    make_degradation,
    make_role,
    make_source,
)
from nodes.common.shown_sources import ShownSource, compute_budget, show_sources
from prompts.revise_text import ReviseTextPrompt, split_answer
from prompts.template import SectionOutline, SourceText
from prompts.write_section import (
    CITATION_REMINDER,
    FORMS,
    POSITIONS,
    SHAPES,
    STYLES,
    WriteSectionPrompt,
)
from schema.context import SECTION_WORDS, Context
from schema.errors import ModelOutputError
from schema.events import SectionWritten
from schema.report import Degradation, ModelCall, Section
from schema.state import SectionState, SectionUpdate
from text.language import detect_language
from text.sentences import split_sentences

WRITING_TRIES = 3
"""Times that a text with a citation is asked for. With a model that refuses or says nothing to 5 of
100 prompts, two tries lose one section in 400."""

SHOWN_CHARACTERS = 120
"""Of a text that cites nothing, shown in the error."""

SECTION_CUT = (
    "The writer did not come to its end in the section “{title}”; the last sentence was cut."
)


class _CommonFields(TypedDict):
    """The fields that both prompts of a section have."""

    language: str
    date: str
    audience: str
    question: str
    outline: list[SectionOutline]
    title: str
    questions: list[str]
    sources: list[SourceText]


async def write(state: SectionState, runtime: Runtime[Context]) -> SectionUpdate:
    """Pack the ranked passages into the model's window and have the section written.

    With a `revision`, the text that it has is rewritten as the instruction asks.

    Raises:
        ModelOutputError: there was nothing to write from, or nothing came back.
        ModelUnavailableError: the writer does not answer.
    """
    context, library = get_context(runtime), await get_library(runtime)
    role = make_role(state, runtime, "writer", context.writer_model)
    language = state.get("language", "")
    if not language:
        language = await asyncio.to_thread(detect_language, " ".join(state["questions"]))
    index, title = state.get("index", 0), state["title"]
    budget = await compute_budget(role, context)
    notes = state.get("notes") or []
    shown = await show_sources(state["ranked"], library, budget, notes, alone="revision" in state)
    if not shown:
        raise ModelOutputError(f"No source speaks of the section “{title}”.")
    prompt = _build_prompt(state, shown, language, context)
    written = await _write_within_ceiling(role, prompt, {one.text.number for one in shown})
    text, cut = written.text, written.truncated
    text = _drop_cut_sentence(text, language) if cut else text
    text, sums = split_sums(text)
    text, open_points = split_open_points(text)
    if not text:
        raise ModelOutputError(f"Nothing was written for the section “{title}”.", written.calls)
    emit(runtime, SectionWritten(type="written", section=index, title=title, characters=len(text)))
    section = Section(
        index=index,
        title=title,
        text=text,
        sources=[make_source(one.text.number, one.info) for one in shown],
        passages=_list_passages(shown, state),
        open=open_points,
        sums=sums,
    )
    failures = list(written.failures)
    if cut:
        failures.append(make_degradation("section_cut", SECTION_CUT.format(title=title)))
    if written.not_done:
        failures.append(
            make_degradation("revision_incomplete", f"In the section “{title}”: {written.not_done}")
        )
    if is_outermost(runtime):  # nobody looks for what it leaves open
        section["text"], section["open"] = append_open_points(text, open_points), []
        await close_run(state, runtime)
    return {"sections": [section], "calls": written.calls, "degraded": failures}


@dataclass(frozen=True)
class _WrittenText:
    """A text that cites its sources; `not_done` is what it leaves open of an instruction."""

    text: str
    not_done: str
    truncated: bool
    calls: list[ModelCall]
    failures: Sequence[Degradation] = ()


async def _write_within_ceiling(
    role: Role, prompt: WriteSectionPrompt | ReviseTextPrompt, known: set[int]
) -> _WrittenText:
    """Have a text written; where the run's ceiling does not pay for it, by the extractive model.

    A revision is not: what it would make of an instruction was not asked for.
    """
    try:
        return await _write_cited(role, prompt, known)
    except CeilingError as error:
        if isinstance(prompt, ReviseTextPrompt):
            raise
        extracted = await _write_cited(Role("writer", EXTRACTIVE), prompt, known)
        told = make_degradation(
            "section_extracted",
            f"The section “{prompt.title}” was taken from the sources as they are: {error}",
        )
        return replace(extracted, failures=[told])


async def _write_cited(
    role: Role, prompt: WriteSectionPrompt | ReviseTextPrompt, known: set[int]
) -> _WrittenText:
    """Have a text written; one without a citation, such as a refusal, is asked for again, twice.

    Raises:
        ModelOutputError: the last one has none either, or there is none.
    """
    is_revision = isinstance(prompt, ReviseTextPrompt)
    more: list[BaseMessage] = []
    calls: list[ModelCall] = []
    for _ in range(WRITING_TRIES):
        answer = await ask(role, prompt, more, streamed="everywhere")
        calls += answer.calls
        text, not_done = split_answer(answer.text) if is_revision else (answer.text, "")
        if find_markers(normalise_markers(text, known)[0]):
            return _WrittenText(text, not_done, answer.truncated, calls)
        if is_extractive(role.model):
            break
        said = [AIMessage(answer.text)] if text else []
        more += [*said, HumanMessage(CITATION_REMINDER.strip())]
    if not answer.text:
        raise ModelOutputError("The writer gave no text.", calls)
    excerpt = " ".join(answer.text.split())[:SHOWN_CHARACTERS]
    raise ModelOutputError(f"The writer cited none of the sources: “{excerpt}”", calls)


def _build_prompt(
    state: SectionState, shown: Sequence[ShownSource], language: str, context: Context
) -> WriteSectionPrompt | ReviseTextPrompt:
    plan = state.get("plan") or [{"title": state["title"], "questions": state["questions"]}]
    common: _CommonFields = {
        "language": language,
        "date": datetime.now(UTC).date().isoformat(),
        "audience": state.get("audience", ""),
        "question": state.get("report_question") or state["title"],
        "outline": [
            SectionOutline(one["title"], one["questions"], told=place == state.get("index", 0))
            for place, one in enumerate(plan)
        ],
        "title": state["title"],
        "questions": state["questions"],
        "sources": [one.text for one in shown],
    }
    if "revision" in state:
        revision = state["revision"]
        return ReviseTextPrompt(
            **common, draft=revision["text"], instruction=revision["instruction"]
        )
    return WriteSectionPrompt(
        **common,
        position=_describe_position(state.get("index", 0), len(plan)),
        words=state.get("words") or SECTION_WORDS[context.research_mode],
        form=FORMS[state.get("form", "prose")],
        style=STYLES[state.get("style", "report")],
        shape=SHAPES[state.get("shape", "survey")],
    )


def _describe_position(index: int, count: int) -> str:
    if count == 1:
        return POSITIONS["only"]
    return POSITIONS["first" if index == 0 else "last" if index == count - 1 else "middle"]


def _list_passages(shown: Sequence[ShownSource], state: SectionState) -> list[int]:
    """What a text is checked against: also what one that is rewritten came from, as it may stay."""
    numbers = {one.text.number for one in shown}
    before = set(state["revision"]["passages"]) if "revision" in state else set()
    held = [e["chunk"] for e in state.get("pool") or [] if e["number"] in numbers]
    read = [chunk for one in shown for chunk in one.chunks]
    return list(dict.fromkeys([*read, *(chunk for chunk in held if chunk in before)]))


def _drop_cut_sentence(text: str, language: str) -> str:
    """The text without the sentence that the output limit cut off."""
    if text.rstrip().endswith((".", "!", "?", "。", "！", "？")):
        return text
    found = split_sentences(text, language)
    return text[: found[-2].end] if len(found) > 1 else ""
