"""What a server's clients may bring into the library with its operator's keys."""

from pathlib import Path

import pytest

from connectors.served import check_served, get_upload_folder
from schema.errors import InputError


@pytest.mark.parametrize(
    ("patterns", "source", "allowed"),
    [
        ("", "github:acme/turbines", False),
        ("github:acme/*", "github:acme/turbines", True),
        ("github:acme/*", "github:other/turbines", False),
        ("github:acme/*", "slack:acme/x", False),
        ("slack:general, web:*", "web:https://acme.test/", True),
        ("*", "slack:secret", True),
        ("slack:general", "slack:general-private", False),
    ],
)
def test_only_sources_that_the_operator_names_are_read(
    monkeypatch: pytest.MonkeyPatch, patterns: str, source: str, allowed: bool
) -> None:
    monkeypatch.setenv("QUIRE_SERVED_SOURCES", patterns)
    connector, _, place = source.partition(":")
    if allowed:
        check_served(connector, place, "ada", "notes")
        return
    with pytest.raises(InputError, match=f"may not read {source}: .* QUIRE_SERVED_SOURCES"):
        check_served(connector, place, "ada", "notes")


@pytest.mark.parametrize("place", ["in", "in/a.md", "in/../in/b.md"])
def test_files_are_read_below_the_roots(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    monkeypatch.setenv("QUIRE_FILES_ROOTS", f"{tmp_path}/elsewhere:{tmp_path}/in")
    check_served("files", str(tmp_path / place), "ada", "notes")


@pytest.mark.parametrize("place", ["out", "in/../out", "inside", "/etc/passwd"])
def test_other_files_are_not_whatever_the_patterns_say(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    monkeypatch.setenv("QUIRE_FILES_ROOTS", f"{tmp_path}/in")
    monkeypatch.setenv("QUIRE_SERVED_SOURCES", "*")
    with pytest.raises(InputError, match="QUIRE_FILES_ROOTS"):
        check_served("files", str(tmp_path / place), "ada", "notes")


@pytest.mark.parametrize(
    ("owner", "space"), [("ada", "other"), ("eve", "notes"), ("@ada", "notes"), ("ada\0", "notes")]
)
def test_what_was_uploaded_is_read_into_its_own_space_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, owner: str, space: str
) -> None:
    monkeypatch.setenv("QUIRE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(tmp_path / "in"))
    mine = get_upload_folder("ada", "notes")
    check_served("files", str(mine / "a.md"), "ada", "notes")
    with pytest.raises(InputError, match="QUIRE_FILES_ROOTS"):
        check_served("files", str(mine / "a.md"), owner, space)
