"""What the tests of the team's tables share: the tables, and names that no other test has."""

from uuid import uuid4

import pytest

from team.store import TeamStore, open_team


@pytest.fixture
async def team() -> TeamStore:
    return await open_team()


@pytest.fixture
def name() -> str:
    return f"user-{uuid4().hex[:12]}"
