"""Check what is to be ingested before any of it is read."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from connectors.registry import parse_source
from connectors.served import check_served
from nodes.common.run import get_context, get_member
from schema.access import find_owner
from schema.context import Context
from schema.errors import InputError
from schema.state import IngestState, IngestUpdate


async def check_sources(state: IngestState, runtime: Runtime[Context]) -> IngestUpdate:
    """Name the connector and the location of each source.

    Raises:
        InputError: the input names no sources, a source's connector does not exist or lacks
            something, or a server's clients may not read it.
    """
    named = [await asyncio.to_thread(parse_source, source) for source in _read_sources(state)]
    if runtime.server_info is not None:
        owner, space = find_owner(get_context(runtime).space, get_member(runtime), "curator")
        for connector, location in named:
            await asyncio.to_thread(check_served, connector.name, location, owner, space)
    places = dict.fromkeys((connector.name, location) for connector, location in named)
    return {"locations": list(places), "counts": {}, "skipped": [], "vectors": 0}


def _read_sources(state: IngestState) -> list[str]:
    """The sources that the input names; its types are nobody's promise."""
    sources: Any = state.get("sources") or []
    if not isinstance(sources, list) or not all(isinstance(one, str) for one in sources):
        raise InputError(
            "The input `sources` must be a list of texts: paths of files and folders, or "
            "connector:location."
        )
    if not sources:
        raise InputError("There is nothing to ingest: name at least one source, such as a folder.")
    return sources
