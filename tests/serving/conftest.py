"""What the tests of what a program calls share: the sample pages in a space."""

import pytest
from graph_runs import CONCEPTS

from schema.context import Context
from serving.runs import run_ingest


@pytest.fixture
async def samples(space: str) -> str:
    """A space that holds the sample pages."""
    await run_ingest([str(CONCEPTS)], Context(space=space), lambda _: None)
    return space
