"""Bring the sections together: one form of markers, one number a source, no sentence twice."""

import asyncio

from langgraph.runtime import Runtime

from citations.markers import drop_repeated_sentences, normalise_markers, renumber_markers
from models.calls import Role
from models.extractive.relevance import find_off_topic
from nodes.common.citations import map_documents
from nodes.common.run import get_context, is_extractive, make_degradation, overwrite
from schema.context import Context
from schema.editing import Counts
from schema.error_text import join_sentences
from schema.errors import ReportError
from schema.report import Degradation, Section, Source
from schema.state import Question, ReportState, ReportUpdate
from schema.summary import SUMMARY_INDEX


async def merge_sections(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Make drafts of the sections that were written.

    The extractive model takes what the sources have of a section's title, even where that has
    nothing to do with the question: such a section is left out, and a code says so.

    Raises:
        ReportError: no section could be written.
    """
    written = sorted((s for s in state["sections"] if s["text"]), key=lambda s: s["index"])
    if not written:
        reasons = join_sentences(section.get("error", "") for section in state["sections"])
        raise ReportError(f"No section could be written: {reasons}.")
    question = state["question"]
    problems: list[Degradation] = []
    if not state.get("report") and is_extractive(
        Role.from_choice("writer", get_context(runtime).writer_model).model
    ):
        written, problems = await asyncio.to_thread(_drop_off_topic, written, question)
    documents = map_documents(state["sources"], written)
    drafts, counts = await asyncio.to_thread(_make_drafts, written, documents, question["language"])
    return {
        "degraded": problems,
        "drafts": drafts,
        "uncovered": [],
        "lookups": [],
        "repair_inputs": [],
        "repairs": overwrite([]),
        "judgements": [],
        "citation_checks": 0,
        "counts": counts,
    }


def _drop_off_topic(
    written: list[Section], question: Question
) -> tuple[list[Section], list[Degradation]]:
    """The sections that share a word with the question, and what is said of the others."""
    texts = [section["text"] for section in written]
    off = find_off_topic(texts, question["text"], question["language"])
    problems = [
        make_degradation(
            "section_off_topic",
            f"The section “{written[place]['title']}” was left out: none of its sentences has a "
            "word of the question.",
        )
        for place in sorted(off)
    ]
    return [one for place, one in enumerate(written) if place not in off], problems


def _make_drafts(
    written: list[Section], documents: dict[int, int], language: str
) -> tuple[list[Section], Counts]:
    normalised = [_normalise_section(section, documents) for section in written]
    texts = [text for text, _ in normalised]
    own = [n for n, one in enumerate(written) if one["index"] != SUMMARY_INDEX]  # that repeats all
    kept, repeated = drop_repeated_sentences([texts[n] for n in own], language)
    for n, text in zip(own, kept, strict=True):
        texts[n] = text
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
