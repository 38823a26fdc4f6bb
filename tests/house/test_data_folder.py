"""The suite has a library of its own, from its first fixture to its last process."""

import os
from pathlib import Path

import pytest

from schema.settings import Settings


@pytest.fixture(scope="module")
def of_the_module() -> str:
    """The data folder that fixtures of modules see; they come before those of tests."""
    return os.environ["QUIRE_DATA_DIR"]


def test_fixtures_of_modules_have_the_session_s_folder(of_the_module: str, data_dir: Path) -> None:
    assert of_the_module == str(data_dir)


def test_nobody_s_folder_stands_where_a_user_s_would() -> None:
    assert Path(os.environ["XDG_DATA_HOME"]) in Settings.model_fields["data_dir"].default.parents
