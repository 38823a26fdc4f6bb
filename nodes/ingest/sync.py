"""Bring the sources into the library; only what changed."""

from collections import Counter

from langgraph.runtime import Runtime

from connectors.registry import make_syncing_connector
from connectors.sync import SyncOutcome, synchronise
from nodes.common.run import emit, get_library
from schema.context import Context
from schema.error_text import join_sentences
from schema.errors import InputError
from schema.events import DocumentStored
from schema.state import IngestState, IngestUpdate

MAX_NAMED = 200
"""Skipped documents that the state names; the rest are counted."""


async def sync(state: IngestState, runtime: Runtime[Context]) -> IngestUpdate:
    """Synchronise one source after the other.

    Raises:
        InputError: a location does not exist, or nothing there could be read.
        ConnectorError: a source did not answer; what was read before is stored.
    """
    library = await get_library(runtime, "curator")
    counts: Counter[str] = Counter()
    skipped: list[dict[str, str]] = []

    def tell(uri: str, outcome: SyncOutcome, reason: str) -> None:
        emit(runtime, DocumentStored(type="ingested", uri=uri, outcome=outcome, reason=reason))
        if outcome == "skipped" and len(skipped) < MAX_NAMED:
            skipped.append({"uri": uri, "reason": reason})

    for name, location in state["locations"]:
        full = state.get("full", False)
        counts.update(
            await synchronise(library, make_syncing_connector(name), location, tell, full=full)
        )
    if skipped and counts.total() == counts["skipped"]:
        reasons = join_sentences(one["reason"] for one in skipped[:3])
        raise InputError(f"Nothing there could be read ({reasons}): name something that can.")
    return {"counts": dict(counts), "skipped": skipped}
