"""Ctrl-C, at any time: one line, exit code 130, and nothing left behind."""

import fcntl
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command_line import command, start
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS

INTERRUPTED = """
import atexit, builtins, os, signal
given, wanted = builtins.__import__, os.environ["CTRL_C_AT"]

def imported(name, *rest, **more):
    module = given(name, *rest, **more)
    if name == wanted:
        builtins.__import__ = given
        signal.raise_signal(signal.SIGINT)
    return module

builtins.__import__ = imported
if wanted == "the end":
    atexit.register(signal.raise_signal, signal.SIGINT)
"""
"""Stands for a user: it presses Ctrl-C when a module was loaded, or when all is done."""


def pressing_at(moment: str, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command whose user presses Ctrl-C at a moment."""
    (folder / "sitecustomize.py").write_text(INTERRUPTED)
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(folder), "CTRL_C_AT": moment},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "arguments"),
    [
        ("typer", ["--help"]),
        ("cli.app", ["--help"]),
        ("serving.sources", ["sources", "connectors"]),
        ("exports.formats", ["reports", "show", "nosuchid"]),
        ("library.database.connections", ["reports", "list"]),
        ("psycopg", ["reports", "list"]),
    ],
)
def test_ctrl_c_while_a_command_begins_or_ends(
    moment: str, arguments: list[str], tmp_path: Path
) -> None:
    done = pressing_at(moment, tmp_path, *arguments)
    assert (done.returncode, done.stderr) == (130, "quire: stopped\n")


@pytest.mark.slow
def test_ctrl_c_after_all_was_printed_takes_nothing_back(tmp_path: Path) -> None:
    done = pressing_at("the end", tmp_path, "sources", "connectors", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)


@pytest.mark.slow
def test_ctrl_c_while_another_process_starts_its_server(tmp_path: Path, new_data_dir: Path) -> None:
    """It waits in a thread for a lock, which nothing can interrupt."""
    with (new_data_dir / ".lockfile").open("a") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        waiting = start(
            "reports",
            "list",
            QUIRE_DATA_DIR=str(new_data_dir / "data"),
            TMPDIR=str(new_data_dir),
            XDG_RUNTIME_DIR=str(new_data_dir / "nowhere"),
        )
        deadline = time.monotonic() + 60
        while not (new_data_dir / "data").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        waiting.send_signal(signal.SIGINT)
        printed, said = waiting.communicate(timeout=30)
    assert (waiting.returncode, printed, said) == (130, "", "quire: stopped\n")


@pytest.mark.slow
@pytest.mark.parametrize("presses", [2, 5])
def test_ctrl_c_pressed_again_says_no_more(presses: int, space: str, tmp_path: Path) -> None:
    with FakeOpenAI(Writer()) as api:
        api.hang = lambda _: 60
        running = subprocess.Popen(
            command("report", "What is BM25?", "--files", str(CONCEPTS), "--space", space),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "OPENAI_BASE_URL": api.base_url},
        )
        deadline = time.monotonic() + 60
        while not api.requests and time.monotonic() < deadline:
            time.sleep(0.05)
        for _ in range(presses):
            os.killpg(running.pid, signal.SIGINT)  # as a terminal does
            time.sleep(0.02)
        printed, said = running.communicate(timeout=30)
    assert (running.returncode, printed) == (130, ""), said
    hint = r"report (\w{8})\nquire: stopped( \(resume with: quire report --resume \1\))?\n"
    assert re.fullmatch(hint, said), said
