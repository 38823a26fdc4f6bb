"""Bringing one source into the library: only what changed, and as far as it came if it breaks."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from connectors.found import forget_old
from connectors.protocol import Since, SyncingConnector
from library.library import Library
from library.sources import Source
from library.writers import Writers
from schema.documents import Checkpoint, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, QuireError

BATCH_DOCUMENTS = 128
BATCH_CHARACTERS = 2_000_000

KEEP_EVERY = 5.0
"""Seconds of a sync that a crash may cost, and the next has to ask for again."""

Outcome = Literal["added", "changed", "unchanged", "removed", "skipped"]
Tell = Callable[[str, Outcome, str], None]
"""Called with the uri of each document, what became of it, and, where it was skipped, why."""


async def synchronise(
    library: Library, connector: SyncingConnector, place: str, tell: Tell, *, full: bool = False
) -> Mapping[str, int]:
    """Bring what the library holds of a place up to date; the place becomes a source of it.

    It waits while another process syncs the same source. Killed at any moment, it loses nothing:
    what was stored is known by its version, and the cursor never runs ahead of it.

    Args:
        library: where to.
        connector: of the source.
        place: what its user calls it.
        tell: progress.
        full: begin without the cursor, so that also old items are looked at that changed or went.

    Returns:
        Documents by outcome.

    Raises:
        InputError: there is no such place.
        ConnectorError: the source did not answer; what came before is kept.
    """
    async with library.alone(connector.name, place):
        await forget_old(library)
        source = await library.source(connector.name, place)
        run = _Run(library, connector, replace(source, cursor="") if full else source, tell)
        failure = ""
        try:
            await run.all()
        except BaseException as error:
            failure = str(error) if isinstance(error, QuireError) else "it was stopped"
            raise
        finally:
            await library.update_source(run.ended(failure))
    return dict(run.counts)


class _Run:
    def __init__(
        self, library: Library, connector: SyncingConnector, source: Source, tell: Tell
    ) -> None:
        self.counts: Counter[str] = Counter()
        self._library = library
        self._connector = connector
        self._source = source
        self._tell = tell
        self._batch: list[Document] = []
        self._characters = 0
        self._gone: dict[str, None] = {}
        self._cursor = source.cursor
        self._kept = time.monotonic()

    async def all(self) -> None:
        """Read the source to its end, or as far as it goes."""
        place = self._source.place
        root = await self._root(place)
        await self._library.add_source(self._connector.name, place)
        self._source = replace(self._source, root=root)
        await self._library.update_source(self._source)
        versions = await self._library.versions(self._connector.name, [root])
        since = Since(place=place, root=root, versions=versions, cursor=self._source.cursor)
        writers = Writers(self._library, lambda stored: self._count(stored.uri, stored.outcome))
        async with writers:
            failure: Exception | None = None
            try:
                async for change in self._connector.sync(since):
                    await self._take(change, writers)
            except Exception as error:  # noqa: BLE001  (raised below, when all is stored)
                failure = error
            await self._keep(writers)
        if isinstance(failure, QuireError):
            raise failure
        if failure:
            raise _broken(self._connector, failure) from None

    async def _root(self, place: str) -> str:
        try:
            return await self._connector.root(place)
        except QuireError:
            raise
        except Exception as error:  # noqa: BLE001  (its own text may hold a secret)
            raise _broken(self._connector, error) from None

    def ended(self, failure: str) -> Source:
        """The source as this run leaves it."""
        now = datetime.now(UTC)
        return replace(self._source, synced=now, counts=dict(self.counts), failure=failure)

    async def _take(
        self, change: Document | Skipped | Unchanged | Gone | Checkpoint, writers: Writers
    ) -> None:
        match change:
            case Document():
                self._gone.pop(change.uri, None)
                self._batch.append(change)
                self._characters += len(change.text)
            case Unchanged():
                self._count(change.uri, "unchanged")
            case Skipped():
                self._count(change.uri, "skipped", change.reason)
            case Gone():
                self._gone[change.uri] = None
            case Checkpoint():
                self._cursor = change.cursor
                if time.monotonic() - self._kept > KEEP_EVERY:
                    await self._keep(writers)
        if len(self._batch) >= BATCH_DOCUMENTS or self._characters >= BATCH_CHARACTERS:
            await self._flush(writers)

    async def _flush(self, writers: Writers) -> None:
        batch, self._batch, self._characters = self._batch, [], 0
        await writers.put(batch)

    async def _keep(self, writers: Writers) -> None:
        """Bring all that was handed over into the library, and only then write the cursor down."""
        await self._flush(writers)
        await writers.drain()
        await self._remove()
        self._source = replace(self._source, cursor=self._cursor)
        await self._library.update_source(self._source)
        self._kept = time.monotonic()

    async def _remove(self) -> None:
        gone, self._gone = list(self._gone), {}
        for start in range(0, len(gone), BATCH_DOCUMENTS):
            part = gone[start : start + BATCH_DOCUMENTS]
            await self._library.remove(part)
            for uri in part:
                self._count(uri, "removed")

    def _count(self, uri: str, outcome: Outcome, reason: str = "") -> None:
        self.counts[outcome] += 1
        self._tell(uri, outcome, reason)


def _broken(connector: SyncingConnector, error: Exception) -> ConnectorError:
    """A connector that breaks its promise; its message may hold a secret, its type does not."""
    return ConnectorError(f"The connector '{connector.name}' failed ({type(error).__name__})")
