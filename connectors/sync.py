"""Bringing one source into the library: only what changed, and as far as it came if it breaks."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from connectors.protocol import SyncingConnector, SyncState
from connectors.web_cache import remove_expired
from library.batch_writer import BatchWriter
from library.library import Library
from library.synced_sources import SyncedSource
from schema.access import clean_readers
from schema.documents import Change, Checkpoint, Document, Gone, ReadersOf, Skipped, Unchanged
from schema.errors import ConnectorError, QuireError

BATCH_DOCUMENTS = 128
BATCH_CHARACTERS = 2_000_000

SAVE_SECONDS = 5.0
"""Seconds of a sync that a crash may cost, and the next has to ask for again."""

SyncOutcome = Literal["added", "changed", "unchanged", "removed", "skipped"]
ProgressCallback = Callable[[str, SyncOutcome, str], None]
"""Called with the uri of each document, what became of it, and, where it was skipped, why."""


async def synchronise(
    library: Library,
    connector: SyncingConnector,
    location: str,
    tell: ProgressCallback,
    *,
    full: bool = False,
) -> Mapping[str, int]:
    """Bring what the library holds of a location up to date; the location becomes a source of it.

    It waits while another process syncs the same source. Killed at any moment, it loses nothing:
    what was stored is known by its version, and the cursor never passes it.

    Args:
        library: where to.
        connector: of the source.
        location: what its user calls it.
        tell: progress.
        full: begin without the cursor, so that also old items are looked at that changed or went.

    Returns:
        Documents by outcome.

    Raises:
        InputError: there is no such location.
        ConnectorError: the source did not answer; what came before is stored.
    """
    async with library.hold_lock(connector.name, location):
        await remove_expired(library)
        source = await library.load_source(connector.name, location)
        run = _SourceSync(library, connector, replace(source, cursor="") if full else source, tell)
        failure = ""
        try:
            await run.run()
        except BaseException as error:
            failure = str(error) if isinstance(error, QuireError) else "it was stopped"
            raise
        finally:
            await library.update_source(run.build_source(failure))
    return dict(run.counts)


class _SourceSync:
    def __init__(
        self,
        library: Library,
        connector: SyncingConnector,
        source: SyncedSource,
        tell: ProgressCallback,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self._library = library
        self._connector = connector
        self._source = source
        self._tell = tell
        self._batch: list[Document] = []
        self._characters = 0
        self._gone: dict[str, None] = {}
        self._known: Set[str] = frozenset()
        self._readers: Mapping[str, tuple[str, ...]] = {}
        self._new_readers: dict[str, tuple[str, ...]] = {}
        self._cursor = source.cursor
        self._saved_at = self._flushed_at = time.monotonic()

    async def run(self) -> None:
        """Read the source to its end, or as far as it goes."""
        location = self._source.location
        root = await self._find_root(location)
        await self._library.add_source(self._connector.name, location)
        self._source = replace(self._source, root=root)
        await self._library.update_source(self._source)
        versions = await self._library.load_versions(self._connector.name, [root])
        since = SyncState(
            location=location,
            root=root,
            versions=versions,
            cursor=self._source.cursor,
            acl=self._source.acl,
        )
        self._known = versions.keys()
        self._readers = await self._library.load_readers(self._connector.name, [root])
        writers = BatchWriter(self._library, lambda stored: self._count(stored.uri, stored.outcome))
        async with writers:
            failure: Exception | None = None
            try:
                async for change in self._connector.sync(since):
                    await self._handle_change(change, writers)
            except Exception as error:  # noqa: BLE001  (raised below, when all is stored)
                failure = error
            await self._save(writers)
        if isinstance(failure, QuireError):
            raise failure
        if failure:
            raise _wrap_error(self._connector, failure) from None

    async def _find_root(self, location: str) -> str:
        try:
            return await self._connector.find_root(location)
        except QuireError:
            raise
        except Exception as error:  # noqa: BLE001  (its own text may hold a secret)
            raise _wrap_error(self._connector, error) from None

    def build_source(self, failure: str) -> SyncedSource:
        """The source as this run leaves it."""
        now = datetime.now(UTC)
        return replace(self._source, synced=now, counts=dict(self.counts), failure=failure)

    async def _handle_change(self, change: Change, writers: BatchWriter) -> None:
        match change:
            case Document():
                self._gone.pop(change.uri, None)
                self._batch.append(change)
                self._characters += len(change.text)
            case ReadersOf():
                self._note_readers(change)
            case Unchanged():
                self._count(change.uri, "unchanged")
            case Skipped():
                self._count(change.uri, "skipped", change.reason)
            case Gone():
                self._gone[change.uri] = None
            case Checkpoint():
                self._cursor = change.cursor
                if time.monotonic() - self._saved_at > SAVE_SECONDS:
                    await self._save(writers)
        full = (
            max(len(self._batch), len(self._new_readers)) >= BATCH_DOCUMENTS
            or self._characters >= BATCH_CHARACTERS
        )
        if full or time.monotonic() - self._flushed_at > SAVE_SECONDS:
            await self._flush(writers)

    async def _flush(self, writers: BatchWriter) -> None:
        batch, self._batch, self._characters = self._batch, [], 0
        readers, self._new_readers = self._new_readers, {}
        self._flushed_at = time.monotonic()
        await self._library.set_readers(readers)
        await writers.put(batch)

    def _note_readers(self, told: ReadersOf) -> None:
        """Of what the library holds, note what has other readers by now."""
        if not self._source.acl:  # nobody asked
            return
        wanted, inside = clean_readers(told.readers), f"{told.uri.rstrip('/')}/"
        exact = told.uri in self._known
        for uri in [told.uri] if exact else [one for one in self._known if one.startswith(inside)]:
            if self._readers.get(uri) != wanted:
                self._new_readers[uri] = told.readers

    async def _save(self, writers: BatchWriter) -> None:
        """Bring all that was handed over into the library, and only then write the cursor down."""
        await self._flush(writers)
        await writers.drain()
        await self._remove_gone()
        self._source = replace(self._source, cursor=self._cursor)
        await self._library.update_source(self._source)
        self._saved_at = time.monotonic()

    async def _remove_gone(self) -> None:
        gone, self._gone = list(self._gone), {}
        for start in range(0, len(gone), BATCH_DOCUMENTS):
            part = gone[start : start + BATCH_DOCUMENTS]
            await self._library.remove(part)
            for uri in part:
                self._count(uri, "removed")

    def _count(self, uri: str, outcome: SyncOutcome, reason: str = "") -> None:
        self.counts[outcome] += 1
        self._tell(uri, outcome, reason)


def _wrap_error(connector: SyncingConnector, error: Exception) -> ConnectorError:
    """A connector that breaks its promise; its message may hold a secret, its type does not."""
    return ConnectorError(f"The connector '{connector.name}' failed ({type(error).__name__})")
