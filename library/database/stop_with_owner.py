"""Stops the embedded server when the process that started this one is gone, however it went.

A process that is killed, or that a web server ends by signal, runs no exit handlers; without this
its PostgreSQL would run on until the machine stops. Run as a script, on the standard library alone:

    python stop_with_owner.py DATA_FOLDER LOCK_FILE OWNER_PID

It reads standard input, a pipe that its owner never writes to: the end of it is the owner's end.
"""

import fcntl
import json
import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST_SHUTDOWN = 60.0
"""Seconds that a fast shutdown may take."""


@contextmanager
def hold_lock(lock: Path, longest: float = math.inf) -> Iterator[None]:
    """Hold the lock that everybody takes who starts, joins or stops an embedded server.

    Args:
        lock: its file.
        longest: seconds to wait for it.

    Raises:
        TimeoutError: another process held it all the time.
    """
    deadline = time.monotonic() + longest
    with lock.open("a") as file:
        while True:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except (BlockingIOError, PermissionError):  # how systems say that it is held
                if time.monotonic() > deadline:
                    raise TimeoutError(f"another process has held {lock} for long") from None
            time.sleep(0.05)
        yield


def list_users(data: Path, *, without: int | None = None) -> list[int]:
    """The live processes on the server's list of users; the list is put right. Needs the lock."""
    handles = data / ".handle_pids.json"
    if not handles.exists():
        return []
    listed: list[int] = json.loads(handles.read_text() or "[]")
    live = [pid for pid in listed if pid != without and _is_alive(pid)]
    if live != listed:
        handles.write_text(json.dumps(live))
    return live


def stop_server(data: Path) -> None:
    """Shut the server down and wait for its end: nobody may join it now. Needs the lock."""
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    postmaster = int(pid_file.read_text().split()[0])
    os.kill(postmaster, signal.SIGINT)
    deadline = time.monotonic() + LONGEST_SHUTDOWN
    while _is_alive(postmaster) and pid_file.exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    sys.stdin.buffer.read()
    folder, lock_file, owner = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    with hold_lock(lock_file):
        if not list_users(folder, without=owner):
            stop_server(folder)
