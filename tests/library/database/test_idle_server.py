"""The embedded server stays a while after its last user, and no longer."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[3]

_USE = (
    "import sys; from pathlib import Path\n"
    "from library.database.embedded_postgres import start_server\n"
    "start_server(Path(sys.argv[1])); print('started', flush=True); sys.stdin.read()"
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there it stops with its last user")


def _start(folder: Path, idle: float) -> "subprocess.Popen[bytes]":
    """A process that uses the server of a folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", _USE, str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "QUIRE_DATABASE_IDLE_SECONDS": str(idle)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    return process


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.communicate()
    assert process.returncode == 0


def _find_server(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "postgres" / "postmaster.pid").read_text().split()[0]))


def _is_gone(server: psutil.Process) -> bool:
    """Whether it has ended, be it that nobody has asked how."""
    try:
        return server.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _wait(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.05)


@pytest.mark.slow
def test_the_next_command_finds_the_server_of_the_last_and_both_leave_none(
    new_data_dir: Path,
) -> None:
    _end(_start(new_data_dir, idle=60))
    server = _find_server(new_data_dir)
    assert not _is_gone(server)
    second = _start(new_data_dir, idle=0)
    assert _find_server(new_data_dir) == server
    _end(second)
    assert _is_gone(server)


@pytest.mark.slow
def test_the_server_of_a_killed_process_stops_once_it_was_idle_for_so_long(
    new_data_dir: Path,
) -> None:
    first, second = _start(new_data_dir, idle=0.5), _start(new_data_dir, idle=0.5)
    server = _find_server(new_data_dir)
    second.send_signal(signal.SIGKILL)
    second.wait()
    _end(_start(new_data_dir, idle=0))
    assert not _is_gone(server), "the first still uses it"
    first.send_signal(signal.SIGKILL)
    first.wait()
    _wait(lambda: _is_gone(server))


@pytest.mark.slow
def test_the_server_of_a_folder_that_is_removed_stops(new_data_dir: Path) -> None:
    _end(_start(new_data_dir, idle=3600))
    server = _find_server(new_data_dir)
    shutil.rmtree(new_data_dir / "postgres", ignore_errors=True)
    _wait(lambda: _is_gone(server))
