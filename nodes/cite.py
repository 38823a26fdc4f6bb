"""Number the citations once, tie each to the span that supports it, and bind the report."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from exports.markdown import report_markdown
from nodes.run import degraded, emit, library_of
from retrieval.citations import (
    cited_sentences,
    drop_repeated,
    normalise,
    order_of_appearance,
    renumber,
    without_marks,
)
from retrieval.support import Span, best_span
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from schema.errors import ReportError
from schema.events import ReportReady
from schema.report import (
    Audit,
    Citation,
    ModelCall,
    Reference,
    Report,
    ReportSection,
    RoleUsage,
    Section,
)
from schema.state import ReportState


async def cite(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Make the report out of the sections.

    Raises:
        ReportError: no section could be written.
    """
    library = await library_of(runtime)
    written = sorted((s for s in state["sections"] if s["text"]), key=lambda s: s["index"])
    if not written:
        reasons = "; ".join(dict.fromkeys(s.get("error", "") for s in state["sections"]))
        raise ReportError(f"No section could be written: {reasons}")
    documents = {source["number"]: source["document"] for source in state["sources"]}
    passages = await library.passages(sorted({c for s in written for c in s["passages"]}))
    described = await library.documents(sorted(documents.values()))
    report = await asyncio.to_thread(_bound, state, written, documents, passages, described)
    emit(
        runtime,
        ReportReady(
            type="report",
            title=report["title"],
            citations=len(report["citations"]),
            references=len(report["references"]),
        ),
    )
    return {"report": report, "messages": [AIMessage(report_markdown(report))]}


def _bound(
    state: ReportState,
    written: Sequence[Section],
    documents: dict[int, int],
    passages: dict[int, Passage],
    described: dict[int, DocumentInfo],
) -> Report:
    """Assemble the report. CPU work only.

    Args:
        state: the run.
        written: the sections that have a text, in order.
        documents: document by number of the run's registry.
        passages: what the writers saw.
        described: the pool's documents.
    """
    language = state["question"]["language"]
    seen = [_by_document(section, passages) for section in written]
    normalised = [
        normalise(section["text"], {source["number"] for source in section["sources"]})
        for section in written
    ]
    texts, repeated = drop_repeated([text for text, _ in normalised], language)
    final = order_of_appearance(texts)
    registry = {new: documents[old] for old, new in final.items()}
    citations: list[Citation] = []
    counted = cited = 0
    sections: list[ReportSection] = []
    for index, (section, text) in enumerate(zip(written, texts, strict=True)):
        numbered = renumber(text, final)
        sections.append(ReportSection(title=section["title"], text=numbered))
        tied = cited_sentences(numbered, language)
        counted += len(tied)
        cited += sum(bool(numbers) for _, numbers in tied)
        for sentence, numbers in tied:
            said = numbered[sentence.start : sentence.end]
            for number in numbers:
                document = described[registry[number]]
                span = best_span(without_marks(said), seen[index][document.id], language)
                citations += [_citation(index, said, number, document, span)] if span else []
    degradations = list(state["degraded"])
    if not citations:
        degradations.append(degraded("no_citations", "The writer cited none of the sources."))
    return Report(
        question=state["question"]["text"],
        title=state["outline"]["title"],
        language=language,
        sections=sections,
        references=[_reference(number, described[documents[old]]) for old, number in final.items()],
        citations=citations,
        audit=Audit(
            sections=len(sections),
            sections_failed=len(state["sections"]) - len(written),
            sentences=counted,
            sentences_cited=cited,
            citations=len(citations),
            unknown_numbers_dropped=sum(dropped for _, dropped in normalised),
            repeated_sentences_dropped=repeated,
            sources_found=len(documents),
            sources_cited=len(final),
            passages_found=len(state["pool"]),
        ),
        degraded=degradations,
        further_questions=state.get("further_questions") or [],
        usage=_usage(state["calls"]),
    )


def _by_document(section: Section, passages: dict[int, Passage]) -> dict[int, list[Passage]]:
    found: defaultdict[int, list[Passage]] = defaultdict(list)
    for chunk in section["passages"]:
        if chunk in passages:
            found[passages[chunk].document].append(passages[chunk])
    return found


def _citation(section: int, said: str, number: int, document: DocumentInfo, span: Span) -> Citation:
    return Citation(
        section=section,
        sentence=said,
        number=number,
        document=document.uri,
        start=span.start,
        end=span.end,
        quote=span.quote,
    )


def _reference(number: int, document: DocumentInfo) -> Reference:
    return Reference(
        number=number,
        title=document.title,
        author=document.author,
        site=document.site,
        url=document.url,
        published=document.published,
        accessed=document.fetched.date().isoformat(),
        excerpt=document.excerpt,
    )


def _usage(calls: Sequence[ModelCall]) -> dict[str, RoleUsage]:
    """Calls summed up by role; a role that used two models has a line for each."""
    usage: dict[str, RoleUsage] = {}
    for call in calls:
        key = call["role"]
        if key in usage and usage[key]["model"] != call["model"]:
            key = f"{call['role']} ({call['model']})"
        total = usage.setdefault(
            key,
            RoleUsage(model=call["model"], calls=0, input_tokens=0, output_tokens=0, seconds=0.0),
        )
        total["calls"] += 1
        total["input_tokens"] += call["input_tokens"]
        total["output_tokens"] += call["output_tokens"]
        total["seconds"] = round(total["seconds"] + call["seconds"], 3)
    return usage
