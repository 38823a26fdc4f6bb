"""Write one section from its passages."""

from typing import Any

from langgraph.runtime import Runtime

from library.library import Library
from models.calls import Role, ask
from nodes.run import context_of, degraded, emit, library_of
from prompts.template import SourceText, fence, items, sources
from prompts.write_section import POSITIONS, WRITE_SECTION
from retrieval.analysis import detect_language
from retrieval.packing import in_reading_order, pack
from retrieval.sentences import sentences
from schema.context import Context, ResearchMode
from schema.documents import Passage
from schema.errors import ModelOutputError
from schema.events import SectionWritten
from schema.report import Section
from schema.state import SectionState

WORDS: dict[ResearchMode, int] = {"general": 450, "deep": 350, "deeper": 350}
"""Length of a section, by research mode."""

PROMPT_TOKENS = 1_500
"""What the prompt takes beside the sources."""


async def write(state: SectionState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Pack the ranked passages into the model's window and have the section written.

    Raises:
        ModelOutputError: there was nothing to write from, or nothing came back.
        ModelUnavailableError: the writer does not answer.
    """
    context, library = context_of(runtime), await library_of(runtime)
    role = Role.of("writer", context.writer_model)
    passages = await library.passages([entry["chunk"] for entry in state["ranked"]])
    ordered = [passages[e["chunk"]] for e in state["ranked"] if e["chunk"] in passages]
    packed = pack(ordered, _budget(role, context))
    if not packed:
        raise ModelOutputError(f"No source speaks of the section “{state['title']}”.")
    numbers = {
        passages[e["chunk"]].document: e["number"]
        for e in state["ranked"]
        if e["chunk"] in passages
    }
    language = state.get("language") or detect_language(" ".join(state["questions"]))
    plan = state.get("plan") or [{"title": state["title"], "questions": state["questions"]}]
    index = state.get("index", 0)
    messages = WRITE_SECTION.render(
        language=language,
        position=_position(index, len(plan)),
        words=str(WORDS[context.research_mode]),
        question=fence(state.get("question") or state["title"]),
        outline="\n".join(_planned(section) for section in plan),
        title=fence(state["title"]),
        questions=items(state["questions"]),
        sources=sources(await _described(library, packed, numbers)),
    )
    answer = await ask(role, WRITE_SECTION.name, messages)
    text = _whole_sentences(answer.text, language) if answer.cut else answer.text
    if not text:
        raise ModelOutputError(f"Nothing was written for the section “{state['title']}”.")
    emit(
        runtime,
        SectionWritten(type="written", section=index, title=state["title"], characters=len(text)),
    )
    cut = "The writer stopped at its output limit in the section “{}”; its last sentence was cut."
    return {
        "sections": [
            Section(
                index=index,
                title=state["title"],
                text=text,
                passages=[passage.chunk for passage in packed],
            )
        ],
        "calls": [answer.call],
        "degraded": [degraded("section_cut", cut.format(state["title"]))] if answer.cut else [],
    }


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


async def _described(
    library: Library, packed: list[Passage], numbers: dict[int, int]
) -> list[SourceText]:
    grouped = in_reading_order(packed)
    described = await library.documents(list(grouped))
    return [
        SourceText(
            number=numbers[document],
            title=described[document].title,
            author=described[document].author,
            site=described[document].site,
            published=described[document].published,
            url=described[document].url,
            passages=tuple(passage.text for passage in passages),
            headings=tuple(passage.heading for passage in passages),
        )
        for document, passages in grouped.items()
    ]


def _whole_sentences(text: str, language: str) -> str:
    """The text without the sentence that the output limit cut off."""
    if text.rstrip().endswith((".", "!", "?", "。", "！", "？")):
        return text
    found = sentences(text, language)
    return text[: found[-2].end] if len(found) > 1 else ""
