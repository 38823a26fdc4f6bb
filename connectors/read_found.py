"""Reading the pages that a search gave only excerpts of, and asking them what was asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from connectors.ask import Answered, Search, search_kept
from connectors.found import keep_found
from connectors.reader import NAME, Reading, read
from schema.documents import DocumentInfo
from schema.errors import ConnectorError
from schema.limits import slots
from schema.together import together

SECONDS = 20.0
"""Deadline of one page, from when it is asked for."""

AT_ONCE = 8
"""Pages under way, over all runs of a process."""


@dataclass(frozen=True)
class PagesRead:
    """What the pages answer, by question; the documents they became; why others were not read."""

    answers: list[Answered]
    documents: list[int]
    failures: list[str]


async def read_found(
    found: Sequence[DocumentInfo], questions: Sequence[str], search: Search
) -> PagesRead:
    """Read pages side by side, keep them, and look in them for what the questions ask.

    Args:
        found: documents that are excerpts of web pages.
        questions: distinct questions.
        search: its library keeps the pages, its journal has those that the run has read.
    """
    readings = await together(_read(one, search) for one in found)
    pages = [one.document for one in readings if isinstance(one, Reading)]
    failures = [one for one in readings if isinstance(one, str)]
    if not pages:
        return PagesRead([], [], failures)
    kept = await keep_found(search.library, pages)
    answers = await together(search_kept(NAME, question, kept, search) for question in questions)
    return PagesRead(answers, list(kept.documents.values()), failures)


async def _read(page: DocumentInfo, search: Search) -> Reading | str:
    """The page, or in a few words why it was not read."""
    try:
        async with slots("pages", AT_ONCE):
            return await read(
                page.url, seconds=SECONDS, searched=page.published, journal=search.journal
            )
    except ConnectorError as error:
        return f"{page.url}: {error}"
    except Exception as error:  # noqa: BLE001  (what a page does to its readers costs that page)
        return f"{page.url}: it could not be read ({type(error).__name__})"
