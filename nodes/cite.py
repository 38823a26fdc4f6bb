"""Bind the report: what could not be proven is cut or marked, citations are numbered once."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.runtime import Runtime

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
from nodes.run import degraded, distinct, library_of
from retrieval.charts import Drawn, placed
from retrieval.citations import order_of_appearance, renumber
from retrieval.proof import Proven, proven, settled
from retrieval.sentences import Sentence
from retrieval.support import Support
from retrieval.verdicts import verdict
from schema.context import Context
from schema.documents import DocumentInfo
from schema.report import (
    Audit,
    Chart,
    Citation,
    Degraded,
    Report,
    ReportSection,
    Section,
    VerdictKind,
)
from schema.state import ReportState


@dataclass(frozen=True)
class _Bound:
    """A section whose text is final, but for the numbers of its marks."""

    draft: Section
    text: str
    found: list[Proven]
    read: dict[int, Support]
    cut: int
    charts: list[tuple[Drawn, str]] = field(default_factory=list)
    lost: list[Degraded] = field(default_factory=list)


async def cite(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Make the report out of the drafts."""
    library, drafts = await library_of(runtime), state["drafts"]
    language = state["question"]["language"]
    documents = numbers_of(state["sources"], drafts)
    read = await read_by_section(library, drafts, language)
    described = await library.documents(sorted(set(documents.values())))

    def bound() -> tuple[list[_Bound], Report, dict[int, DocumentInfo]]:
        sections = _with_charts(_settled(*one, state) for one in zip(drafts, read, strict=True))
        final = order_of_appearance(one.text for one in sections)
        registry = {new: described[documents[old]] for old, new in final.items()}
        return sections, _report(state, sections, final, registry), registry

    sections, report, registry = await asyncio.to_thread(bound)
    citations = await with_context(library, report["citations"], registry)
    audit = _audit(state, sections, citations, described, len(registry))
    return {"report": Report(**{**report, "citations": citations, "audit": audit})}


def _settled(draft: Section, read: dict[int, Support], state: ReportState) -> _Bound:
    language = state["question"]["language"]
    found = with_judgements(proven(draft["text"], read, language), state["judged"])
    text, kept = settled(draft["text"], found)
    return _Bound(draft, text, kept, read, len(found) - len(kept))


def _with_charts(settled_ones: Iterable[_Bound]) -> list[_Bound]:
    """The sections with their charts in the places of their blocks, numbered through the report."""
    sections: list[_Bound] = []
    first = 0
    for one in settled_ones:
        text, shown, tables, dropped = placed(one.text, one.read, first)
        title, lost = one.draft["title"], []
        if tables:
            detail = f"{tables} charts of “{title}” could not be drawn and stand as tables."
            lost.append(degraded("chart_as_table", detail))
        if dropped:
            detail = f"{dropped} charts of “{title}” had numbers that their sources have not."
            lost.append(degraded("chart_dropped", detail))
        sections.append(replace(one, text=text, charts=shown, lost=lost))
        first += len(shown)
    return sections


def _report(
    state: ReportState,
    sections: Sequence[_Bound],
    final: dict[int, int],
    registry: dict[int, DocumentInfo],
) -> Report:
    """The report without its audit. CPU work only.

    Args:
        state: the run.
        sections: in order.
        final: number in the reference list by number in the run.
        registry: the document of each number in the reference list.
    """
    language = state["question"]["language"]
    texts = [renumber(one.text, final) for one in sections]
    citations = [
        citation
        for index, one in enumerate(sections)
        for citation in citations_of(
            index,
            texts[index],
            language,
            registry,
            [*one.found, *_captions(one)],
            {registry[final[n]].id: source for n, source in one.read.items() if n in final},
        )
    ]
    # six sections without a reranker say so once
    every = [*state["degraded"], *(entry for one in sections for entry in one.lost)]
    degradations = distinct(every)
    if not citations:
        degradations.append(degraded("no_citations", "The writer cited none of the sources."))
    return Report(
        question=state["question"]["text"],
        title=state["outline"]["title"],
        language=language,
        sections=[
            ReportSection(title=one.draft["title"], text=text)
            for one, text in zip(sections, texts, strict=True)
        ],
        references=[reference(number, document) for number, document in registry.items()],
        citations=citations,
        conflicts=[
            conflict
            for index, one in enumerate(sections)
            for conflict in conflicts_of(index, one.found, one.read, final, registry)
        ],
        charts=[
            _chart(index, chart, final)
            for index, one in enumerate(sections)
            for chart, _ in one.charts
        ],
        audit=Audit(),  # type: ignore[typeddict-item]  # counted when all else stands
        degraded=degradations,
        further_questions=state.get("further_questions") or [],
        usage=usage_by_role(state["calls"]),
    )


def _captions(one: _Bound) -> list[Proven]:
    """The captions of a section's charts, each borne out by the numbers of its rows."""
    captions = []
    for chart, caption in one.charts:
        verdicts = {}
        for number in chart.numbers:
            rows = [row for row in chart.rows[1:] if row[-1] == f"[{number}]"]
            told = "; ".join(" ".join(row[:-1]) for row in rows)
            found = verdict(f"{chart.title}: {told}", one.read[number])
            kind: VerdictKind = "supported" if found.kind == "supported" else "partial"
            verdicts[number] = replace(found, kind=kind, reasons=())
        captions.append(Proven(Sentence(0, len(caption), "prose"), caption, verdicts))
    return captions


def _chart(section: int, chart: Drawn, final: dict[int, int]) -> Chart:
    return Chart(
        section=section,
        title=chart.title,
        spec=chart.spec or {},
        rows=[chart.rows[0], *([*row[:-1], renumber(row[-1], final)] for row in chart.rows[1:])],
        numbers=[final[number] for number in chart.numbers],
    )


def _audit(
    state: ReportState,
    sections: Sequence[_Bound],
    citations: Sequence[Citation],
    described: dict[int, DocumentInfo],
    cited: int,
) -> Audit:
    stating = [sentence for one in sections for sentence in one.found]
    with_source = sum(bool(sentence.verdicts) for sentence in stating)
    tokens = sum(call["input_tokens"] + call["output_tokens"] for call in state["calls"])
    return Audit(
        sections=len(sections),
        sections_failed=len(state["sections"]) - len(sections),
        **totals(citations, len(stating), with_source),
        unknown_numbers_dropped=state["counts"]["unknown_numbers_dropped"],
        repeated_sentences_dropped=state["counts"]["repeated_sentences_dropped"],
        sentences_revised=state["counts"]["sentences_revised"],
        sentences_repaired=state["counts"]["sentences_repaired"],
        sentences_cut=sum(one.cut for one in sections),
        sources_found=len(described),
        sources_read=sum(not document.excerpt for document in described.values()),
        sources_cited=cited,
        passages_found=len(state["pool"]),
        searches=state["spent"]["searches"],
        pages_read=state["spent"]["pages"],
        tokens=tokens,
        seconds=round(time.time() - state["started"], 1),
    )
