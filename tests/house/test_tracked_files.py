"""The repository holds what people wrote, and nothing that a program left there."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_BYTES = 1_000_000


def list_tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / one for one in listed.stdout.split("\0") if one and (ROOT / one).is_file()]


def test_no_data_folder_is_tracked() -> None:
    # one that a command's mistyped option had made was committed with all of its database
    assert [one for one in list_tracked() if one.name in {"PG_VERSION", "postmaster.opts"}] == []


def test_no_tracked_file_is_large() -> None:
    assert [one for one in list_tracked() if one.stat().st_size > MOST_BYTES] == []
