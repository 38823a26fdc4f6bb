"""Visit: read pages side by side, keep the passages that speak of the question and the links."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from langgraph.runtime import Runtime

from connectors.found import keep_found
from connectors.reader import Reading, read
from library.journal import Journal
from library.library import Library
from models.embeddings import Embedder, embedder
from models.rerank import rerank
from nodes.deep_search.desk import Bill, Spoken, at_hand, kept, left_for_research, told
from nodes.run import context_of, journal_of, library_of
from retrieval import leads
from retrieval.agenda import after
from retrieval.pages import page_uri
from retrieval.snippets import SnippetPicker
from schema.context import Context
from schema.deep_search import DeepSearchState, Page
from schema.errors import ConnectorError, ModelUnavailableError
from schema.faults import joined
from schema.together import together

SECONDS = 20.0
"""Deadline of one page."""

CHARACTERS = 4_000
"""Of the snippets of one page; a shorter page is taken whole."""

LINKS = 30
"""Of one page that are kept in mind."""

WHOLE = 2**31 - 1
"""As many characters as a text may have."""

MOST_UNITS = 200
"""Units of a page that an embedding model is asked about: 160,000 characters."""


@dataclass(frozen=True)
class _Visited:
    page: Page
    reading: Reading | None
    error: str = ""


async def visit(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Read the pages that were chosen; what cannot be read is remembered as such."""
    bill, library = Bill(), await library_of(runtime)
    left = left_for_research(state, context_of(runtime))
    chosen = [page for page in state["pages"] if page["url"] in state["choice"]["pages"]]
    seconds = min(SECONDS, max(1.0, left["seconds"]))
    bill.pages = len(chosen)
    journal = journal_of(state, runtime)
    visits = await together(_visit(page, seconds, journal) for page in chosen)
    spoken, links = await _taken(state, library, [one.reading for one in visits if one.reading])
    evidence, sources = await kept(state, library, spoken)
    known = _closed(state["pages"], visits)
    pages = leads.joined(known, links)
    telling = await _speak(state, runtime, pages[len(known) :])
    gained = len(evidence) > len(state["evidence"]) or telling
    return {
        **told(runtime, state, bill, "visit", _outcome(visits, len(evidence), state)),
        "agenda": after(state["agenda"], "visit", gained=gained),
        "evidence": evidence,
        "sources": sources,
        "pages": pages,
    }


async def _visit(page: Page, seconds: float, journal: Journal | None) -> _Visited:
    try:
        found = await read(
            page["url"], seconds=seconds, searched=page["published"], journal=journal
        )
    except ConnectorError as error:
        return _Visited(page, None, str(error))
    except Exception as error:  # noqa: BLE001  (what a page does to its readers costs that page)
        return _Visited(page, None, f"it could not be read ({type(error).__name__})")
    return _Visited(page, found)


def _closed(pages: Sequence[Page], visits: Sequence[_Visited]) -> list[Page]:
    """The pages after the visits: what was read is so by every address that leads to it."""
    after = {page_uri(page["url"]): page for one in visits for page in _after_reading(one)}
    known = [after.pop(page_uri(page["url"]), page) for page in pages]
    return [*known, *after.values()]


def _after_reading(visited: _Visited) -> list[Page]:
    """The page by the address that was asked for, and by those that a redirect or it names."""
    page, reading = visited.page, visited.reading
    if reading is None:
        return [{**page, "status": "failed"}]
    day, confidence = reading.updated or (page["updated"], 0.0)
    addresses = (page["url"], reading.document.url, reading.document.uri)
    once = {page_uri(url): url for url in reversed(addresses)}
    return [
        {**page, "url": url, "status": "read", "updated": str(day), "confidence": confidence}
        for url in reversed(once.values())
    ]


async def _taken(
    state: DeepSearchState, library: Library, readings: Sequence[Reading]
) -> tuple[list[Spoken], list[Page]]:
    """Keep the pages; returns their passages on the question, and where they lead."""
    if not readings:
        return [], []
    kept_pages = await keep_found(library, [reading.document for reading in readings])
    ids = kept_pages.documents
    spoken: list[Spoken] = []
    links: list[Page] = []
    for reading in readings:
        uri = page_uri(reading.document.uri)
        if uri not in ids:  # another address of a page that was read as well
            continue
        document = ids.pop(uri)
        [text] = await library.spans([(document, 0, WHOLE)])
        found = await _snippets(document, text, at_hand(state), state["question"])
        spoken += found
        links += _links(reading, [one.text for one in found])
    return spoken, links


async def _snippets(document: int, text: str, question: str, original: str) -> list[Spoken]:
    """What of a page speaks of the question: all of a short one, the best of a long one."""
    if len(text) <= CHARACTERS:
        return [Spoken(document, 0, len(text), text)] if text else []
    picker = await asyncio.to_thread(SnippetPicker, text)
    asked = "\n".join(dict.fromkeys([question, original]))
    meaning = await _meaning(embedder(), text, picker.units, asked)
    found = await asyncio.to_thread(picker.pick, asked, CHARACTERS, meaning)
    return [Spoken(document, one.start, one.end, text[one.start : one.end]) for one in found]


async def _meaning(
    model: Embedder | None, text: str, units: Sequence[tuple[int, int]], question: str
) -> list[float] | None:
    """How near each unit is to the question; None where no model says it."""
    if model is None or len(units) > MOST_UNITS:
        return None
    try:
        vectors = np.array(await model.embed_page([text[a:b] for a, b in units]), np.float32)
        wanted = np.array(await model.embed_query(question), np.float32)
    except ModelUnavailableError:
        return None
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(wanted)
    return [float(one) for one in vectors @ wanted / np.maximum(lengths, 1e-9)]


def _links(reading: Reading, snippets: Sequence[str]) -> list[Page]:
    """Where a page leads, with what it says of it."""
    told_links = leads.telling_links(reading.links.items(), snippets, LINKS)
    here = reading.document
    return [
        leads.found(
            link.url,
            " · ".join(part for part in (link.words, link.around) if part),
            page=here.url if link.around else "",  # what stands around a text says nothing of it
        )
        for link in told_links
        if page_uri(link.url) != here.uri
    ]


async def _speak(state: DeepSearchState, runtime: Runtime[Context], new: Sequence[Page]) -> bool:
    """Whether any of some new pages has words that speak of the question."""
    words = [page["words"] for page in new]
    ranking = await rerank(at_hand(state), words, context_of(runtime).rerank_model)
    return any(score > 0 for score in leads.shares(ranking.scores))


def _outcome(visits: Sequence[_Visited], evidence: int, state: DeepSearchState) -> str:
    read_ones = [one.reading.document.title for one in visits if one.reading]
    failed = [f"{one.page['url']} ({one.error.rstrip('.')})" for one in visits if not one.reading]
    parts = []
    if read_ones:
        titles = ", ".join(f"“{title[:80]}”" for title in read_ones)
        parts.append(f"I read {titles}: {evidence - len(state['evidence'])} new passages.")
    if failed:
        parts.append(f"I could not read {joined(failed)}.")
    return " ".join(parts) or "There was no page to read."
