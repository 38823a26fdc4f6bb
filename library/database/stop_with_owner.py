"""Stops the embedded server some time after the process that started this one is gone.

However that went: a process that is killed, or that a web server ends by signal, runs no exit
handlers; without this its PostgreSQL would run on until the machine stops. Run as a script, on the
standard library alone:

    python stop_with_owner.py DATA_FOLDER LOCK_FILE OWNER_PID IDLE_SECONDS

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
from contextlib import contextmanager, suppress
from pathlib import Path

LONGEST_SHUTDOWN = 60.0
"""Seconds that a fast shutdown may take."""

HANDLES = ".handle_pids.json"
"""The server's list of users, in its data folder."""

LOOK_SECONDS = 0.5
"""Seconds between two looks at a server that nobody uses."""


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
    handles = data / HANDLES
    if not handles.exists():
        return []
    listed: list[int] = json.loads(handles.read_text() or "[]")
    live = [pid for pid in listed if pid != without and _is_alive(pid)]
    if live != listed:
        handles.write_text(json.dumps(live))
    return live


def stop_when_idle(data: Path, lock: Path, owner: int, idle: float) -> None:
    """Stop the server once nobody has used it for so many seconds since the owner's end.

    Who joins it meanwhile has a script of its own that stops it, so this one ends. Of a data folder
    that was removed the server is stopped at once.
    """
    with hold_lock(lock):
        if list_users(data, without=owner):
            return
        seen, postmaster = _stamp(data), _read_postmaster(data)
    deadline = time.monotonic() + idle
    while (left := deadline - time.monotonic()) > 0 and postmaster is not None:
        time.sleep(min(left, LOOK_SECONDS))
        if not (data / "PG_VERSION").exists():
            with suppress(ProcessLookupError):
                os.kill(postmaster, signal.SIGQUIT)
            return
        if _stamp(data) != seen or not _is_alive(postmaster):
            return
    with hold_lock(lock):
        if _stamp(data) == seen:
            stop_server(data)


def _stamp(data: Path) -> int:
    """Changes with each user that comes or goes."""
    try:
        return (data / HANDLES).stat().st_mtime_ns
    except OSError:
        return 0


def _read_postmaster(data: Path) -> int | None:
    """The server's process; None where none runs."""
    try:
        return int((data / "postmaster.pid").read_text().split()[0])
    except (OSError, IndexError):
        return None


def stop_server(data: Path) -> None:
    """Shut the server down and wait for its end: nobody may join it now. Needs the lock."""
    pid_file, postmaster = data / "postmaster.pid", _read_postmaster(data)
    if postmaster is None:
        return
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
    stop_when_idle(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
