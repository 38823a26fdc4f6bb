"""What was found on the web: kept apart from the user's own documents, and for a term.

Pages that live connectors bring or that a run reads stand in the part `web` of their space. Later
runs are answered from it for QUIRE_WEB_DAYS days after a page was fetched; then it is removed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from library.journal import Journal
from library.library import Library
from library.read import Held
from retrieval.pages import joined_excerpts, merged
from schema.documents import Document
from schema.settings import settings

GRACE = timedelta(days=1)
"""What a page outlives its term by: no run under way loses a source."""

AT_ONCE = 200
"""Pages that one call removes; those that are left are not used either."""

_BEFORE = timedelta(minutes=1)
"""What a page may have been fetched before the first answer of its run was recorded."""


@dataclass(frozen=True)
class Kept:
    """The documents that pages became, by uri; `own` are those that the space itself holds."""

    documents: dict[str, int]
    own: frozenset[int]


def term() -> datetime:
    """When a page must have been fetched, at the earliest, to be used by another run."""
    return datetime.now(UTC) - timedelta(days=settings().web_days)


async def earliest(journal: Journal | None, *, fresh: bool) -> datetime:
    """When a page must have been fetched to be used by this run.

    Args:
        journal: the run's record.
        fresh: what earlier runs found does not count.
    """
    if settings().web_days and not fresh:
        return term()
    began = await journal.began() if journal else None
    return (began or datetime.now(UTC)) - _BEFORE


async def keep_found(
    library: Library, found: Iterable[Document], since: datetime | None = None
) -> Kept:
    """Keep what was found on the web, and remove what was found too long ago.

    A page that the space itself holds stays there: one uri is one document.

    Args:
        library: the space.
        found: pages, in any order; one that was found several times is one page.
        since: what was fetched before does not count; None: whatever is held does.
    """
    web = library.part("web")
    await forget_old(library)
    pages = {page.uri: page for page in merged(found)}
    mine = await library.held(list(pages))
    others = [uri for uri in pages if uri not in mine]
    own = await _kept(library, [pages[uri] for uri in mine], mine, since)
    ids = await _kept(web, [pages[uri] for uri in others], await web.held(others), since)
    return Kept(own | ids, frozenset(own.values()))


async def forget_old(library: Library) -> int:
    """Remove pages whose term is over; returns how many were removed."""
    return await library.part("web").forget(term() - GRACE, AT_ONCE)


async def _kept(
    library: Library,
    pages: Sequence[Document],
    held: Mapping[str, Held],
    since: datetime | None,
) -> dict[str, int]:
    """Store pages; returns the id of each by its uri.

    What is held in full is not replaced by an excerpt, nor what an indexed connector brought by
    what a search engine says of it. Excerpts of one page are kept together.
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
            text = await library.text(page.uri) or ""
            new.append(replace(page, text=joined_excerpts([text, page.text])))
        else:
            new.append(page)
    stored = await library.store(new) if new else []
    return ids | {one.uri: one.document for one in stored}
