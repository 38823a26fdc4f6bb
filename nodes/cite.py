"""Number the citations once, tie each to the span that supports it, and bind the report."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.run import degraded, library_of
from retrieval.citations import (
    cited_sentences,
    drop_repeated,
    normalise,
    order_of_appearance,
    renumber,
    without_marks,
)
from retrieval.sentences import Sentence
from retrieval.support import Support
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from schema.errors import ReportError
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
    return {
        "report": await asyncio.to_thread(_bound, state, written, documents, passages, described)
    }


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
    normalised = [normalise(section["text"], _numbers(section)) for section in written]
    texts, repeated = drop_repeated([text for text, _ in normalised], language)
    final = order_of_appearance(texts)
    registry = {new: described[documents[old]] for old, new in final.items()}
    numbered = [renumber(text, final) for text in texts]
    tied = [cited_sentences(text, language) for text in numbered]
    citations = [
        citation
        for index, section in enumerate(written)
        for citation in _citations(
            index, numbered[index], tied[index], registry, _support(section, passages, language)
        )
    ]
    # six sections without a reranker say so once
    degradations = list({entry["detail"]: entry for entry in state["degraded"]}.values())
    if not citations:
        degradations.append(degraded("no_citations", "The writer cited none of the sources."))
    return Report(
        question=state["question"]["text"],
        title=state["outline"]["title"],
        language=language,
        sections=[
            ReportSection(title=section["title"], text=text)
            for section, text in zip(written, numbered, strict=True)
        ],
        references=[_reference(number, document) for number, document in registry.items()],
        citations=citations,
        audit=Audit(
            sections=len(written),
            sections_failed=len(state["sections"]) - len(written),
            sentences=sum(map(len, tied)),
            sentences_cited=sum(bool(numbers) for found in tied for _, numbers in found),
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


def _numbers(section: Section) -> set[int]:
    """The numbers that the section's writer was shown."""
    return {source["number"] for source in section["sources"]}


def _support(section: Section, passages: dict[int, Passage], language: str) -> dict[int, Support]:
    """By document, the passages that the section's writer saw."""
    seen: defaultdict[int, list[Passage]] = defaultdict(list)
    for chunk in section["passages"]:
        if chunk in passages:
            seen[passages[chunk].document].append(passages[chunk])
    return {document: Support(found, language) for document, found in seen.items()}


def _citations(
    index: int,
    text: str,
    tied: Sequence[tuple[Sentence, list[int]]],
    registry: dict[int, DocumentInfo],
    support: dict[int, Support],
) -> Iterator[Citation]:
    """A citation for each mark of each sentence of one section."""
    for sentence, numbers in tied:
        said = text[sentence.start : sentence.end]
        for number in numbers:
            document = registry[number]
            seen = support.get(document.id)
            if span := seen and seen.best_span(without_marks(said)):
                yield Citation(
                    section=index,
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
        reachable=None,
        checked="",
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
