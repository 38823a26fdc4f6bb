"""Make the report: what has no support is cut or marked, citations are numbered once."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from langgraph.runtime import Runtime

from citations.chart_check import CheckedChart, replace_chart_blocks
from citations.check import CheckedSentence, apply_verdicts, assign_kinds, check_sentences
from citations.evidence_span import SourcePassages
from citations.markers import (
    drop_repeated_sentences,
    number_by_appearance,
    renumber_markers,
)
from citations.splice import replace_section, split_off_charts
from citations.verdict import judge_claim
from models.calls import Role
from nodes.common.citations import (
    add_context,
    apply_judgements,
    build_citations,
    build_conflicts,
    build_reference,
    build_remarks,
    count_totals,
    load_support_by_section,
    map_documents,
    sum_usage_by_role,
)
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
from schema.error_text import join_sentences
from schema.errors import ModelOutputError
from schema.report import (
    Audit,
    Chart,
    Citation,
    Degradation,
    Report,
    ReportSection,
    Section,
    VerdictKind,
)
from schema.state import ReportState, ReportUpdate
from schema.summary import SUMMARY_INDEX, get_place, has_summary
from text.sentences import Sentence

RECHECKED_CODES = (
    "links_not_checked",
    "no_citations",
    "report_not_remembered",
    "revision_incomplete",
)
"""Codes of the report before that a revision finds out for itself."""

SECTION_CODES = ("section_cut", "not_repaired", "chart_as_table", "chart_dropped")
"""Codes that describe the text of a section, and go with it."""


@dataclass(frozen=True)
class _FinalSection:
    """A section whose text is final; its markers are numbers of the reference list at last.

    `repeated_count` sentences stood elsewhere already, `cut_count` had no support.
    """

    draft: Section
    text: str
    sentences: list[CheckedSentence]
    support: dict[int, SourcePassages]
    cut_count: int
    repeated_count: int = 0
    charts: list[tuple[CheckedChart, str]] = field(default_factory=list)
    failures: list[Degradation] = field(default_factory=list)


@dataclass(frozen=True)
class _Binding:
    """The texts of all sections, and those that this run wrote, by their place in the report.

    `final` is the number in the reference list by the number in the run.
    """

    texts: list[str]
    sections: dict[int, _FinalSection]
    final: dict[int, int]


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

    def bind() -> tuple[_Binding, dict[int, DocumentInfo], list[Citation]]:
        bound = (_bind_revision if state["report"] else _bind_drafts)(before, read, state)
        registry = {
            new: described[documents[old]] for old, new in bound.final.items() if old in documents
        }
        return bound, registry, _cite(bound, registry, before["language"])

    bound, registry, found = await asyncio.to_thread(bind)
    citations = await add_context(library, found, registry)
    report = _merge_report(before, bound, registry, citations)
    report["degraded"] = _merge_degradations(before, state, bound, citations, get_context(runtime))
    report["usage"] = sum_usage_by_role(state["calls"], before["usage"])
    report["audit"] = _build_audit(report, state, bound, described)
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


def _bind_drafts(
    _before: Report, read: Sequence[dict[int, SourcePassages]], state: ReportState
) -> _Binding:
    """All sections, their markers numbered by appearance."""
    sections = _place_charts(
        _finalize_section(*one, state) for one in zip(state["drafts"], read, strict=True)
    )
    final = number_by_appearance(one.text for one in sections)
    sections = [replace(one, text=renumber_markers(one.text, final)) for one in sections]
    return _Binding([one.text for one in sections], dict(enumerate(sections)), final)


def _bind_revision(
    before: Report, read: Sequence[dict[int, SourcePassages]], state: ReportState
) -> _Binding:
    """The new section in the place of the old one, whose charts stay.

    Its text says nothing that another section says, and has no charts of its own: a new one would
    need a check of its own. The summary repeats the others, and they are not cut for it.
    """
    [draft], [support] = state["drafts"], read
    place = get_place(before, draft["index"])
    texts = [section["text"] for section in before["sections"]]
    bare, charts = split_off_charts(texts[place])
    text, _ = split_off_charts(replace_chart_blocks(draft["text"], {}, 0)[0])
    first = has_summary(before)
    others = [] if place < first else [*texts[first:place], *texts[place + 1 :]]
    [*_, text], repeated = drop_repeated_sentences([*others, text], before["language"])
    section = _finalize_section(Section(**{**draft, "text": text}), support, state)
    listed = [one["number"] for one in before["references"]]
    texts, called = replace_section(texts, place, "\n\n".join([section.text, *charts]), listed)
    text, _ = split_off_charts(texts[place])
    if text == bare:
        undone = join_sentences(
            one["detail"] for one in state["degraded"] if one["code"] == "revision_incomplete"
        )
        raise ModelOutputError(
            f"The section “{draft['title']}” came back as it was, so there is no new version: give "
            f"another instruction.{f' ({undone})' if undone else ''}"
        )
    section = replace(section, text=text, repeated_count=repeated)
    return _Binding(texts, {place: section}, {old: new for new, old in called.items()})


def _finalize_section(
    draft: Section, read: dict[int, SourcePassages], state: ReportState
) -> _FinalSection:
    language, written, title = state["question"]["language"], draft["text"], draft["title"]
    found = check_sentences(written, read, language, title)
    if state["judgements"]:
        found = apply_judgements(found, state["judgements"])
        found = assign_kinds(written, found, read, language, title)
    if draft["index"] == SUMMARY_INDEX:
        found = [_accept_conclusion(one) for one in found]
    text, remaining = apply_verdicts(written, found)
    return _FinalSection(draft, text, remaining, read, len(found) - len(remaining))


def _accept_conclusion(one: CheckedSentence) -> CheckedSentence:
    """A sentence of a summary that cites nothing follows from the sections: they were asked."""
    return one if one.verdicts or one.kind != "fact" else replace(one, kind="synthesis")


def _place_charts(finalized: Iterable[_FinalSection]) -> list[_FinalSection]:
    """The sections with their charts in the places of their blocks, numbered through the report."""
    sections: list[_FinalSection] = []
    first = 0
    for one in finalized:
        text, shown, tables, dropped = replace_chart_blocks(one.text, one.support, first)
        title, failures = one.draft["title"], []
        if tables:
            detail = f"{tables} charts of “{title}” could not be drawn and stand as tables."
            failures.append(make_degradation("chart_as_table", detail))
        if dropped:
            detail = f"{dropped} charts of “{title}” had numbers that their sources have not."
            failures.append(make_degradation("chart_dropped", detail))
        sections.append(replace(one, text=text, charts=shown, failures=failures))
        first += len(shown)
    return sections


def _cite(bound: _Binding, registry: dict[int, DocumentInfo], language: str) -> list[Citation]:
    """The citations of the new texts, without the stored text around their quotes. CPU work."""
    return [
        citation
        for place, one in bound.sections.items()
        for citation in build_citations(
            place,
            one.text,
            language,
            registry,
            [*one.sentences, *_check_captions(one)],
            {
                registry[bound.final[number]].id: source
                for number, source in one.support.items()
                if number in bound.final
            },
        )
    ]


def _merge_report(
    before: Report,
    bound: _Binding,
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
    ]
    conflicts = [
        one for one in before["conflicts"] if one["section"] not in new and one["number"] in numbers
    ]
    remarks = [one for one in before.get("remarks", []) if one["section"] not in new]
    charts = list(before["charts"])
    for place, one in new.items():
        remarks += build_remarks(place, bound.texts[place], one.sentences, bound.final)
        if before["sections"][place].get("kind") != "summary":  # which says what the others say
            conflicts += build_conflicts(place, one.sentences, one.support, bound.final, registry)
        charts += [_build_chart(place, chart, bound.final) for chart, _ in one.charts]
    return Report(
        **{
            **before,
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


def _merge_degradations(
    before: Report,
    state: ReportState,
    bound: _Binding,
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
    if not citations:
        who = "The revised section cites" if state["report"] else "The writer cited"
        entries.append(make_degradation("no_citations", f"{who} none of the sources."))
    return drop_duplicates(entries)


def _check_captions(one: _FinalSection) -> list[CheckedSentence]:
    """The captions of a section's charts, each supported by the numbers of its rows."""
    captions = []
    for chart, caption in one.charts:
        verdicts = {}
        for number in chart.numbers:
            rows = [row for row in chart.rows[1:] if row[-1] == f"[{number}]"]
            values = "; ".join(" ".join(row[:-1]) for row in rows)
            found = judge_claim(f"{chart.title}: {values}", one.support[number])
            kind: VerdictKind = "supported" if found.kind == "supported" else "partial"
            verdicts[number] = replace(found, kind=kind, reasons=())
        captions.append(CheckedSentence(Sentence(0, len(caption), "prose"), caption, verdicts))
    return captions


def _build_chart(section: int, chart: CheckedChart, final: dict[int, int]) -> Chart:
    return Chart(
        section=section,
        title=chart.title,
        spec=chart.spec or {},
        rows=[
            chart.rows[0],
            *([*row[:-1], renumber_markers(row[-1], final)] for row in chart.rows[1:]),
        ],
        numbers=[final[number] for number in chart.numbers],
    )


def _build_audit(
    report: Report, state: ReportState, bound: _Binding, described: dict[int, DocumentInfo]
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
            bound.texts, report["citations"], report.get("remarks", []), report["language"]
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
        + sum(call["input_tokens"] + call["output_tokens"] for call in state["calls"]),
        seconds=round(earlier["seconds"] + time.time() - state["started"], 1),
    )
