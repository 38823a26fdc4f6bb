"""A library of one's own."""

import pytest

from library.library import Library, open_library


@pytest.fixture
async def library(space: str) -> Library:
    """An empty space."""
    return await open_library(space)


@pytest.fixture
async def fresh(space: str) -> Library:
    """A second empty space, to compare with."""
    return await open_library(f"{space}-fresh")
