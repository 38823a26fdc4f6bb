"""Syncing from a source that lists what it holds, with versions, and is then asked for the rest."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

from connectors.http.prefetch import prefetch
from connectors.protocol import SyncState
from schema.documents import Change, Gone, ReadersOf, Unchanged

ItemT = TypeVar("ItemT")


async def sync_listing(
    since: SyncState,
    listing: AsyncIterator[tuple[str, str, ItemT]],
    read: Callable[[list[ItemT]], Awaitable[Iterable[Change]]],
    batch: int,
    at_once: int,
    find_readers: Callable[[ItemT], tuple[str, ...]] | None = None,
) -> AsyncIterator[Change]:
    """What became of all that is listed, and of what no longer is.

    Args:
        since: what the library holds.
        listing: uri, version and item of each document; of one that comes twice, as what moves
            from one page of a listing to the next, the first counts.
        read: the changes that a batch of new items makes.
        batch: items that are read at once.
        at_once: batches under way.
        find_readers: who may read an item, where that is asked for.
    """
    wanted, seen = list[ItemT](), set[str]()
    async for uri, version, item in listing:
        if uri in seen:
            continue
        seen.add(uri)
        if find_readers and since.acl and uri in since.versions:
            yield ReadersOf(uri=uri, readers=find_readers(item))
        if since.versions.get(uri) == version:
            yield Unchanged(uri=uri)
        else:
            wanted.append(item)
    batches = [wanted[start : start + batch] for start in range(0, len(wanted), batch)]
    async for changes in prefetch(batches, read, at_once):
        for change in changes:
            yield change
    for uri in since.versions.keys() - seen:
        yield Gone(uri=uri)
