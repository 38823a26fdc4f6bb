"""A report that is paused by a command, or suspended by Ctrl-Z, and gone on with."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from command_line import ROOT, command, one_sentence, quire
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS, QUESTION

pytestmark = pytest.mark.slow

CLOCK = """
from langgraph.runtime import Runtime
from cli.suspend import stop_clocks_while_suspended
from nodes.common.run import get_deadline
from schema.context import Context

state, runtime = {"run": "suspended"}, Runtime(context=Context())
with stop_clocks_while_suspended():
    print(get_deadline(state, runtime), flush=True)
    input()
    print(get_deadline(state, runtime))
"""


def wait_until(seen: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def start(api: FakeOpenAI, space: str, *options: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command("report", QUESTION, "--files", str(CONCEPTS), "--space", space, *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,  # of the session of who started it, or nothing can suspend it
        env={**os.environ, "OPENAI_BASE_URL": api.base_url, "OPENAI_API_KEY": "none"},
    )


def test_a_report_is_paused_from_elsewhere_and_gone_on_with(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeOpenAI(Writer()) as api:
        api.hang = lambda _: 0 if len(api.requests) < 3 else 60
        running = start(api, space)
        wait_until(lambda: len(api.requests) == 3)
        listed = quire("reports", "list").out
        identity = next(line.split()[1] for line in listed.splitlines() if space in line)
        done = quire("pause", identity)
        assert (done.code, done.err) == (0, "")
        assert done.out == f"report {identity} is paused: quire report --resume {identity}\n"
        printed, said = running.communicate(timeout=30)
        assert (running.returncode, printed) == (1, "")
        assert f"The report {identity} is paused: quire report --resume {identity}" in said
        api.hang = lambda _: 0
        asked = len(api.requests)
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        gone_on = quire("report", "--resume", identity)
        assert gone_on.code == 0
        assert re.search(r"\[1\]", gone_on.out)
        assert "reformulate" not in api.requests[asked].text  # what was done is not done again
    refused = quire("pause", identity)
    assert one_sentence(refused) == (
        f"The report {identity} is finished: there is nothing to pause."
    )


def suspend(running: "subprocess.Popen[str]") -> None:
    """Ctrl-Z, until the process has stopped."""
    os.kill(running.pid, signal.SIGTSTP)
    _, status = os.waitpid(running.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)


def test_a_suspended_report_asks_nothing_and_goes_on(space: str) -> None:
    with FakeOpenAI(Writer()) as api:
        api.hang = lambda _: 2 if len(api.requests) == 1 else 0
        running = start(api, space)
        wait_until(lambda: api.requests)
        suspend(running)
        time.sleep(4)  # it is answered, and asks nothing more
        assert len(api.requests) == 1
        os.kill(running.pid, signal.SIGCONT)
        printed, said = running.communicate(timeout=60)
    assert running.returncode == 0, said
    assert len(api.requests) > 1
    assert "[1]" in printed


def test_the_time_that_a_run_was_suspended_does_not_count() -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", CLOCK],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        process_group=0,
        cwd=ROOT,
    )
    assert running.stdin
    assert running.stdout
    before = float(running.stdout.readline())
    suspend(running)
    time.sleep(0.5)
    os.kill(running.pid, signal.SIGCONT)
    after, _ = running.communicate("go on\n", timeout=60)
    assert float(after) >= before + 0.5
