"""A sync that is killed loses nothing: the next one goes on and ends with the same library."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conformance import items
from fakes.provider import KEY
from fakes.sites.linear import LinearServer

from library.database.connections import close_databases
from library.library import open_library

ROOT = Path(__file__).parents[2]
COUNT = 1_500


@pytest.mark.slow
def test_a_killed_sync_goes_on_and_ends_with_the_same_library(
    new_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LinearServer(items(COUNT)) as server:
        monkeypatch.setenv("QUIRE_DATA_DIR", str(new_data_dir))
        monkeypatch.setenv("QUIRE_LINEAR_BASE_URL", server.url)
        monkeypatch.setenv("LINEAR_API_KEY", KEY)
        killed = subprocess.Popen(ingesting("killed"))
        deadline = time.monotonic() + 60
        while len(server.sent) < COUNT // 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
        killed.wait(10)
        assert COUNT // 3 <= len(server.sent) < COUNT
        server.sent.clear()
        subprocess.run(ingesting("killed"), check=True, timeout=60)
        assert len(server.sent) < COUNT  # what was stored is not read again
        subprocess.run(ingesting("whole"), check=True, timeout=60)
        assert len(held := asyncio.run(library("killed"))) == COUNT
        assert held == asyncio.run(library("whole"))


def ingesting(space: str) -> list[str]:
    return [sys.executable, "-m", "cli", "ingest", "linear:ENG", "--space", space]


async def library(space: str) -> dict[str, tuple[str, str | None]]:
    """Version and text by uri, of every tenth also the text."""
    opened = await open_library(space)
    versions = await opened.load_versions("linear", ["linear://ENG"])
    sampled = set(sorted(versions)[::10])
    try:
        return {
            uri: (version, await opened.load_text(uri) if uri in sampled else None)
            for uri, version in versions.items()
        }
    finally:
        await close_databases()
