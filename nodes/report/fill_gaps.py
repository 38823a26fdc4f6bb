"""Look up what the sections say is missing, and what an expert would miss in them.

A writer sees passages, not pages: what it says the sources lack most often stands in the rest of
them. What is found joins the passages of the section, for the repair of its sentences.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from langgraph.runtime import Runtime

from citations.gap_answers import rate_passages
from citations.markers import find_markers
from connectors.registry import choose_connectors
from connectors.search_all import search_all, search_pages
from connectors.web_cache import SavedPages
from models.calls import Role
from nodes.common.citations import map_documents
from nodes.common.definitions import find_definitions
from nodes.common.gap_findings import MAX_CHUNKS, Findings, Missing
from nodes.common.missing_points import collect_missing, merge_gaps
from nodes.common.pointed_chunks import PointedPart, choose_pointed_chunks, find_pointed_parts
from nodes.common.run import get_context, get_deadline, get_library, is_extractive, make_source
from nodes.common.search_events import (
    collect_failures,
    count_searches,
    emit_answer,
    make_request,
)
from nodes.common.told_elsewhere import find_told
from retrieval.passages.listings import tell_listing
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from schema.editing import Lookup
from schema.gather import run_concurrently
from schema.report import Section
from schema.state import ReportState, ReportUpdate

SECONDS = 45.0
"""That all looking up takes at most; what was found by then counts."""


async def fill_gaps(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Look where sentences point and in the cited pages, then in the library, then live, once.

    Nothing is looked up for the extractive model, which has no second try.
    """
    context, language = get_context(runtime), state["question"]["language"]
    if is_extractive(Role.from_choice("writer", context.writer_model).model):
        return {}
    drafts = await asyncio.to_thread(
        lambda: [merge_gaps(draft, language) for draft in state["drafts"]]
    )
    missing = await asyncio.to_thread(collect_missing, state, drafts, language)
    if not missing:
        return {}
    found = Findings()
    state = ReportState(**{**state, "drafts": drafts})
    seconds = min(SECONDS, get_deadline(state, runtime) - time.monotonic())
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            await _look_up(missing, found, state, runtime)
    except TimeoutError:
        pass  # what was found by then counts
    return await _hand_over(missing, found, state, runtime)


async def _look_up(
    missing: Sequence[Missing], found: Findings, state: ReportState, runtime: Runtime[Context]
) -> None:
    """Fill in the findings, place by place, until all is found or asked."""
    context, library = get_context(runtime), await get_library(runtime)
    request = make_request(state, runtime, library)
    await _read_other_sections(missing, found, state, runtime)
    await _follow_pointers(missing, found, state, runtime)
    await _read_definitions(missing, found, state, runtime)
    await _rate(missing, found, state, runtime)
    pages = await _list_cited_pages(state, runtime)
    if pages.documents:
        whole = replace(request, limit=max(request.limit, 2 * MAX_CHUNKS))
        queries = dict.fromkeys(query for one in missing for query in one.queries)
        answers = await run_concurrently(
            search_pages("cited pages", query, pages, whole) for query in queries
        )
        found.add(answers)
        await _rate(missing, found, state, runtime)
    connectors = choose_connectors(
        context.connectors, paths=bool(context.paths), fresh=context.fresh
    )
    for kind in ("indexed", "live"):
        still_open = [one for one in missing if not found.is_spoken_of(one)]
        # pages that the section has not seen may tell it better, and to ask them costs nothing
        gaps = [one for one in missing if one.sentence] if kind == "indexed" else []
        asked = [
            *(query for one in gaps for query in one.queries),
            *(one.subject for one in still_open),
        ]
        chosen = [one for one in connectors if one.kind == kind]
        if asked and chosen:
            answers = await search_all(
                chosen, list(dict.fromkeys(asked)), request, lambda one: emit_answer(runtime, one)
            )
            found.answers += answers
            found.add(answers)
            await _rate(missing, found, state, runtime)


async def _read_other_sections(
    missing: Sequence[Missing], found: Findings, state: ReportState, runtime: Runtime[Context]
) -> None:
    """Keep what other sections say of the missing things, and what they were shown."""
    library, drafts = await get_library(runtime), state["drafts"]
    language = state["question"]["language"]
    passages = await library.load_passages(sorted({c for one in drafts for c in one["passages"]}))
    found.documents |= {chunk: one.document for chunk, one in passages.items()}
    for one in missing:
        found.shown[one] = [
            chunk
            for draft in drafts
            if draft["index"] != one.section
            for chunk in draft["passages"]
            if chunk in passages
        ]
        told = await asyncio.to_thread(find_told, one, drafts, passages, language)
        if told:
            found.told[one] = told


async def _follow_pointers(
    missing: Sequence[Missing], found: Findings, state: ReportState, runtime: Runtime[Context]
) -> None:
    """Keep the parts that sentences point to, of the pages of their section, else of all.

    A part that several gaps of a section point to is read once for all of them.
    """
    library = await get_library(runtime)
    shown = {one["index"]: [page["document"] for page in one["sources"]] for one in state["drafts"]}
    every = list(dict.fromkeys(chain.from_iterable(shown.values())))
    asked: defaultdict[tuple[int, PointedPart], list[Missing]] = defaultdict(list)
    for one in missing:
        parts = await find_pointed_parts(one.pointer, shown[one.section], library)
        for part in parts or await find_pointed_parts(one.pointer, every, library):
            asked[one.section, part].append(one)
    for (_, part), gaps in asked.items():
        chunks = await choose_pointed_chunks(part, [one.subject for one in gaps], library)
        found.documents |= dict.fromkeys(chunks, part.document)
        for one in gaps:
            found.pointed.setdefault(one, []).extend(chunks)


async def _read_definitions(
    missing: Sequence[Missing], found: Findings, state: ReportState, runtime: Runtime[Context]
) -> None:
    """Keep the passages that define what is missing by name, of the pages that were shown."""
    library = await get_library(runtime)
    shown = [page["document"] for one in state["drafts"] for page in one["sources"]]
    documents, subjects = list(dict.fromkeys(shown)), [one.subject for one in missing]
    defining = await find_definitions(subjects, documents, library)
    for one, passages in zip(missing, defining, strict=True):
        found.documents |= {passage.chunk: passage.document for passage in passages}
        found.pointed.setdefault(one, []).extend(passage.chunk for passage in passages)


async def _list_cited_pages(state: ReportState, runtime: Runtime[Context]) -> SavedPages:
    """The documents that the drafts cite."""
    library = await get_library(runtime)
    documents = map_documents(state["sources"], state["drafts"])
    cited = {documents[n] for one in state["drafts"] for n in find_markers(one["text"])}
    described = await library.load_documents(sorted(cited))
    own = frozenset(info.id for info in described.values() if info.space == library.space)
    return SavedPages({info.uri: info.id for info in described.values()}, own)


async def _rate(
    missing: Sequence[Missing],
    found: Findings,
    state: ReportState,
    runtime: Runtime[Context],
) -> None:
    """Say of what was found since for each missing thing how far its words speak of it."""
    library, language = await get_library(runtime), state["question"]["language"]
    new = {one: found.list_unrated(one) for one in missing}
    passages = await library.load_passages(sorted(set(chain.from_iterable(new.values()))))
    described = await library.load_documents(list({one.document for one in passages.values()}))
    titles = {n: info.title for n, info in described.items()}
    found.listings |= await asyncio.to_thread(_find_listings, passages, titles)
    for one, chunks in new.items():
        known = [passages[n] for n in chunks if n in passages and n not in found.listings]
        above = [titles[passage.document] for passage in known]
        dates = [described[passage.document].published for passage in known]
        rated = [
            await asyncio.to_thread(rate_passages, part, known, language, above, dates)
            for part in one.parts or (one.subject,)
        ]
        if not one.is_exact:
            rated = [[replace(spoken, is_clear=False) for spoken in part] for part in rated]
        found.add_ratings(one, rated)


def _find_listings(passages: dict[int, Passage], titles: dict[int, str]) -> set[int]:
    """The chunks that hold the words of every question and answer none."""
    return {
        chunk
        for chunk, one in passages.items()
        if tell_listing(one, titles[one.document]) in ("contents", "index", "links")
    }


async def _hand_over(
    missing: Sequence[Missing],
    found: Findings,
    state: ReportState,
    runtime: Runtime[Context],
) -> ReportUpdate:
    """The findings for the repairs, and the drafts with what was found among their passages."""
    documents = map_documents(state["sources"], state["drafts"])
    numbers = {document: number for number, document in sorted(documents.items(), reverse=True)}
    last = max(documents, default=0)
    drafts = {draft["index"]: draft for draft in state["drafts"]}
    chosen = {
        one: chunks for one in missing if (chunks := found.choose_chunks(one, drafts[one.section]))
    }
    chunks = [chunk for kept in chosen.values() for chunk in kept]
    described = await (await get_library(runtime)).load_documents(
        list({found.documents[chunk] for chunk in chunks})
    )
    new = [one for one in described if one not in numbers]
    numbers |= {document: last + step for step, document in enumerate(new, start=1)}
    return {
        "drafts": [
            _add_passages(
                draft,
                [c for one in chosen if one.section == draft["index"] for c in chosen[one]],
                found.documents,
                numbers,
                described,
            )
            for draft in state["drafts"]
        ],
        "lookups": [
            Lookup(
                section=one.section,
                sentence=one.sentence,
                point=one.point,
                subject=one.subject,
                chunks=kept,
                answered=found.is_answered(one, kept),
                spoken_of=found.may_be_told(one),
                told=found.told[one].said if one in found.told else "",
            )
            for one, kept in chosen.items()
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
