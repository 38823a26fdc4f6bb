"""What the tests of the graphs share: the sample pages in a space."""

import pytest
from graph_runs import CONCEPTS

from graphs.ingest import graph as ingest_graph
from schema.context import Context


@pytest.fixture
async def samples(space: str) -> str:
    """A space that holds the sample pages."""
    await ingest_graph.ainvoke({"sources": [str(CONCEPTS)]}, context=Context(space=space))
    return space
