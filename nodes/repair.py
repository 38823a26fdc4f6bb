"""Send the sentences of a section that cannot be proven back to its writer, once."""

from typing import Any

from langgraph.runtime import Runtime

from models.structured import ask_structured
from nodes.run import context_of, degraded, library_of, role_of, source_text
from prompts.repair_sentences import REPAIR_SENTENCES
from prompts.template import SourceText, fence, sources
from retrieval.citations import marks, normalise
from retrieval.packing import in_reading_order
from retrieval.revision import editable, replaced
from schema.context import Context
from schema.errors import ModelOutputError, ModelUnavailableError, calls_of
from schema.report import Section
from schema.revising import RepairInput, Repairs


async def repair(state: RepairInput, runtime: Runtime[Context]) -> dict[str, Any]:
    """Have each of them said as the sources say it, or taken out."""
    draft, language = state["draft"], state["language"]
    text = draft["text"]
    held = editable(text, language)
    wanted = {one["sentence"]: one["reason"] for one in state["sentences"]}
    messages = REPAIR_SENTENCES.render(
        language=language,
        title=fence(draft["title"]),
        sentences="\n".join(
            f'<item n="{n}">\n<sentence>{fence(text[held[n - 1].start : held[n - 1].end])}'
            f"</sentence>\n{fence(reason)}\n</item>"
            for n, reason in wanted.items()
        ),
        sources=sources(await _shown(draft, runtime)),
    )
    role = role_of(state, runtime, "writer", context_of(runtime).writer_model)
    try:
        made, calls = await ask_structured(role, REPAIR_SENTENCES.name, messages, Repairs)
    except (ModelOutputError, ModelUnavailableError) as error:
        detail = f"Sentences of “{draft['title']}” were not mended: {error}"
        return {"calls": calls_of(error), "degraded": [degraded("not_repaired", detail)]}
    known = {source["number"] for source in draft["sources"]}
    changes = []
    for one in made.sentences:
        said, _ = normalise(" ".join(one.text.split()), known)
        if one.sentence in wanted and (marks(said) or not said):
            changes.append((held[one.sentence - 1], said))
    mended, _ = normalise(replaced(text, changes), known)
    section = Section(**{**draft, "text": mended if marks(mended) else text})
    return {"repairs": [section], "calls": calls}


async def _shown(draft: Section, runtime: Runtime[Context]) -> list[SourceText]:
    """The sources as the writer saw them."""
    library = await library_of(runtime)
    passages = await library.passages(draft["passages"])
    grouped = in_reading_order([passages[c] for c in draft["passages"] if c in passages])
    described = await library.documents(list(grouped))
    numbers = {source["document"]: source["number"] for source in draft["sources"]}
    return [
        source_text(numbers[document], described[document], [one.text for one in found])
        for document, found in grouped.items()
    ]
