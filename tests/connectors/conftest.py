"""What the tests of connectors share: a library, a fake Tavily, a user without root's rights."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from connector_world import KEY, PAGES, AsNobody, StartTavily
from fakes.sites.tavily_api import FakeTavily, Page

from library.library import Library, open_library

NOBODY = 65534


@pytest.fixture
async def library(space: str) -> Library:
    """An empty space of the session's embedded database."""
    return await open_library(space)


@pytest.fixture
def tavily(monkeypatch: pytest.MonkeyPatch) -> StartTavily:
    """Starts a fake Tavily and configures Quire for it: `with tavily(faults=[429]) as api`."""

    @contextmanager
    def start(pages: list[Page] = PAGES, **how: Any) -> Iterator[FakeTavily]:
        with FakeTavily(pages, **how) as api:
            monkeypatch.setenv("TAVILY_API_KEY", KEY)
            monkeypatch.setenv("QUIRE_TAVILY_BASE_URL", api.url)
            yield api

    return start


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that every user may enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def as_nobody() -> AsNobody:
    """Gives up root's right to read everything, where the tests run as root."""

    @contextmanager
    def lowered() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.setresuid(NOBODY, NOBODY, 0)
        try:
            yield
        finally:
            os.setresuid(0, 0, 0)

    return lowered
