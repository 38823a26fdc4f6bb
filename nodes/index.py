"""Bring the sources into the library; only what changed."""

from collections import Counter
from typing import Any

from langgraph.runtime import Runtime

from connectors.registry import syncing
from connectors.sync import Outcome, synchronise
from nodes.run import emit, library_of
from schema.context import Context
from schema.errors import InputError
from schema.events import DocumentStored
from schema.faults import joined
from schema.state import IngestState

NAMED = 200
"""Skipped documents that the state names; the rest are counted."""


async def index(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Synchronise one source after the other.

    Raises:
        InputError: a place does not exist, or nothing there could be read.
        ConnectorError: a source did not answer; what came before is kept.
    """
    library = await library_of(runtime)
    counts: Counter[str] = Counter()
    skipped: list[dict[str, str]] = []

    def tell(uri: str, outcome: Outcome, reason: str) -> None:
        emit(runtime, DocumentStored(type="ingested", uri=uri, outcome=outcome, reason=reason))
        if outcome == "skipped" and len(skipped) < NAMED:
            skipped.append({"uri": uri, "reason": reason})

    for name, place in state["places"]:
        full = state.get("full", False)
        counts.update(await synchronise(library, syncing(name), place, tell, full=full))
    if skipped and counts.total() == counts["skipped"]:
        reasons = joined(one["reason"] for one in skipped[:3])
        raise InputError(f"Nothing there could be read ({reasons}): name something that can.")
    return {"counts": dict(counts), "skipped": skipped}
