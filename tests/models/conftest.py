"""What the tests of models share."""

import pytest
from fakes.openai_api import FakeOpenAI
from odd_openai import KEY, NAME, Speaks

from models.calls import Role


@pytest.fixture
def speaks_to(monkeypatch: pytest.MonkeyPatch) -> Speaks:
    """Make a fake provider the configured one, with a key."""

    def configure(api: FakeOpenAI) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)

    return configure


@pytest.fixture
def role() -> Role:
    """A role whose model is the provider's."""
    return Role("writer", NAME)
