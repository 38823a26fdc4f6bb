"""Check what is to be ingested before any of it is read."""

import asyncio
import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from connectors.registry import named_source
from schema.context import Context
from schema.errors import InputError
from schema.settings import settings
from schema.state import IngestState


async def scan(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Name the connector and the place of each source.

    Raises:
        InputError: the input names no sources, a source's connector does not exist or lacks
            something, or a server's clients may not read it.
    """
    named = [await asyncio.to_thread(named_source, source) for source in _sources(state)]
    if runtime.server_info is not None:
        for connector, place in named:
            await asyncio.to_thread(_allow, connector.name, place)
    places = dict.fromkeys((connector.name, place) for connector, place in named)
    return {"places": list(places), "counts": {}, "skipped": [], "vectors": 0}


def _sources(state: IngestState) -> list[str]:
    """The sources that the input names; its types are nobody's promise."""
    sources: Any = state.get("sources") or []
    if not isinstance(sources, list) or not all(isinstance(one, str) for one in sources):
        raise InputError(
            "The input `sources` must be a list of texts: paths of files and folders, or "
            "connector:place."
        )
    if not sources:
        raise InputError("There is nothing to ingest: name at least one source, such as a folder.")
    return sources


def _allow(connector: str, place: str) -> None:
    """Keep a server's clients to what its operator lets them read with the operator's keys."""
    here = settings()
    if connector != "files":
        patterns = [pattern.strip() for pattern in here.served_sources.split(",")]
        if not any(fnmatchcase(f"{connector}:{place}", pattern) for pattern in patterns):
            raise InputError(
                f"This server's clients may not read {connector}:{place}: its operator names what "
                "they may in QUIRE_SERVED_SOURCES."
            )
        return
    named = here.files_roots or str(Path.cwd())
    roots = [Path(root).expanduser().resolve() for root in named.split(os.pathsep)]
    if not any(Path(place).expanduser().resolve().is_relative_to(root) for root in roots):
        raise InputError(
            f"This server may not read {place}: name a path below one of the folders in "
            "QUIRE_FILES_ROOTS."
        )
