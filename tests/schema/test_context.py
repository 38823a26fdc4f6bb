"""What a run may be told, and what it is told where it is told nothing."""

import pytest
from pydantic import ValidationError

from schema.context import Context
from schema.errors import InputError
from schema.settings import settings


def test_every_field_has_a_default() -> None:
    assert Context().sections == 1
    assert Context(research_mode="deeper").sections == 6


def test_a_cleared_field_of_the_form_is_the_default() -> None:
    assert Context.model_validate({"language": "", "top_k": None, "space": ""}) == Context()


@pytest.mark.parametrize(
    "values",
    [
        {"research_mode": "deepest"},
        {"top_k": 0},
        {"top_k": 101},
        {"section_tokens": 1},
        {"space": "a b"},
        {"space": "x" * 101},
        {"language": "English"},
        {"search_seconds": -1},
        {"unknown": 1},
    ],
)
def test_what_is_out_of_bounds_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Context.model_validate(values)


def test_the_form_shows_a_description_and_bounds_for_each_field() -> None:
    fields = Context.model_json_schema()["properties"]
    assert all(field["description"] for field in fields.values())
    assert fields["section_tokens"]["minimum"] == 500


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "extractive"),
        ({"OPENAI_API_KEY": "x"}, "openai:gpt-4.1-mini"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "openai:gpt-4.1-mini"),
        ({"OPENAI_API_KEY": "x", "QUIRE_MODEL": "extractive"}, "extractive"),
        ({"OPENAI_API_KEY": ""}, "extractive"),
    ],
)
def test_a_key_or_a_server_chooses_the_model(
    environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert settings().default_model == expected


def test_settings_follow_the_environment_and_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    assert settings().model_concurrency == 8
    Path(".env").write_text("QUIRE_MODEL_CONCURRENCY=3\n")
    assert settings().model_concurrency == 3
    monkeypatch.setenv("QUIRE_MODEL_CONCURRENCY", "5")
    assert settings().model_concurrency == 5


def test_a_setting_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "soon")
    with pytest.raises(InputError, match="QUIRE_CONNECTOR_SECONDS cannot be used"):
        settings()


def test_no_secret_shows_in_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("QUIRE_DATABASE_URL", "postgresql://u:pass-secret@h/d")
    assert "secret" not in repr(settings())
