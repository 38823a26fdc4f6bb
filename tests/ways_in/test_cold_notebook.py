"""Every graph from a notebook, in every way that LangGraph has, in a process that is cold."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dev_server import ROOT, environment
from ways_in.cases import CASES, MODELS, Case, World

SCRIPT = Path(__file__).parent / "notebook_run.py"
TOGETHER = ("report-deep", "report-deeper", "revise_section")
"""Runs that take long, or cannot be repeated: their stream modes are asked for at once."""


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_notebook_runs_a_graph_in_every_way(
    case: Case,
    model: str,
    inputs: list[dict[str, Any]],
    world: World,
    variables: dict[str, str],
    tmp_path: Path,
) -> None:
    asked = {
        "graph": case.graph,
        "inputs": inputs,
        "context": case.context_in(world),
        "together": case.name in TOGETHER,
    }
    done = subprocess.run(
        [sys.executable, str(SCRIPT), json.dumps(asked)],
        env=environment(world.data_dir, PYTHONPATH=str(ROOT), **variables),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stderr == ""
    told = json.loads(done.stdout)
    for state in told["states"].values():
        case.check(state, case)
    assert {"values", "updates", "custom", "debug", "checkpoints", "tasks"} <= told["kinds"].keys()
    assert ("messages" in told["kinds"]) is (case.graph != "ingest")
    assert {"on_chain_start", "on_chain_end"} <= told["kinds"].keys()
    assert told["loaded_on_loop"] == []
