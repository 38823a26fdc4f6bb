"""Send the sentences of a section that no source supports back to its writer, once."""

from langgraph.runtime import Runtime

from citations.edits import find_editable_sentences, replace_sentences
from citations.markers import find_markers, normalise_markers
from models.structured import ask_structured
from nodes.common.run import get_context, get_library, make_degradation, make_role, make_source_text
from prompts.repair_sentences import FailingSentence, RepairSentencesPrompt
from prompts.template import SourceText
from retrieval.passages.context_window import group_by_document
from schema.context import Context
from schema.editing import RepairInput, Repairs
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.report import Section
from schema.state import ReportUpdate


async def fix_citations(state: RepairInput, runtime: Runtime[Context]) -> ReportUpdate:
    """Have each of them rewritten as the sources have it, or removed."""
    draft, language = state["draft"], state["language"]
    text = draft["text"]
    held = find_editable_sentences(text, language)
    wanted = {one["sentence"]: one["reason"] for one in state["sentences"]}
    prompt = RepairSentencesPrompt(
        language=language,
        title=draft["title"],
        sentences=[
            FailingSentence(n, text[held[n - 1].start : held[n - 1].end], reason)
            for n, reason in wanted.items()
        ],
        sources=await _load_sources(draft, runtime),
    )
    role = make_role(state, runtime, "writer", get_context(runtime).writer_model)
    try:
        made, calls = await ask_structured(role, prompt, Repairs)
    except (ModelOutputError, ModelUnavailableError) as error:
        detail = f"Sentences of “{draft['title']}” were not mended: {error}"
        return {
            "calls": get_error_calls(error),
            "degraded": [make_degradation("not_repaired", detail)],
        }
    known = {source["number"] for source in draft["sources"]}
    changes = []
    for one in made.sentences:
        wording, _ = normalise_markers(" ".join(one.text.split()), known)
        if one.sentence in wanted and (find_markers(wording) or not wording):
            changes.append((held[one.sentence - 1], wording))
    repaired, _ = normalise_markers(replace_sentences(text, changes), known)
    section = Section(**{**draft, "text": repaired if find_markers(repaired) else text})
    return {"repairs": [section], "calls": calls}


async def _load_sources(draft: Section, runtime: Runtime[Context]) -> list[SourceText]:
    """The sources as the writer saw them."""
    library = await get_library(runtime)
    passages = await library.load_passages(draft["passages"])
    grouped = group_by_document([passages[c] for c in draft["passages"] if c in passages])
    described = await library.load_documents(list(grouped))
    numbers = {source["document"]: source["number"] for source in draft["sources"]}
    return [
        make_source_text(numbers[document], described[document], [one.text for one in found])
        for document, found in grouped.items()
    ]
