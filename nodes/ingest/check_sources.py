"""Check what is to be ingested before any of it is read."""

import asyncio
import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from connectors.registry import parse_source
from schema.context import Context
from schema.errors import InputError
from schema.settings import get_settings
from schema.state import IngestState, IngestUpdate


async def check_sources(state: IngestState, runtime: Runtime[Context]) -> IngestUpdate:
    """Name the connector and the location of each source.

    Raises:
        InputError: the input names no sources, a source's connector does not exist or lacks
            something, or a server's clients may not read it.
    """
    named = [await asyncio.to_thread(parse_source, source) for source in _read_sources(state)]
    if runtime.server_info is not None:
        for connector, location in named:
            await asyncio.to_thread(_check_allowed, connector.name, location)
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


def _check_allowed(connector: str, location: str) -> None:
    """Keep a server's clients to what its operator lets them read with the operator's keys."""
    here = get_settings()
    if connector != "files":
        patterns = [pattern.strip() for pattern in here.served_sources.split(",")]
        if not any(fnmatchcase(f"{connector}:{location}", pattern) for pattern in patterns):
            raise InputError(
                f"This server's clients may not read {connector}:{location}: its operator names "
                "what they may in QUIRE_SERVED_SOURCES."
            )
        return
    named = here.files_roots or str(Path.cwd())
    roots = [Path(root).expanduser().resolve() for root in named.split(os.pathsep)]
    if not any(Path(location).expanduser().resolve().is_relative_to(root) for root in roots):
        raise InputError(
            f"This server may not read {location}: name a path below one of the folders in "
            "QUIRE_FILES_ROOTS."
        )
