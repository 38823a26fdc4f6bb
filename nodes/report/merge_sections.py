"""Bring the sections together: one form of markers, one number a source, no sentence twice."""

import asyncio

from langgraph.runtime import Runtime

from citations.markers import drop_repeated_sentences, normalise_markers, renumber_markers
from nodes.common.citations import map_documents
from nodes.common.run import overwrite
from schema.context import Context
from schema.editing import Counts
from schema.error_text import join_sentences
from schema.errors import ReportError
from schema.report import Section, Source
from schema.state import ReportState, ReportUpdate


async def merge_sections(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:  # noqa: ARG001
    """Make drafts of the sections that were written.

    Raises:
        ReportError: no section could be written.
    """
    written = sorted((s for s in state["sections"] if s["text"]), key=lambda s: s["index"])
    if not written:
        reasons = join_sentences(section.get("error", "") for section in state["sections"])
        raise ReportError(f"No section could be written: {reasons}.")
    documents = map_documents(state["sources"], written)
    drafts, counts = await asyncio.to_thread(
        _make_drafts, written, documents, state["question"]["language"]
    )
    return {
        "drafts": drafts,
        "uncovered": [],
        "lookups": [],
        "repair_inputs": [],
        "repairs": overwrite([]),
        "judgements": [],
        "citation_checks": 0,
        "counts": counts,
    }


def _make_drafts(
    written: list[Section], documents: dict[int, int], language: str
) -> tuple[list[Section], Counts]:
    normalised = [_normalise_section(section, documents) for section in written]
    texts, repeated = drop_repeated_sentences([text for text, _ in normalised], language)
    first = _map_first_numbers(documents)
    drafts = [
        Section(**{**one, "text": text, "sources": _renumber_sources(one["sources"], first)})
        for one, text in zip(written, texts, strict=True)
    ]
    return drafts, Counts(
        unknown_numbers_dropped=sum(dropped for _, dropped in normalised),
        repeated_sentences_dropped=repeated,
        sentences_revised=0,
        sentences_repaired=0,
        points_expected=0,
        points_covered=0,
    )


def _normalise_section(section: Section, documents: dict[int, int]) -> tuple[str, int]:
    """A section's text with the markers that its writer may use, and how many others it had.

    Deep searches of two sections may have found one document, each under a number of its own: the
    smaller one stands for it.
    """
    text, dropped = normalise_markers(
        section["text"], {source["number"] for source in section["sources"]}
    )
    first = _map_first_numbers(documents)
    one_each = {number: first[document] for number, document in documents.items()}
    return normalise_markers(renumber_markers(text, one_each), one_each)[0], dropped


def _map_first_numbers(documents: dict[int, int]) -> dict[int, int]:
    """The smallest number of each document."""
    return {document: number for number, document in sorted(documents.items(), reverse=True)}


def _renumber_sources(sources: list[Source], first: dict[int, int]) -> list[Source]:
    return [Source(**{**source, "number": first[source["document"]]}) for source in sources]
