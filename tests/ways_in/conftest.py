"""What the ways in share: a data folder with one database, and a fake language model."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dev_server import environment
from fakes.openai_api import FakeOpenAI
from fakes.researcher import Researcher
from graph_runs import CONCEPTS, QUESTION, asked
from ways_in.cases import Case, World

from graphs.report import graph as report_graph
from library.library import open_library
from schema.context import Context


@pytest.fixture(scope="session")
async def world(data_dir: Path) -> World:
    """Pages that another process has left. This one keeps the database running."""
    made = World(data_dir, f"ways-{uuid4().hex[:12]}")
    await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "cli", "ingest", str(CONCEPTS), "--space", made.space],
        env=environment(data_dir),
        cwd=data_dir,
        check=True,
        capture_output=True,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIRE_DATA_DIR", str(data_dir))
        await open_library(made.space)
    return made


@pytest.fixture
async def report(world: World) -> str:
    """The id of a kept report of three sections, written without a language model."""
    context = Context(space=world.space, research_mode="deep", remember=False)
    state = await report_graph.ainvoke(asked(QUESTION), context=context)
    return str(state["report"]["id"])


@pytest.fixture
def inputs(case: Case, request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """What the runs of the test's parameter `case` are given."""
    if not case.revises:
        return case.inputs
    identity = request.getfixturevalue("report")
    return [{"report_id": identity, **one} for one in case.inputs]


@pytest.fixture(scope="session")
def api() -> Iterator[FakeOpenAI]:
    """A provider that many runs may ask at once."""
    with FakeOpenAI(Researcher()) as served:
        yield served


@pytest.fixture(scope="session")
def variables(api: FakeOpenAI) -> dict[str, str]:
    """The environment of a user who has a key."""
    return {"OPENAI_BASE_URL": api.base_url, "OPENAI_API_KEY": "key-of-a-test"}
