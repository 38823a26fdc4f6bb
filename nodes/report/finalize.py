"""Make the report: what has no support is cut or marked, citations are numbered once."""

import asyncio
import time
from collections.abc import Sequence
from typing import cast

from langgraph.runtime import Runtime

from citations.splice import split_off_charts
from citations.told_positions import is_told
from models.calls import Role
from nodes.common.ceiling import close_spending, describe_ceiling
from nodes.common.citations import (
    build_citations,
    build_conflicts,
    build_reference,
    build_remarks,
    count_totals,
    drop_mirrored,
    load_cited_texts,
    load_support_by_section,
    map_documents,
    place_citation,
    sum_usage_by_role,
)
from nodes.common.final_sections import (
    Binding,
    bind_drafts,
    bind_revision,
    build_chart,
    check_captions,
)
from nodes.common.origins import find_origins
from nodes.common.run import (
    drop_duplicates,
    get_context,
    get_library,
    is_extractive,
    make_degradation,
)
from nodes.common.windows import describe_small_windows
from schema.context import Context
from schema.documents import DocumentInfo
from schema.report import (
    Audit,
    Citation,
    ClaimOrigins,
    Conflict,
    Degradation,
    Report,
    ReportSection,
    Section,
)
from schema.state import ReportState, ReportUpdate
from schema.summary import SUMMARY_INDEX, has_summary

RECHECKED_CODES = (
    "links_not_checked",
    "no_citations",
    "report_not_remembered",
    "revision_incomplete",
)
"""Codes of the report before that a revision finds out for itself."""

SECTION_CODES = (
    "section_cut",
    "section_extracted",
    "not_repaired",
    "chart_as_table",
    "chart_dropped",
    "summary_older",
)
"""Codes that describe the text of a section, and go with it."""


async def finalize(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Make the report out of the drafts; a revision replaces one section of the saved report.

    All other sections of a revised report stay as they are, with their citations and charts.

    Raises:
        ModelOutputError: the revised section came back as it was.
    """
    library, before = await get_library(runtime), state["report"] or _start_report(state)
    documents = map_documents(state["sources"], state["drafts"])
    read = await load_support_by_section(library, state["drafts"], before["language"])
    described = await library.load_documents(sorted(set(documents.values())))

    def bind() -> tuple[Binding, dict[int, DocumentInfo], list[Citation]]:
        bound = (bind_revision if state["report"] else bind_drafts)(before, read, state)
        registry = {
            new: described[documents[old]] for old, new in bound.final.items() if old in documents
        }
        return bound, registry, _cite(bound, registry, before["language"])

    bound, registry, found = await asyncio.to_thread(bind)
    texts = await load_cited_texts(library, found, registry)
    citations = [place_citation(one, texts[one["document"]]) for one in found]
    report = _merge_report(before, bound, registry, citations)
    report["origins"] = _merge_origins(
        before, bound, await find_origins(library, citations, registry, texts)
    )
    report["degraded"] = _merge_degradations(before, state, bound, citations, get_context(runtime))
    report["usage"] = sum_usage_by_role(state["calls"], before["usage"])
    report["audit"] = _build_audit(report, state, bound, described)
    if not is_extractive(Role.from_choice("writer", get_context(runtime).writer_model).model):
        report["conflicts"] = await asyncio.to_thread(_drop_told, report)
    if state["report"]:
        report["version"] = before["version"] + 1
    return {"report": report}


def _start_report(state: ReportState) -> Report:
    """The report before anything is written in it."""
    return Report(
        question=state["question"]["text"],
        title=state["outline"]["title"],
        language=state["question"]["language"],
        sections=[_start_section(draft) for draft in state["drafts"]],
        references=[],
        citations=[],
        conflicts=[],
        charts=[],
        audit=cast("Audit", dict.fromkeys(Audit.__required_keys__, 0)),
        degraded=[],
        further_questions=state.get("further_questions") or [],
        usage={},
    )


def _start_section(draft: Section) -> ReportSection:
    """A section without its text; the summary says that it is one."""
    if draft["index"] == SUMMARY_INDEX:
        return ReportSection(title=draft["title"], text="", kind="summary")
    return ReportSection(title=draft["title"], text="")


def _cite(bound: Binding, registry: dict[int, DocumentInfo], language: str) -> list[Citation]:
    """The citations of the new texts, without the stored text around their quotes. CPU work."""
    return [
        citation
        for place, one in bound.sections.items()
        for citation in build_citations(
            place,
            one.text,
            language,
            registry,
            [*one.sentences, *check_captions(one)],
            {
                registry[bound.final[number]].id: source
                for number, source in one.support.items()
                if number in bound.final
            },
        )
    ]


def _merge_report(
    before: Report,
    bound: Binding,
    registry: dict[int, DocumentInfo],
    citations: Sequence[Citation],
) -> Report:
    """The report with its new texts, and what belongs to them in place of what they replace.

    Args:
        before: the report as it was.
        bound: its texts.
        registry: the document of each number in the reference list that this run read.
        citations: of what this run wrote.
    """
    new, numbers = bound.sections, list(bound.final.values())
    references = {one["number"]: one for one in before["references"]}
    remaining = [
        one
        for one in before["citations"]
        if one["section"] not in new or split_off_charts(one["sentence"])[1]  # a chart's caption
        if one["sentence"] in bound.texts[one["section"]]  # a summary loses what no section says
    ]
    conflicts = [
        one for one in before["conflicts"] if one["section"] not in new and one["number"] in numbers
    ]
    remarks = [
        one
        for one in before.get("remarks", [])
        if one["section"] not in new and one["sentence"] in bound.texts[one["section"]]
    ]
    charts = list(before["charts"])
    for place, one in new.items():
        remarks += build_remarks(place, bound.texts[place], one.sentences, bound.final)
        if before["sections"][place].get("kind") != "summary":  # which says what the others say
            conflicts += build_conflicts(place, one.sentences, one.support, bound.final, registry)
        charts += [build_chart(place, chart, bound.final) for chart, _ in one.charts]
    conflicts = drop_mirrored(conflicts)
    kept = before.copy()
    kept.pop("changes", None)  # they are those of the version before
    return Report(
        **{
            **kept,
            "sections": [
                ReportSection(**{**section, "text": text})
                for section, text in zip(before["sections"], bound.texts, strict=True)
            ],
            "references": [references.get(n) or build_reference(n, registry[n]) for n in numbers],
            "citations": sorted([*remaining, *citations], key=lambda one: one["section"]),
            "conflicts": sorted(conflicts, key=lambda one: one["section"]),
            "remarks": sorted(remarks, key=lambda one: one["section"]),
            "charts": charts,
        }
    )


def _drop_told(report: Report) -> list[Conflict]:
    """What sources may disagree about and the report does not set side by side itself."""
    texts = [one["text"] for one in report["sections"]]
    return [one for one in report["conflicts"] if not is_told(one, texts, report["language"])]


def _merge_origins(
    before: Report, bound: Binding, origins: Sequence[ClaimOrigins]
) -> list[ClaimOrigins]:
    """The origins behind the sentences of new texts, and behind those that stay."""
    remaining = [
        one
        for one in before.get("origins", [])
        if one["section"] not in bound.sections and one["sentence"] in bound.texts[one["section"]]
    ]
    return sorted([*remaining, *origins], key=lambda one: one["section"])


def _merge_degradations(
    before: Report,
    state: ReportState,
    bound: Binding,
    citations: Sequence[Citation],
    context: Context,
) -> list[Degradation]:
    """What makes the report less than it could be, each once."""
    gone = {*RECHECKED_CODES}
    if not is_extractive(Role.from_choice("writer", context.writer_model).model):
        gone.add("no_language_model")
    titles = [f"“{one.draft['title']}”" for one in bound.sections.values()]
    entries = [
        one
        for one in before["degraded"]
        if one["code"] not in gone
        and not (one["code"] in SECTION_CODES and any(t in one["detail"] for t in titles))
    ]
    entries += state["degraded"]
    entries += [entry for one in bound.sections.values() for entry in one.failures]
    entries += describe_small_windows(state["calls"])
    entries += describe_ceiling(close_spending(state["run"]))
    if not citations:
        who = "The revised section cites" if state["report"] else "The writer cited"
        entries.append(make_degradation("no_citations", f"{who} none of the sources."))
    return drop_duplicates(entries)


def _build_audit(
    report: Report, state: ReportState, bound: Binding, described: dict[int, DocumentInfo]
) -> Audit:
    """What is counted; of a revised report cost and edits are those of all its runs."""
    earlier, counts, spent = report["audit"], state["counts"], state["spent"]
    if state["report"]:
        described = {}  # sources and passages are counted by the first run
    pool = [] if state["report"] else state["pool"]
    repeated = sum(one.repeated_count for one in bound.sections.values())
    return Audit(
        sections=len(bound.texts) - has_summary(report),
        sections_failed=earlier["sections_failed"]
        + sum(not section["text"] for section in state["sections"]),
        **count_totals(
            bound.texts,
            report["citations"],
            report.get("remarks", []),
            report.get("origins", []),
            report["language"],
        ),
        unknown_numbers_dropped=earlier["unknown_numbers_dropped"]
        + counts["unknown_numbers_dropped"],
        repeated_sentences_dropped=earlier["repeated_sentences_dropped"]
        + counts["repeated_sentences_dropped"]
        + repeated,
        sentences_revised=earlier["sentences_revised"] + counts["sentences_revised"],
        sentences_repaired=earlier["sentences_repaired"] + counts["sentences_repaired"],
        sentences_cut=earlier["sentences_cut"]
        + sum(one.cut_count for one in bound.sections.values()),
        points_expected=earlier["points_expected"] + counts["points_expected"],
        points_covered=earlier["points_covered"] + counts["points_covered"],
        sources_found=max(earlier["sources_found"], len(bound.final), len(described)),
        sources_read=earlier["sources_read"]
        + sum(not document.excerpt for document in described.values()),
        sources_cited=len(bound.final),
        passages_found=earlier["passages_found"] + len(pool),
        searches=earlier["searches"] + spent["searches"],
        pages_read=earlier["pages_read"] + spent["pages"],
        tokens=earlier["tokens"]
        + sum(
            call["input_tokens"] + call["output_tokens"]
            for call in state["calls"]
            if not is_extractive(call["model"])
        ),
        seconds=round(earlier["seconds"] + time.time() - state["started"], 1),
    )
