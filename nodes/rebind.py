"""Bind a report anew of which one section was written again; all others stay as they are."""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from models.calls import Role
from nodes.citing import (
    citations_of,
    conflicts_of,
    numbers_of,
    read_by_section,
    reference,
    totals,
    usage_by_role,
    with_context,
    with_judgements,
)
from nodes.run import context_of, degraded, distinct, is_extractive, library_of
from retrieval.charts import placed
from retrieval.citations import cited_sentences, drop_repeated
from retrieval.proof import Proven, proven, settled
from retrieval.rebinding import rebound, without_charts
from retrieval.support import Support
from schema.context import Context
from schema.errors import ModelOutputError
from schema.faults import joined
from schema.report import (
    Audit,
    Citation,
    Degraded,
    ModelCall,
    Report,
    ReportSection,
    RoleUsage,
)
from schema.state import RevisionState

SAID_AGAIN = (
    "links_not_checked",
    "no_citations",
    "report_not_remembered",
    "revision_incomplete",
)
"""Codes of the report before that the revision finds out for itself."""

OF_A_SECTION = ("section_cut", "not_repaired", "chart_as_table", "chart_dropped")
"""Codes that say something of the text that was."""


async def rebind(state: RevisionState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Make the next version of the report.

    Raises:
        ModelOutputError: the section came back as it was.
    """
    library, before = await library_of(runtime), state["report"]
    assert before is not None  # noqa: S101  (`take` found it)
    language, [draft] = before["language"], state["drafts"]
    place = draft["index"]
    [read] = await read_by_section(library, [draft], language)
    documents = numbers_of([], [draft])
    described = await library.documents(list(documents.values()))
    texts = [section["text"] for section in before["sections"]]
    held = {one["number"]: one for one in before["references"]}

    said, found, repeated, cut = await asyncio.to_thread(_settled, state, read, texts, place)
    bare, charts = without_charts(texts[place])
    texts, called = rebound(texts, place, "\n\n".join([said, *charts]), held)
    text, _ = without_charts(texts[place])
    if text == bare:
        undone = joined(
            one["detail"] for one in state["degraded"] if one["code"] == "revision_incomplete"
        )
        raise ModelOutputError(
            f"The section “{draft['title']}” came back as it was, so there is no new version: wish "
            f"for something else.{f' ({undone})' if undone else ''}"
        )
    registry = {n: described[documents[old]] for n, old in called.items() if old in documents}
    final = {old: n for n, old in called.items()}
    sources = {registry[final[n]].id: source for n, source in read.items() if n in final}
    new = await asyncio.to_thread(
        lambda: list(citations_of(place, text, language, registry, found, sources))
    )
    kept = [c for c in before["citations"] if c["section"] != place or _is_caption(c)]
    citations = [*kept, *await with_context(library, new, registry)]
    conflicts = [
        *(c for c in before["conflicts"] if c["section"] != place and c["number"] in called),
        *conflicts_of(place, found, read, final, registry),
    ]
    extractive = is_extractive(Role.of("writer", context_of(runtime).writer_model).model)
    after = Report(
        **{
            **before,
            "version": before["version"] + 1,
            "sections": [
                ReportSection(title=section["title"], text=text)
                for section, text in zip(before["sections"], texts, strict=True)
            ],
            "references": [held[n] if n in held else reference(n, registry[n]) for n in called],
            "citations": sorted(citations, key=lambda one: one["section"]),
            "conflicts": sorted(conflicts, key=lambda one: one["section"]),
            "degraded": _degraded(before, state, new, extractive=extractive),
            "usage": _together(before["usage"], state["calls"]),
        }
    )
    after["audit"] = _audit(state, after, repeated=repeated, cut=cut)
    return {"report": after}


def _settled(
    state: RevisionState, read: Mapping[int, Support], texts: Sequence[str], place: int
) -> tuple[str, list[Proven], int, int]:
    """The section's text as it is bound, its sentences, how many stood elsewhere or were cut."""
    [draft], report = state["drafts"], state["report"]
    assert report is not None  # noqa: S101
    language = report["language"]
    text, *_ = placed(draft["text"], {}, 0)  # a new chart would need proof of its own
    text, _ = without_charts(text)
    others = [one for number, one in enumerate(texts) if number != place]
    [*_, text], repeated = drop_repeated([*others, text], language)
    found = with_judgements(proven(text, read, language), state["judged"])
    said, kept = settled(text, found)
    return said, kept, repeated, len(found) - len(kept)


def _is_caption(citation: Citation) -> bool:
    """Whether a citation is that of a chart, which stays with it."""
    return bool(without_charts(citation["sentence"])[1])


def _degraded(
    before: Report, state: RevisionState, new: Sequence[Citation], *, extractive: bool
) -> list[Degraded]:
    """What makes the new version less than it could be."""
    gone = {*SAID_AGAIN, *(() if extractive else ("no_language_model",))}
    title = f"“{state['drafts'][0]['title']}”"
    entries = [
        one
        for one in before["degraded"]
        if one["code"] not in gone and not (one["code"] in OF_A_SECTION and title in one["detail"])
    ]
    entries += state["degraded"]
    if not new:
        entries.append(degraded("no_citations", "The revised section cites none of the sources."))
    return distinct(entries)


def _together(before: Mapping[str, RoleUsage], calls: Iterable[ModelCall]) -> dict[str, RoleUsage]:
    """The usage of the report and of its revision."""
    usage = dict(before)
    for role, more in usage_by_role(calls).items():
        name = (
            role if usage.get(role, more)["model"] == more["model"] else f"{role} ({more['model']})"
        )
        held = usage.get(name)
        usage[name] = (
            more
            if held is None
            else RoleUsage(
                model=more["model"],
                calls=held["calls"] + more["calls"],
                input_tokens=held["input_tokens"] + more["input_tokens"],
                output_tokens=held["output_tokens"] + more["output_tokens"],
                seconds=round(held["seconds"] + more["seconds"], 3),
            )
        )
    return usage


def _audit(state: RevisionState, after: Report, *, repeated: int, cut: int) -> Audit:
    """What the report counts now; searches and sources are those of its run and the revision."""
    before, counts = after["audit"], state["counts"]
    stating = [
        numbers
        for section in after["sections"]
        for _, numbers in cited_sentences(section["text"], after["language"])
    ]
    cited = sum(map(bool, stating))
    tokens = sum(call["input_tokens"] + call["output_tokens"] for call in state["calls"])
    return Audit(
        **{
            **before,
            **totals(after["citations"], len(stating), cited),
            "unknown_numbers_dropped": before["unknown_numbers_dropped"]
            + counts["unknown_numbers_dropped"],
            "repeated_sentences_dropped": before["repeated_sentences_dropped"]
            + counts["repeated_sentences_dropped"]
            + repeated,
            "sentences_repaired": before["sentences_repaired"] + counts["sentences_repaired"],
            "sentences_cut": before["sentences_cut"] + cut,
            "sources_found": max(before["sources_found"], len(after["references"])),
            "sources_cited": len(after["references"]),
            "searches": before["searches"] + state["spent"]["searches"],
            "tokens": before["tokens"] + tokens,
            "seconds": round(before["seconds"] + time.time() - state["started"], 1),
        }
    )
