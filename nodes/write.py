"""Write one section from its passages."""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from library.library import Library
from models.calls import TRIES, Role, ask
from nodes.run import (
    brief,
    context_of,
    degraded,
    emit,
    is_extractive,
    library_of,
    role_of,
    source_text,
)
from prompts.revise_text import REVISE_TEXT, parted
from prompts.template import fence, items, sources
from prompts.write_section import POSITIONS, UNCITED, WRITE_SECTION
from retrieval.citations import marks, normalise
from retrieval.language import detect_language
from retrieval.packing import in_reading_order, pack
from retrieval.sentences import sentences
from schema.context import Context, ResearchMode
from schema.documents import DocumentInfo, Passage
from schema.errors import ModelOutputError
from schema.events import SectionWritten
from schema.report import ModelCall, Section
from schema.state import SectionState

WORDS: dict[ResearchMode, int] = {"general": 450, "deep": 350, "deeper": 350}
"""Length of a section, by research mode."""

PROMPT_TOKENS = 1_500
"""What the prompt takes beside the sources."""

SHOWN_CHARACTERS = 120
"""Of a text that cites nothing, shown in what is said of it."""

CUT = "The writer did not come to its end in the section “{title}”; the last sentence was cut."

Shown = dict[int, tuple[DocumentInfo, list[Passage]]]
"""What a writer sees of each source, by number."""


async def write(state: SectionState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Pack the ranked passages into the model's window and have the section written.

    Where its reader wishes something of the text that it has, it is written anew.

    Raises:
        ModelOutputError: there was nothing to write from, or nothing came back.
        ModelUnavailableError: the writer does not answer.
    """
    context, library = context_of(runtime), await library_of(runtime)
    role = role_of(state, runtime, "writer", context.writer_model)
    language = state.get("language") or detect_language(" ".join(state["questions"]))
    index, title = state.get("index", 0), state["title"]
    packed = await _packed(state, library, _budget(role, context))
    shown = await _shown(state, library, packed)
    written = await _written(role, state, _prompt(state, shown, language, context), set(shown))
    text, cut = written.text, written.cut
    text = _whole_sentences(text, language) if cut else text
    if not text:
        raise ModelOutputError(f"Nothing was written for the section “{title}”.", written.calls)
    emit(runtime, SectionWritten(type="written", section=index, title=title, characters=len(text)))
    section = Section(
        index=index,
        title=title,
        text=text,
        sources=[brief(number, info) for number, (info, _) in shown.items()],
        passages=[passage.chunk for passage in packed],
    )
    lost = [degraded("section_cut", CUT.format(title=title))] if cut else []
    if written.undone:
        lost.append(degraded("revision_incomplete", f"In the section “{title}”: {written.undone}"))
    return {"sections": [section], "calls": written.calls, "degraded": lost}


@dataclass(frozen=True)
class _Written:
    """A text that cites its sources; `undone` is what of its reader's wish it leaves open."""

    text: str
    undone: str
    cut: bool
    calls: list[ModelCall]


async def _written(
    role: Role, state: SectionState, messages: list[BaseMessage], known: set[int]
) -> _Written:
    """Have a text written; one without a citation, such as a refusal, is asked for once more.

    Raises:
        ModelOutputError: the second one has none either, or there is none.
    """
    prompt = REVISE_TEXT if "wish" in state else WRITE_SECTION
    calls: list[ModelCall] = []
    for _ in range(TRIES):
        answer = await ask(role, prompt.name, messages)
        calls += answer.calls
        text, undone = parted(answer.text) if "wish" in state else (answer.text, "")
        if marks(normalise(text, known)[0]):
            return _Written(text, undone, answer.cut, calls)
        if not text or is_extractive(role.model):
            break
        messages = [*messages, AIMessage(answer.text), HumanMessage(UNCITED.strip())]
    if not answer.text:
        raise ModelOutputError("The writer gave no text.", calls)
    said = " ".join(answer.text.split())[:SHOWN_CHARACTERS]
    raise ModelOutputError(f"The writer cited none of the sources: “{said}”", calls)


async def _packed(state: SectionState, library: Library, budget: int) -> list[Passage]:
    """The best passages that fit the window."""
    passages = await library.passages([entry["chunk"] for entry in state["ranked"]])
    ordered = [passages[e["chunk"]] for e in state["ranked"] if e["chunk"] in passages]
    packed = pack(ordered, budget)
    if not packed:
        raise ModelOutputError(f"No source speaks of the section “{state['title']}”.")
    return packed


async def _shown(state: SectionState, library: Library, packed: list[Passage]) -> Shown:
    """The packed passages by source, in reading order."""
    grouped = in_reading_order(packed)
    described = await library.documents(list(grouped))
    number = {entry["chunk"]: entry["number"] for entry in state["ranked"]}
    return {number[found[0].chunk]: (described[d], found) for d, found in grouped.items()}


def _prompt(
    state: SectionState, shown: Shown, language: str, context: Context
) -> list[BaseMessage]:
    plan = state.get("plan") or [{"title": state["title"], "questions": state["questions"]}]
    given = {
        "language": language,
        "question": fence(state.get("report_question") or state["title"]),
        "outline": "\n".join(_planned(section) for section in plan),
        "title": fence(state["title"]),
        "questions": items(state["questions"]),
        "sources": sources(
            source_text(number, info, [p.text for p in found], [p.heading for p in found])
            for number, (info, found) in shown.items()
        ),
    }
    if "wish" in state:
        wish = state["wish"]
        return REVISE_TEXT.render(
            **given, draft=fence(wish["text"]), instruction=fence(wish["instruction"])
        )
    return WRITE_SECTION.render(
        **given,
        position=_position(state.get("index", 0), len(plan)),
        words=str(WORDS[context.research_mode]),
    )


def _budget(role: Role, context: Context) -> int:
    """Tokens for sources: the run's choice, or less where the model's window is known."""
    window = (role.chat.profile or {}).get("max_input_tokens")
    if not window:
        return context.section_tokens
    return max(500, min(context.section_tokens, window - context.answer_tokens - PROMPT_TOKENS))


def _position(index: int, count: int) -> str:
    if count == 1:
        return POSITIONS["only"]
    return POSITIONS["first" if index == 0 else "last" if index == count - 1 else "middle"]


def _planned(section: dict[str, Any]) -> str:
    title = fence(section["title"]).replace('"', "&quot;")
    return f'<section title="{title}">\n{items(section["questions"])}\n</section>'


def _whole_sentences(text: str, language: str) -> str:
    """The text without the sentence that the output limit cut off."""
    if text.rstrip().endswith((".", "!", "?", "。", "！", "？")):
        return text
    found = sentences(text, language)
    return text[: found[-2].end] if len(found) > 1 else ""
