"""Check what is to be ingested before any of it is read."""

import asyncio
import os
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from connectors.registry import syncing
from schema.context import Context
from schema.errors import InputError
from schema.settings import settings
from schema.state import IngestState


async def scan(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Turn paths into roots.

    Raises:
        InputError: a path is missing, unreadable or empty, or, on a server, lies outside the
            folders that its clients may name.
    """
    if not state["paths"]:
        raise InputError("There is nothing to ingest: name at least one file or folder.")
    if runtime.server_info is not None:
        await asyncio.to_thread(_allowed, state["paths"])
    roots = await asyncio.to_thread(syncing("files").roots, state["paths"])
    return {"roots": roots, "counts": {}, "skipped": [], "vectors": 0}


def _allowed(paths: list[str]) -> None:
    """Keep a server's clients to QUIRE_FILES_ROOTS, or to its working directory."""
    named = settings().files_roots or str(Path.cwd())
    roots = [Path(root).expanduser().resolve() for root in named.split(os.pathsep)]
    for path in paths:
        real = Path(path).expanduser().resolve()
        if not any(real.is_relative_to(root) for root in roots):
            raise InputError(
                f"This server may not read {path}: name a path below one of the folders in "
                "QUIRE_FILES_ROOTS."
            )
