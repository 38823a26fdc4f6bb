"""Read what changed into the library, in batches."""

from collections import Counter
from typing import Any, Literal

from langgraph.runtime import Runtime

from connectors.registry import syncing
from library.writers import Writers
from nodes.run import emit, library_of
from schema.context import Context
from schema.documents import Document, Gone, Skipped, Unchanged
from schema.errors import InputError
from schema.events import DocumentStored
from schema.state import IngestState

BATCH_DOCUMENTS = 128
BATCH_CHARACTERS = 2_000_000
NAMED = 200
"""Skipped documents that the state names; the rest are counted."""

Outcome = Literal["added", "changed", "unchanged", "removed", "skipped"]


async def index(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Bring the library up to date with the files at and below the roots.

    Raises:
        InputError: none of the files could be read.
    """
    library = await library_of(runtime)
    connector = syncing("files")
    known = await library.versions(connector.name, state["roots"])
    counts: Counter[str] = Counter()
    skipped: list[dict[str, str]] = []
    batch: list[Document] = []
    gone: list[str] = []

    def tell(uri: str, outcome: Outcome, reason: str = "") -> None:
        counts[outcome] += 1
        emit(runtime, DocumentStored(type="ingested", uri=uri, outcome=outcome, reason=reason))

    async with Writers(library, lambda stored: tell(stored.uri, stored.outcome)) as writers:
        async for change in connector.sync(state["roots"], known):
            match change:
                case Document():
                    batch.append(change)
                case Unchanged():
                    tell(change.uri, "unchanged")
                case Skipped():
                    tell(change.uri, "skipped", change.reason)
                    skipped.append({"uri": change.uri, "reason": change.reason})
                case Gone():
                    gone.append(change.uri)
            if len(batch) >= BATCH_DOCUMENTS or _characters(batch) >= BATCH_CHARACTERS:
                await writers.put(batch)
                batch = []
        await writers.put(batch)
    if gone:
        await library.remove(gone)
        for uri in gone:
            tell(uri, "removed")
    if skipped and counts.total() == counts["skipped"]:
        reasons = "; ".join(one["reason"] for one in skipped[:3])
        raise InputError(f"None of the files could be read ({reasons}): name some that can.")
    return {"counts": dict(counts), "skipped": skipped[:NAMED]}


def _characters(batch: list[Document]) -> int:
    return sum(len(document.text) for document in batch)
