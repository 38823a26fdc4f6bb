"""Stops the embedded server when the process that started this one is gone, however it went.

A process that is killed, or that a web server ends by signal, runs no exit handlers; without this
its PostgreSQL would run on until the machine stops. Run as a script, on the standard library alone:

    python reaper.py DATA_FOLDER LOCK_FILE OWNER_PID

It reads standard input, a pipe that its owner never writes to: the end of it is the owner's end.
"""

import fcntl
import json
import os
import signal
import sys
from pathlib import Path


def alive(pid: int) -> bool:
    """Whether a process of this id exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def reap(data: Path, lock: Path, owner: int) -> None:
    """Take the owner off the server's list of users; stop the server if nobody is left on it."""
    with lock.open("a") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)  # the lock that joining the server takes
        handles, postmaster = data / ".handle_pids.json", data / "postmaster.pid"
        if not handles.exists() or not postmaster.exists():
            return
        users = [pid for pid in json.loads(handles.read_text() or "[]") if pid != owner]
        users = [pid for pid in users if alive(pid)]
        handles.write_text(json.dumps(users))
        if not users:
            os.kill(int(postmaster.read_text().split()[0]), signal.SIGINT)  # a fast shutdown


if __name__ == "__main__":
    sys.stdin.buffer.read()
    reap(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
