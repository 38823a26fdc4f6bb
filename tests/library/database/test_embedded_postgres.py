"""The embedded server lives as long as somebody uses it, and no longer."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from library.database import embedded_postgres
from library.library import open_library

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_a_process_that_comes_back_to_its_server_stays_on_its_list(new_data_dir: Path) -> None:
    embedded_postgres.start_server(new_data_dir)
    embedded_postgres.start_server(new_data_dir)
    assert json.loads((new_data_dir / "postgres" / ".handle_pids.json").read_text()) == [
        os.getpid()
    ]


@pytest.mark.slow
def test_a_killed_process_is_taken_off_the_list(new_data_dir: Path) -> None:
    embedded_postgres.start_server(new_data_dir)
    handles = new_data_dir / "postgres" / ".handle_pids.json"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    handles.write_text(json.dumps([gone.pid, os.getpid()]))
    embedded_postgres.start_server(new_data_dir)
    assert json.loads(handles.read_text()) == [os.getpid()]


@pytest.mark.slow
async def test_the_server_outlives_other_processes_that_used_it(space: str) -> None:
    """Also where this process has opened it from several event loops."""
    library = await open_library(space)
    await asyncio.to_thread(lambda: asyncio.run(_count(space)))
    code = (
        "import asyncio; from library.library import open_library; "
        f"asyncio.run(open_library({space!r}))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        done = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", code], env=environment, check=False
        )
        assert done.returncode == 0
    assert await library.count() == (0, 0)


async def _count(space: str) -> tuple[int, int]:
    from library.database.connections import close_databases

    try:
        return await (await open_library(space)).count()
    finally:
        await close_databases()
