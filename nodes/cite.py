"""Number the citations once, tie each to the span that supports it, and bind the report."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.citing import citations_of, reference, usage_by_role
from nodes.run import degraded, library_of
from retrieval.citations import (
    cited_sentences,
    drop_repeated,
    normalise,
    order_of_appearance,
    renumber,
)
from retrieval.support import Support
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from schema.errors import ReportError
from schema.report import (
    Audit,
    Report,
    ReportSection,
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
    every = [*state["sources"], *(source for section in written for source in section["sources"])]
    documents = {source["number"]: source["document"] for source in every}
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
    normalised = [_normalised(section, documents) for section in written]
    texts, repeated = drop_repeated([text for text, _ in normalised], language)
    final = order_of_appearance(texts)
    registry = {new: described[documents[old]] for old, new in final.items()}
    numbered = [renumber(text, final) for text in texts]
    tied = [cited_sentences(text, language) for text in numbered]
    citations = [
        citation
        for index, section in enumerate(written)
        for citation in citations_of(
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
        references=[reference(number, document) for number, document in registry.items()],
        citations=citations,
        audit=Audit(
            sections=len(written),
            sections_failed=len(state["sections"]) - len(written),
            sentences=sum(map(len, tied)),
            sentences_cited=sum(bool(numbers) for found in tied for _, numbers in found),
            citations=len(citations),
            unknown_numbers_dropped=sum(dropped for _, dropped in normalised),
            repeated_sentences_dropped=repeated,
            sources_found=len(set(documents.values())),
            sources_cited=len(final),
            passages_found=len(state["pool"]),
        ),
        degraded=degradations,
        further_questions=state.get("further_questions") or [],
        usage=usage_by_role(state["calls"]),
    )


def _normalised(section: Section, documents: dict[int, int]) -> tuple[str, int]:
    """A section's text with the marks that its writer may use, and how many others it had.

    Deep searches of two sections may have found one document, each under a number of its own: the
    smaller one stands for it.
    """
    text, dropped = normalise(section["text"], {source["number"] for source in section["sources"]})
    first = {document: number for number, document in sorted(documents.items(), reverse=True)}
    one_each = {number: first[document] for number, document in documents.items()}
    return normalise(renumber(text, one_each), one_each)[0], dropped


def _support(section: Section, passages: dict[int, Passage], language: str) -> dict[int, Support]:
    """By document, the passages that the section's writer saw."""
    seen: defaultdict[int, list[Passage]] = defaultdict(list)
    for chunk in section["passages"]:
        if chunk in passages:
            seen[passages[chunk].document].append(passages[chunk])
    return {document: Support(found, language) for document, found in seen.items()}
