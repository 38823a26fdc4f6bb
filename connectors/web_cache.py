"""What was found on the web: stored apart from the user's own documents, and for a term.

Pages that live connectors return or that a run reads stand in the part `web` of their space. Later
runs are answered from it for QUIRE_WEB_DAYS days after a page was fetched; then it is removed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from library.journal import Journal
from library.library import Library
from library.stored_documents import DocumentRecord
from retrieval.web.canonical_url import join_excerpts, merge_documents
from schema.documents import Document
from schema.settings import get_settings

GRACE = timedelta(days=1)
"""What a page outlives its term by: no run under way loses a source."""

PURGE_BATCH = 200
"""Pages that one call removes; those that are left are not used either."""

_CLOCK_MARGIN = timedelta(minutes=1)
"""What a page may have been fetched before the first answer of its run was recorded."""


@dataclass(frozen=True)
class SavedPages:
    """The documents that pages became, by uri; `own` are those that the space itself holds."""

    documents: dict[str, int]
    own: frozenset[int]


def compute_shared_cutoff() -> datetime:
    """When a page must have been fetched, at the earliest, to be used by another run."""
    return datetime.now(UTC) - timedelta(days=get_settings().web_days)


async def find_cutoff(journal: Journal | None, *, fresh: bool) -> datetime:
    """When a page must have been fetched to be used by this run.

    Args:
        journal: the run's record.
        fresh: what earlier runs found does not count.
    """
    if get_settings().web_days and not fresh:
        return compute_shared_cutoff()
    began = await journal.find_start() if journal else None
    return (began or datetime.now(UTC)) - _CLOCK_MARGIN


async def save_pages(
    library: Library, found: Iterable[Document], since: datetime | None = None
) -> SavedPages:
    """Save what was found on the web, and remove what was found too long ago.

    A page that the space itself holds stays there: one uri is one document.

    Args:
        library: the space.
        found: pages, in any order; one that was found several times is one page.
        since: what was fetched before does not count; None: whatever is held does.
    """
    web = library.open_part("web")
    await remove_expired(library)
    pages = {page.uri: page for page in merge_documents(found)}
    mine = await library.find_stored(list(pages))
    others = [uri for uri in pages if uri not in mine]
    own = await _store_pages(library, [pages[uri] for uri in mine], mine, since)
    ids = await _store_pages(
        web, [pages[uri] for uri in others], await web.find_stored(others), since
    )
    return SavedPages(own | ids, frozenset(own.values()))


async def remove_expired(library: Library) -> int:
    """Remove pages whose term is over; returns how many were removed."""
    return await library.open_part("web").remove_fetched_before(
        compute_shared_cutoff() - GRACE, PURGE_BATCH
    )


async def _store_pages(
    library: Library,
    pages: Sequence[Document],
    held: Mapping[str, DocumentRecord],
    since: datetime | None,
) -> dict[str, int]:
    """Store pages; returns the id of each by its uri.

    What is held in full is not replaced by an excerpt, nor what an indexed connector stored by
    what a search engine says of it. Excerpts of one page are joined.
    """
    ids: dict[str, int] = {}
    new: list[Document] = []
    for page in pages:
        before = held.get(page.uri)
        if before and since and before.fetched < since and not before.synced:
            before = None
        if before and (before.synced or (page.excerpt and not before.excerpt)):
            ids[page.uri] = before.document
        elif before and page.excerpt:
            text = await library.load_text(page.uri) or ""
            new.append(replace(page, text=join_excerpts([text, page.text])))
        else:
            new.append(page)
    stored = await library.store(new) if new else []
    return ids | {one.uri: one.document for one in stored}
