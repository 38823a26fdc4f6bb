"""Bring the sections together: one form of marks, one number a source, nothing said twice."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from nodes.citing import numbers_of
from retrieval.citations import drop_repeated, normalise, renumber
from schema.context import Context
from schema.errors import ReportError
from schema.faults import joined
from schema.report import Section, Source
from schema.revising import Counts
from schema.state import ReportState


async def assemble(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:  # noqa: ARG001
    """Make drafts of the sections that were written.

    Raises:
        ReportError: no section could be written.
    """
    written = sorted((s for s in state["sections"] if s["text"]), key=lambda s: s["index"])
    if not written:
        reasons = joined(section.get("error", "") for section in state["sections"])
        raise ReportError(f"No section could be written: {reasons}.")
    documents = numbers_of(state["sources"], written)
    drafts, counts = await asyncio.to_thread(
        _drafts, written, documents, state["question"]["language"]
    )
    return {
        "drafts": drafts,
        "failing": [],
        "repairs": Overwrite([]),
        "judged": [],
        "proofs": 0,
        "counts": counts,
    }


def _drafts(
    written: list[Section], documents: dict[int, int], language: str
) -> tuple[list[Section], Counts]:
    normalised = [_normalised(section, documents) for section in written]
    texts, repeated = drop_repeated([text for text, _ in normalised], language)
    first = _first(documents)
    drafts = [
        Section(**{**one, "text": text, "sources": _renamed(one["sources"], first)})
        for one, text in zip(written, texts, strict=True)
    ]
    return drafts, Counts(
        unknown_numbers_dropped=sum(dropped for _, dropped in normalised),
        repeated_sentences_dropped=repeated,
        sentences_revised=0,
        sentences_repaired=0,
    )


def _normalised(section: Section, documents: dict[int, int]) -> tuple[str, int]:
    """A section's text with the marks that its writer may use, and how many others it had.

    Deep searches of two sections may have found one document, each under a number of its own: the
    smaller one stands for it.
    """
    text, dropped = normalise(section["text"], {source["number"] for source in section["sources"]})
    first = _first(documents)
    one_each = {number: first[document] for number, document in documents.items()}
    return normalise(renumber(text, one_each), one_each)[0], dropped


def _first(documents: dict[int, int]) -> dict[int, int]:
    """The smallest number of each document."""
    return {document: number for number, document in sorted(documents.items(), reverse=True)}


def _renamed(sources: list[Source], first: dict[int, int]) -> list[Source]:
    return [Source(**{**source, "number": first[source["document"]]}) for source in sources]
