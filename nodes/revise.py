"""One pass over all sections, so that the report reads as one text."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from models.structured import ask_structured
from nodes.run import context_of, degraded, is_extractive, role_of
from prompts.revise_report import REVISE_REPORT
from prompts.template import fence, items
from retrieval.revision import Edit, applied, editable
from schema.context import Context
from schema.errors import ModelOutputError, ModelUnavailableError, calls_of
from schema.report import Section
from schema.revising import Revision
from schema.state import ReportState


async def revise(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Have the sections edited; what would change a citation or a number is not applied.

    A report of one section, and the extractive model, which cannot rephrase, are left as they are.
    """
    drafts, language = state["drafts"], state["question"]["language"]
    role = role_of(state, runtime, "editor", context_of(runtime).writer_model)
    if len(drafts) < 2 or is_extractive(role.model):
        return {}
    messages = REVISE_REPORT.render(
        language=language,
        question=fence(state["question"]["text"]),
        outline=items(draft["title"] for draft in drafts),
        sections="\n".join(_shown(n, draft, language) for n, draft in enumerate(drafts, start=1)),
    )
    try:
        made, calls = await ask_structured(role, REVISE_REPORT.name, messages, Revision)
    except (ModelOutputError, ModelUnavailableError) as error:
        detail = f"The sections were not revised as one text: {error}"
        return {"calls": calls_of(error), "degraded": [degraded("not_revised", detail)]}
    edits = [Edit(one.section - 1, one.sentence, one.text) for one in made.edits]
    texts, count, _ = await asyncio.to_thread(
        applied, [draft["text"] for draft in drafts], edits, language
    )
    return {
        "drafts": [Section(**{**d, "text": text}) for d, text in zip(drafts, texts, strict=True)],
        "counts": {**state["counts"], "sentences_revised": count},
        "calls": calls,
    }


def _shown(number: int, draft: Section, language: str) -> str:
    """A section as numbered sentences."""
    text = draft["text"]
    lines = [
        f'<sentence n="{n}">{fence(text[one.start : one.end])}</sentence>'
        for n, one in enumerate(editable(text, language), start=1)
    ]
    title = fence(draft["title"]).replace('"', "&quot;")
    return f'<section n="{number}" title="{title}">\n' + "\n".join(lines) + "\n</section>"
