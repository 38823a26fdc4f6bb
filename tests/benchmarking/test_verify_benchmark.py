"""The benchmark of bundles, on a few pages: each way in which a page changes is told."""

import argparse
from pathlib import Path

import pytest

from benchmarks.measures.drift import FATES
from benchmarks.verify import is_met, measure


@pytest.mark.slow
async def test_every_change_of_bytes_and_pages_is_told(
    own_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    options = argparse.Namespace(pages=20, flips=6, seed=3)
    found = await measure(options, tmp_path)
    assert own_database
    assert found["rows"]["towns"]["citations"] == 20
    assert {*found["drift"]} == {*(one.name for one in FATES), "quotes that still stand"}
    for row in found["rows"].values():
        row["seconds"] = 0  # whether it keeps its time is asked by the benchmark
    assert is_met(found)
    found["flips"]["seal"] = (1, 2)
    assert not is_met(found)
