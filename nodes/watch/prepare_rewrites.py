"""Put the sentences whose evidence changed together for their writer, by section."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from citations.edits import find_repairable_sentences
from models.calls import Role
from nodes.common.run import get_context, get_library, get_report, is_extractive
from nodes.common.watched import load_watched, number_documents
from schema.context import Context
from schema.editing import FailingSentence, RepairBatch, RepairInput
from schema.report import ClaimChange, Section
from schema.watch import WatchState, WatchUpdate


async def prepare_rewrites(state: WatchState, runtime: Runtime[Context]) -> WatchUpdate:
    """Say of each sentence what its source says now. The extractive model is sent nothing.

    New findings are told in their source's own words, and need no writer.
    """
    context, report, changes = get_context(runtime), get_report(state), state["changes"]
    if not changes or is_extractive(Role.from_choice("writer", context.writer_model).model):
        return {"repair_inputs": []}
    library = await get_library(runtime)
    drafts, _ = await load_watched(library, report, state["citations"], changes)
    numbers, language = number_documents(report, changes), report["language"]
    inputs = [
        RepairInput(
            draft=draft,
            subject=f"{report['question']} {draft['title']}",
            sentences=_list_failing(draft, place, changes, numbers, language),
            points=[],
            language=language,
        )
        for place, draft in drafts.items()
    ]
    batches = [
        RepairBatch(mended=[one], language=language, run=state["run"])
        for one in inputs
        if one["sentences"]
    ]
    return {"repair_inputs": batches}


def _list_failing(
    draft: Section,
    place: int,
    changes: Sequence[ClaimChange],
    numbers: dict[str, int],
    language: str,
) -> list[FailingSentence]:
    """The sentences of a section that have to be mended, with why."""
    reasons: dict[str, list[str]] = {}
    for one in changes:
        if one["section"] == place and one["kind"] != "new":
            reason = _explain(one, numbers[one["document"]])
            reasons.setdefault(one["sentence"], []).append(reason)
    held = find_repairable_sentences(draft["text"], language)
    texts = [draft["text"][one.start : one.end] for one in held]
    return [
        FailingSentence(
            sentence=number,
            reason="; ".join(reasons[text]),
            chunks=[],
            answered=False,
            spoken_of=False,
        )
        for number, text in enumerate(texts, start=1)
        if text in reasons
    ]


def _explain(change: ClaimChange, number: int) -> str:
    before, after = (" ".join(change[side].split()) for side in ("before", "after"))
    if change["kind"] == "contradicted":
        return f"source {number}, which is newer, says otherwise: “{after}”: give both, with dates"
    if change["kind"] == "gone":
        return f"source {number} is gone, with what it said: “{before}”"
    now = f"now says “{after}”" if after else "says nothing of it any more"
    return f"source {number} said “{before}” and {now}"
