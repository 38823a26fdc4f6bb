"""A library of one's own."""

from typing import Any

import pytest
from psycopg import AsyncCursor

from library.library import Library, open_library


@pytest.fixture
async def library(space: str) -> Library:
    """An empty space."""
    return await open_library(space)


@pytest.fixture
async def fresh(space: str) -> Library:
    """A second empty space, to compare with."""
    return await open_library(f"{space}-fresh")


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the database is asked from now on."""
    asked: list[str] = []
    execute = AsyncCursor.execute

    def record(cursor: Any, query: Any, *given: Any, **options: Any) -> Any:
        asked.append(query if isinstance(query, str) else query.as_string())
        return execute(cursor, query, *given, **options)

    monkeypatch.setattr(AsyncCursor, "execute", record)
    return asked
