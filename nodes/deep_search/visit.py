"""Visit: read pages concurrently; take up the relevant passages and the links."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime

from connectors.page_fetcher import FetchedDocument, fetch_page
from connectors.web_cache import save_pages
from library.journal import Journal
from library.library import Library
from models.embeddings import Embedder, get_embedder
from models.rerank import rerank_texts
from nodes.common.run import get_context, get_journal, get_library
from nodes.deep_search.evidence import (
    StepCost,
    TextSpan,
    add_evidence,
    compute_research_budget,
    get_current_question,
    record_step,
)
from nodes.deep_search.task_queue import advance_queue
from retrieval.passages.snippets import SnippetPicker
from retrieval.web import frontier
from retrieval.web.canonical_url import normalise_url
from schema.context import Context
from schema.deep_search import DeepSearchState, DeepSearchUpdate, Page
from schema.error_text import join_sentences
from schema.errors import ConnectorError, ModelUnavailableError
from schema.gather import run_concurrently

PAGE_SECONDS = 20.0
"""Deadline of one page."""

SNIPPET_CHARACTERS = 4_000
"""Of the snippets of one page; a shorter page is taken whole."""

MAX_LINKS = 30
"""Of one page that are considered."""

WHOLE_TEXT = 2**31 - 1
"""As many characters as a text may have."""

MAX_UNITS = 200
"""Units of a page that an embedding model is asked about: 160,000 characters."""


@dataclass(frozen=True)
class _Visit:
    page: Page
    reading: FetchedDocument | None
    error: str = ""


async def visit(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Read the pages that were chosen; what cannot be read is remembered as such."""
    bill, library = StepCost(), await get_library(runtime)
    left = compute_research_budget(state, get_context(runtime))
    chosen = [page for page in state["pages"] if page["url"] in state["choice"]["pages"]]
    seconds = min(PAGE_SECONDS, max(1.0, left["seconds"]))
    bill.pages = len(chosen)
    journal = get_journal(state, runtime)
    visits = await run_concurrently(_visit_page(page, seconds, journal) for page in chosen)
    relevant, links = await _store_readings(
        state, library, [one.reading for one in visits if one.reading]
    )
    evidence, sources = await add_evidence(state, library, relevant)
    known = _update_pages(state["pages"], visits)
    pages = frontier.merge_pages(known, links)
    telling = await _has_relevant_page(state, runtime, pages[len(known) :])
    gained = len(evidence) > len(state["evidence"]) or telling
    return {
        **record_step(
            runtime, state, bill, "visit", _describe_outcome(visits, len(evidence), state)
        ),
        "task_queue": advance_queue(state["task_queue"], "visit", gained=gained),
        "evidence": evidence,
        "sources": sources,
        "pages": pages,
    }


async def _visit_page(page: Page, seconds: float, journal: Journal | None) -> _Visit:
    try:
        found = await fetch_page(
            page["url"], seconds=seconds, searched=page["published"], journal=journal
        )
    except ConnectorError as error:
        return _Visit(page, None, str(error))
    except Exception as error:  # noqa: BLE001  (what a page does to its readers costs that page)
        return _Visit(page, None, f"it could not be read ({type(error).__name__})")
    return _Visit(page, found)


def _update_pages(pages: Sequence[Page], visits: Sequence[_Visit]) -> list[Page]:
    """The pages after the visits: what was read is so by every address that leads to it."""
    after = {normalise_url(page["url"]): page for one in visits for page in _list_addresses(one)}
    known = [after.pop(normalise_url(page["url"]), page) for page in pages]
    return [*known, *after.values()]


def _list_addresses(visited: _Visit) -> list[Page]:
    """The page by the address that was asked for, and by those that a redirect or it names."""
    page, reading = visited.page, visited.reading
    if reading is None:
        return [{**page, "status": "failed"}]
    day, confidence = reading.updated or (page["updated"], 0.0)
    addresses = (page["url"], reading.document.url, reading.document.uri)
    once = {normalise_url(url): url for url in reversed(addresses)}
    return [
        {**page, "url": url, "status": "read", "updated": str(day), "confidence": confidence}
        for url in reversed(once.values())
    ]


async def _store_readings(
    state: DeepSearchState, library: Library, readings: Sequence[FetchedDocument]
) -> tuple[list[TextSpan], list[Page]]:
    """Keep the pages; returns their passages on the question, and where they lead."""
    if not readings:
        return [], []
    saved = await save_pages(library, [reading.document for reading in readings])
    ids = saved.documents
    relevant: list[TextSpan] = []
    links: list[Page] = []
    for reading in readings:
        uri = normalise_url(reading.document.uri)
        if uri not in ids:  # another address of a page that was read as well
            continue
        document = ids.pop(uri)
        [text] = await library.load_spans([(document, 0, WHOLE_TEXT)])
        found = await _pick_snippets(document, text, get_current_question(state), state["question"])
        relevant += found
        links += _collect_links(reading, [one.text for one in found])
    return relevant, links


async def _pick_snippets(document: int, text: str, question: str, original: str) -> list[TextSpan]:
    """What of a page speaks of the question: all of a short one, the best of a long one."""
    if len(text) <= SNIPPET_CHARACTERS:
        return [TextSpan(document, 0, len(text), text)] if text else []
    picker = await asyncio.to_thread(SnippetPicker, text)
    asked = "\n".join(dict.fromkeys([question, original]))
    meaning = await _score_similarity(get_embedder(), text, picker.embedding_units, asked)
    found = await asyncio.to_thread(picker.pick, asked, SNIPPET_CHARACTERS, meaning)
    return [TextSpan(document, one.start, one.end, text[one.start : one.end]) for one in found]


async def _score_similarity(
    model: Embedder | None, text: str, units: Sequence[tuple[int, int]], question: str
) -> list[float] | None:
    """How near each unit is to the question; None where no model says it."""
    import numpy as np  # noqa: PLC0415  (slow to load)

    if model is None or len(units) > MAX_UNITS:
        return None
    try:
        vectors = np.array(await model.embed_page([text[a:b] for a, b in units]), np.float32)
        wanted = np.array(await model.embed_query(question), np.float32)
    except ModelUnavailableError:
        return None
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(wanted)
    return [float(one) for one in vectors @ wanted / np.maximum(lengths, 1e-9)]


def _collect_links(reading: FetchedDocument, snippets: Sequence[str]) -> list[Page]:
    """Where a page leads, with what it says of it."""
    selected = frontier.select_links(reading.links.items(), snippets, MAX_LINKS)
    here = reading.document
    return [
        frontier.create_page(
            link.url,
            " · ".join(part for part in (link.words, link.around) if part),
            page=here.url if link.around else "",  # what stands around a text says nothing of it
        )
        for link in selected
        if normalise_url(link.url) != here.uri
    ]


async def _has_relevant_page(
    state: DeepSearchState, runtime: Runtime[Context], new: Sequence[Page]
) -> bool:
    """Whether any of some new pages has words that speak of the question."""
    words = [page["words"] for page in new]
    ranking = await rerank_texts(
        get_current_question(state), words, get_context(runtime).rerank_model
    )
    return any(score > 0 for score in frontier.scale_relevance(ranking.scores))


def _describe_outcome(visits: Sequence[_Visit], evidence: int, state: DeepSearchState) -> str:
    read_ones = [one.reading.document.title for one in visits if one.reading]
    failed = [f"{one.page['url']} ({one.error.rstrip('.')})" for one in visits if not one.reading]
    parts = []
    if read_ones:
        titles = ", ".join(f"“{title[:80]}”" for title in read_ones)
        parts.append(f"I read {titles}: {evidence - len(state['evidence'])} new passages.")
    if failed:
        parts.append(f"I could not read {join_sentences(failed)}.")
    return " ".join(parts) or "There was no page to read."
