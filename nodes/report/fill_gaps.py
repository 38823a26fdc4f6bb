"""Look up what the sections say is missing, and what an expert would miss in them.

A writer sees passages, not pages: what it says the sources lack most often stands in the rest of
them. What is found joins the passages of the section, for the repair of its sentences.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from langgraph.runtime import Runtime

from citations.check import extract_claim
from citations.content_terms import count_common_terms, find_content_terms
from citations.edits import split_editable_sentences
from citations.gap_answers import SpokenOf, rate_passages
from citations.gap_phrases import find_missing_subject, find_pointer, speaks_of_absence
from citations.markers import find_markers
from connectors.registry import choose_connectors
from connectors.search_all import ConnectorResult, search_all, search_pages
from connectors.web_cache import SavedPages
from models.calls import Role
from nodes.common.citations import map_documents
from nodes.common.pointed_chunks import find_pointed_chunks
from nodes.common.run import get_context, get_deadline, get_library, is_extractive, make_source
from nodes.common.search_events import (
    collect_failures,
    count_searches,
    emit_answer,
    make_request,
)
from schema.context import Context
from schema.documents import DocumentInfo
from schema.editing import Lookup
from schema.gather import run_concurrently
from schema.report import Section
from schema.state import ReportState, ReportUpdate

MAX_GAPS, MAX_POINTS = 6, 6
"""Sentences of absence, and expected points, of a report that are looked up."""

SECONDS = 45.0
"""That all looking up takes at most; what was found by then counts."""

MAX_CHUNKS = 3
"""Passages that are kept of what was found for one of them."""

MIN_SUBJECT_WORDS = 2
"""Words of content of a subject; one with fewer is asked with its section's question."""


@dataclass(frozen=True)
class _Missing:
    """What a section lacks: by a sentence of it, or as an expected point.

    `pointer` is where the sentence says that it may stand, "" for nowhere.
    """

    section: int
    subject: str
    sentence: str = ""
    point: int = 0
    queries: tuple[str, ...] = ()
    pointer: str = ""


@dataclass
class _Findings:
    """What was found of each missing thing, and what the searches came to."""

    rated: dict[_Missing, list[SpokenOf]] = field(default_factory=dict)
    pointed: dict[_Missing, list[int]] = field(default_factory=dict)
    documents: dict[int, int] = field(default_factory=dict)
    answers: list[ConnectorResult] = field(default_factory=list)

    def list_open(self, missing: Iterable[_Missing]) -> list[_Missing]:
        return [one for one in missing if not self.rated.get(one)]


async def fill_gaps(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Look where sentences point and in the cited pages, then in the library, then live, once.

    Nothing is looked up for the extractive model, which has no second try.
    """
    context, language = get_context(runtime), state["question"]["language"]
    if is_extractive(Role.from_choice("writer", context.writer_model).model):
        return {}
    missing = await asyncio.to_thread(_collect_missing, state, language)
    if not missing:
        return {}
    found = _Findings()
    seconds = min(SECONDS, get_deadline(state, runtime) - time.monotonic())
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            await _look_up(missing, found, state, runtime)
    except TimeoutError:
        pass  # what was found by then counts
    return await _hand_over(found, state, runtime)


def _collect_missing(state: ReportState, language: str) -> list[_Missing]:
    """The sentences of absence of all sections, and the points that no section answers."""
    plan = state["outline"]["sections"]
    gaps: list[_Missing] = []
    for draft in state["drafts"]:
        questions = plan[draft["index"]]["questions"]
        gaps += [
            _describe_gap(draft, said, questions, language)
            for said in split_editable_sentences(draft["text"], language)
            if speaks_of_absence(said, language)
        ]
    points = []
    for number in state.get("uncovered", [])[:MAX_POINTS]:
        subject = state["question"].get("points", [])[number - 1]
        section = _find_section(subject, state["drafts"], language)
        points.append(_Missing(section, subject, point=number, queries=(subject,)))
    return [*gaps[:MAX_GAPS], *points]


def _describe_gap(draft: Section, said: str, questions: Sequence[str], language: str) -> _Missing:
    """A sentence of absence with its subject, and the section's question that it speaks of."""
    subject = find_missing_subject(extract_claim(said), language)
    asked = max(questions, key=lambda one: count_common_terms(one, said, language), default="")
    related = bool(asked and count_common_terms(asked, said, language))
    if len(find_content_terms(subject, language)) < MIN_SUBJECT_WORDS:
        subject = f"{subject} {asked or draft['title']}".strip()
    queries = (subject, asked) if related else (subject,)
    pointer = find_pointer(said, language)
    return _Missing(
        draft["index"], subject, said, queries=tuple(dict.fromkeys(queries)), pointer=pointer
    )


def _find_section(subject: str, drafts: Sequence[Section], language: str) -> int:
    """The index of the section that a point belongs to: the one that shares most words with it."""
    best = max(
        drafts,
        key=lambda one: count_common_terms(subject, f"{one['title']}\n{one['text']}", language),
    )
    return best["index"]


async def _look_up(
    missing: Sequence[_Missing], found: _Findings, state: ReportState, runtime: Runtime[Context]
) -> None:
    """Fill in the findings, place by place, until all is found or asked."""
    context, library = get_context(runtime), await get_library(runtime)
    request = make_request(state, runtime, library)
    await _follow_pointers(missing, found, state, runtime)
    pages = await _list_cited_pages(state, runtime)
    if pages.documents:
        whole = replace(request, limit=max(request.limit, 2 * MAX_CHUNKS))
        answers = await run_concurrently(
            search_pages("cited pages", query, pages, whole)
            for one in missing
            for query in one.queries
        )
        await _rate(missing, answers, found, state, runtime)
    connectors = choose_connectors(
        context.connectors, paths=bool(context.paths), fresh=context.fresh
    )
    for kind in ("indexed", "live"):
        still_open = found.list_open(missing)
        asked = list(dict.fromkeys(one.subject for one in still_open))
        chosen = [one for one in connectors if one.kind == kind]
        if asked and chosen:
            answers = await search_all(
                chosen, asked, request, lambda one: emit_answer(runtime, one)
            )
            found.answers += answers
            await _rate(still_open, answers, found, state, runtime)


async def _follow_pointers(
    missing: Sequence[_Missing], found: _Findings, state: ReportState, runtime: Runtime[Context]
) -> None:
    """Keep the passages that sentences point to in the pages that their section was shown."""
    library = await get_library(runtime)
    shown = {one["index"]: [page["document"] for page in one["sources"]] for one in state["drafts"]}
    for one in missing:
        chunks = await find_pointed_chunks(one.pointer, shown[one.section], library)
        found.pointed[one] = list(chunks)
        found.documents |= chunks
    await _rate(missing, [], found, state, runtime)


async def _list_cited_pages(state: ReportState, runtime: Runtime[Context]) -> SavedPages:
    """The documents that the drafts cite."""
    library = await get_library(runtime)
    documents = map_documents(state["sources"], state["drafts"])
    cited = {documents[n] for one in state["drafts"] for n in find_markers(one["text"])}
    described = await library.load_documents(sorted(cited))
    own = frozenset(info.id for info in described.values() if info.space == library.space)
    return SavedPages({info.uri: info.id for info in described.values()}, own)


async def _rate(
    missing: Sequence[_Missing],
    answers: Sequence[ConnectorResult],
    found: _Findings,
    state: ReportState,
    runtime: Runtime[Context],
) -> None:
    """Keep of what was found for each missing thing the passages that speak of it."""
    library, language = await get_library(runtime), state["question"]["language"]
    hits = [hit for answered in answers for hit in answered.hits]
    found.documents |= {hit.chunk: hit.document for hit in hits}
    pointed = {chunk for one in missing for chunk in found.pointed.get(one, [])}
    passages = await library.load_passages(list({hit.chunk for hit in hits} | pointed))
    described = await library.load_documents(list({one.document for one in passages.values()}))
    for one in missing:
        asked = [
            answered for answered in answers if answered.question in (*one.queries, one.subject)
        ]
        hit_chunks = (hit.chunk for answered in asked for hit in answered.hits)
        chunks = dict.fromkeys([*found.pointed.get(one, []), *hit_chunks])
        known = [passages[chunk] for chunk in chunks if chunk in passages]
        titles = [described[passage.document].title for passage in known]
        rated = await asyncio.to_thread(rate_passages, one.subject, known, language, titles)
        if rated:  # what the sentence itself points to stands before what words find
            rated.sort(key=lambda spoken: spoken.chunk not in found.pointed.get(one, []))
            found.rated[one] = rated[:MAX_CHUNKS]


async def _hand_over(
    found: _Findings, state: ReportState, runtime: Runtime[Context]
) -> ReportUpdate:
    """The findings for the repairs, and the drafts with what was found among their passages."""
    documents = map_documents(state["sources"], state["drafts"])
    numbers = {document: number for number, document in sorted(documents.items(), reverse=True)}
    last = max(documents, default=0)
    chunks = [spoken.chunk for rated in found.rated.values() for spoken in rated]
    described = await (await get_library(runtime)).load_documents(
        list({found.documents[chunk] for chunk in chunks})
    )
    new = [one for one in described if one not in numbers]
    numbers |= {document: last + step for step, document in enumerate(new, start=1)}
    drafts = [
        _add_passages(
            draft,
            [
                spoken.chunk
                for one, rated in found.rated.items()
                if one.section == draft["index"]
                for spoken in rated
            ],
            found.documents,
            numbers,
            described,
        )
        for draft in state["drafts"]
    ]
    return {
        "drafts": drafts,
        "lookups": [
            Lookup(
                section=one.section,
                sentence=one.sentence,
                point=one.point,
                subject=one.subject,
                chunks=[spoken.chunk for spoken in rated],
                answered=any(spoken.is_clear for spoken in rated),
            )
            for one, rated in found.rated.items()
        ],
        "spent": count_searches(found.answers),
        "degraded": collect_failures(found.answers),
    }


def _add_passages(
    draft: Section,
    chunks: Sequence[int],
    documents: dict[int, int],
    numbers: dict[int, int],
    described: dict[int, DocumentInfo],
) -> Section:
    """A draft with further passages, and the sources that they are of."""
    held = {source["document"] for source in draft["sources"]}
    new = dict.fromkeys(documents[chunk] for chunk in chunks if documents[chunk] not in held)
    return Section(
        **{
            **draft,
            "sources": [
                *draft["sources"],
                *(make_source(numbers[document], described[document]) for document in new),
            ],
            "passages": list(dict.fromkeys([*draft["passages"], *chunks])),
        }
    )
