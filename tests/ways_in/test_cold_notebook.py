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
APART = ("section", "ingest")
"""What is quick: its stream modes are asked for one by one, of the others all at once."""


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_notebook_runs_a_graph_in_every_way(
    case: Case,
    inputs: list[dict[str, Any]],
    world: World,
    variables: dict[str, str],
    tmp_path: Path,
) -> None:
    asked = {
        "graph": case.graph,
        "inputs": inputs,
        "contexts": [case.context_in(world, model) for model in MODELS],
        "together": case.name not in APART,
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
    for run in told["runs"]:
        for state in run["states"].values():
            case.check(state, case)
        kinds = run["kinds"].keys()
        assert {"values", "updates", "custom", "debug", "checkpoints", "tasks"} <= kinds
        assert ("messages" in kinds) is (case.graph != "ingest")
        assert {"on_chain_start", "on_chain_end"} <= kinds
    assert told["loaded_on_loop"] == []
