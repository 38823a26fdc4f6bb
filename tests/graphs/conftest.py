"""What the tests of the graphs share: the sample pages in a space, and those on machines."""

from pathlib import Path

import pytest
from fakes.thinking_writer import write_pages
from graph_runs import CONCEPTS

from graphs.ingest import graph as ingest_graph
from schema.context import Context


@pytest.fixture
async def samples(space: str) -> str:
    """A space that holds the sample pages."""
    await ingest_graph.ainvoke({"sources": [str(CONCEPTS)]}, context=Context(space=space))
    return space


@pytest.fixture
async def machines(space: str, tmp_path: Path) -> str:
    """A space that holds the pages on machines."""
    write_pages(tmp_path)
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    return space
