"""What a run may be told, and what it is told where it is told nothing."""

import pytest

from schema.context import Context
from schema.errors import InputError
from schema.settings import get_settings


def test_every_field_has_a_default() -> None:
    assert (Context().sections, Context().words_in_all) == (1, 450)
    deeper = Context(research_mode="deeper")
    assert (deeper.sections, deeper.section_limits, deeper.words_in_all) == (6, (4, 10), 2_520)
    assert (deeper.run_seconds, deeper.section_tokens) == (3_600, 4_000)


def test_a_length_that_was_asked_for_is_that_of_the_whole_report() -> None:
    assert Context(research_mode="deep", words=4_000).words_in_all == 4_000


def test_a_cleared_field_of_the_form_is_the_default() -> None:
    assert Context.model_validate({"language": "", "top_k": None, "space": ""}) == Context()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"research_mode": "deepest"}, "cannot be 'deepest': it must be 'general', 'deep' or 'd"),
        ({"search_mode": 3}, "cannot be 3: it must be 'chunks' or 'documents'."),
        ({"top_k": 0}, "cannot be 0: it must be greater than or equal to 1."),
        ({"top_k": 101}, "cannot be 101: it must be less than or equal to 100."),
        ({"top_k": "x"}, "cannot be 'x': it must be a valid integer."),
        ({"top_k": 1.5}, "cannot be 1.5: it must be a valid integer."),
        ({"section_tokens": 1}, "cannot be 1: it must be greater than or equal to 500."),
        (
            {"space": "a b"},
            "cannot be 'a b': it must be a name of letters, digits, _, . and -, or @GROUP/NAME.",
        ),
        ({"space": "x" * 101}, f"cannot be '{'x' * 99}: it must have at most 100 characters."),
        ({"language": "English"}, "cannot be 'English': it must be a code of two or three lette"),
        ({"search_seconds": -1}, "cannot be -1: it must be greater than 0."),
        ({"search_seconds": float("nan")}, "cannot be nan: it must be less than or equal to 600."),
        ({"shape": "essay"}, "cannot be 'essay': it must be 'how-to', 'comparison', 'timeline', "),
        ({"audience": "x\0"}, "cannot be 'x\\x00': it must be text."),
        ({"connectors": "tavily"}, "cannot be 'tavily': it must be a valid list."),
        ({"paths": ["docs", ""]}, "cannot be '': it must have at least 1 character."),
        ({"check_links": "maybe"}, "cannot be 'maybe': it must be a valid boolean."),
        ({"unknown": 1}, "does not exist: use one of answer_tokens, approve_outline, "),
        ({"unknown": ""}, "does not exist: use one of answer_tokens, approve_outline, "),
    ],
)
def test_what_cannot_be_used_is_one_sentence(values: dict[str, object], said: str) -> None:
    for make in (Context.model_validate, lambda given: Context(**given)):
        with pytest.raises(InputError) as caught:
            make(values)
        assert str(caught.value).startswith(f"The setting {next(iter(values))} {said}")
        assert str(caught.value).endswith(".")
        assert "\n" not in str(caught.value)


def test_a_context_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match=r"^The setting context cannot be 5: it must be a valid d"):
        Context.model_validate(5)


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
    assert get_settings().default_model == expected


def test_settings_follow_the_environment_and_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    assert get_settings().model_concurrency == 8
    Path(".env").write_text("QUIRE_MODEL_CONCURRENCY=3\n")
    assert get_settings().model_concurrency == 3
    monkeypatch.setenv("QUIRE_MODEL_CONCURRENCY", "5")
    assert get_settings().model_concurrency == 5


def test_a_setting_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_CONNECTOR_SECONDS", "soon")
    with pytest.raises(InputError, match="QUIRE_CONNECTOR_SECONDS cannot be used"):
        get_settings()


def test_no_secret_shows_in_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    monkeypatch.setenv("QUIRE_TEAM_SECRET", "hidden-of-a-team")
    monkeypatch.setenv("QUIRE_DATABASE_URL", "postgresql://u:pass-hidden@h/d")
    assert "hidden" not in repr(get_settings())
