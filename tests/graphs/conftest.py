"""What the tests of the graphs share: the sample pages in a space, and a fake language model."""

from collections.abc import Callable

import pytest
from fakes.openai_api import FakeOpenAI
from graph_runs import CONCEPTS

from graphs.ingest import graph as ingest_graph
from schema.context import Context


@pytest.fixture
async def samples(space: str) -> str:
    """A space that holds the sample pages."""
    await ingest_graph.ainvoke({"sources": [str(CONCEPTS)]}, context=Context(space=space))
    return space


@pytest.fixture
def speaks_to(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakeOpenAI], None]:
    """Make a fake provider the configured one."""

    def configure(api: FakeOpenAI) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")

    return configure
