"""The command line with every kind of model: each command is a process that is cold."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dev_server import environment
from graph_runs import CONCEPTS
from ways_in.cases import QUESTION, World

SECTIONS = {"general": 1, "deeper": 6}

pytestmark = pytest.mark.slow

with_and_without_a_key = pytest.mark.parametrize("keyed", [False, True])


def quire(world: World, variables: dict[str, str], *arguments: str) -> str:
    """What a command prints; it says nothing besides and succeeds."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", *arguments],
        env=environment(world.data_dir, **variables),
        cwd=world.data_dir,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr
    return done.stdout


@with_and_without_a_key
@pytest.mark.parametrize("mode", SECTIONS)
def test_a_report_and_its_revision(
    mode: str, keyed: bool, world: World, variables: dict[str, str], tmp_path: Path
) -> None:
    variables = variables if keyed else {}
    out = tmp_path / "report.json"
    given = ["--mode", mode, "--space", world.space, "--json", str(out)]
    text = quire(world, variables, "report", QUESTION, *given)
    report = json.loads(out.read_text())
    assert len([one for one in report["sections"] if "kind" not in one]) == SECTIONS[mode]
    assert report["citations"]
    assert "[1]" in text
    if mode != "general":
        return
    instruction = ["--section", "1", "say more of chunking and of HNSW"]
    assert quire(world, variables, "reports", "revise", report["id"], *instruction)


@with_and_without_a_key
def test_an_answer(keyed: bool, world: World, variables: dict[str, str]) -> None:
    asked = ["ask", "HNSW: ef_search?", "--space", world.space]
    assert "[1]" in quire(world, variables if keyed else {}, *asked)


def test_a_folder_comes_into_the_library(
    world: World, variables: dict[str, str], space: str
) -> None:
    said = quire(world, variables, "ingest", str(CONCEPTS), "--space", space)
    assert said == f"{space}: 10 added\n"
