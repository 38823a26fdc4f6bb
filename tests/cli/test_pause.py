"""A report that is paused by a command, or suspended by Ctrl-Z, and gone on with."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable

import pytest
from command_line import command, one_sentence, quire
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS, QUESTION

pytestmark = pytest.mark.slow


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
        start_new_session=True,
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


def test_the_time_that_a_run_was_suspended_does_not_count(space: str) -> None:
    with FakeOpenAI(Writer(), latency=0.1) as api:
        running = start(api, space, "--max-minutes", "0.2")
        wait_until(lambda: api.requests or running.poll() is not None)
        os.killpg(running.pid, signal.SIGTSTP)
        time.sleep(1)  # what was on its way arrives
        held = len(api.requests)
        time.sleep(10)
        assert len(api.requests) <= held + 1
        os.killpg(running.pid, signal.SIGCONT)
        printed, said = running.communicate(timeout=60)
    assert running.returncode == 0, said
    assert "time is over" not in printed
    assert "[1]" in printed
