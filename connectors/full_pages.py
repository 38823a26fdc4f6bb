"""Reading the pages that a search gave only excerpts of, and asking them what was asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from connectors.http.redact import redact_url
from connectors.page_fetcher import CONNECTOR_NAME, FetchedDocument, fetch_page
from connectors.search_all import ConnectorResult, SearchRequest, search_pages
from connectors.web_cache import save_pages
from schema.concurrency import get_semaphore
from schema.documents import DocumentInfo
from schema.errors import ConnectorError
from schema.gather import run_concurrently

SECONDS = 20.0
"""Deadline of one page, from when it is asked for."""

CONCURRENCY = 8
"""Pages under way, over all runs of a process."""


@dataclass(frozen=True)
class PageSearchResult:
    """What the pages answer, by question; the documents they became; why others were not read."""

    results: list[ConnectorResult]
    documents: list[int]
    failures: list[str]


async def fetch_and_search(
    found: Sequence[DocumentInfo], questions: Sequence[str], search: SearchRequest
) -> PageSearchResult:
    """Read pages side by side, save them, and search them for what the questions ask.

    Args:
        found: documents that are excerpts of web pages.
        questions: distinct questions.
        search: its library stores the pages, its journal has those that the run has read.
    """
    readings = await run_concurrently(_try_fetch(one, search) for one in found)
    pages = [one.document for one in readings if isinstance(one, FetchedDocument)]
    failures = [one for one in readings if isinstance(one, str)]
    if not pages:
        return PageSearchResult([], [], failures)
    saved = await save_pages(search.library, pages)
    answers = await run_concurrently(
        search_pages(CONNECTOR_NAME, question, saved, search) for question in questions
    )
    return PageSearchResult(answers, list(saved.documents.values()), failures)


async def _try_fetch(page: DocumentInfo, search: SearchRequest) -> FetchedDocument | str:
    """The page, or in a few words why it was not read."""
    try:
        async with get_semaphore("pages", CONCURRENCY):
            return await fetch_page(
                page.url, seconds=SECONDS, searched=page.published, journal=search.journal
            )
    except ConnectorError as error:
        return f"{redact_url(page.url)}: {error}"
    except Exception as error:  # noqa: BLE001  (what a page does to its readers costs that page)
        return f"{redact_url(page.url)}: it could not be read ({type(error).__name__})"
