"""Tests use a real embedded PostgreSQL, real clients on loopback, and no other network."""

import atexit
import os
import shutil
import socket
import ssl
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from hypothesis import settings

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["LANGSMITH_TRACING"] = "false"
os.environ["LANGGRAPH_CLI_NO_ANALYTICS"] = "1"

# Bytecode is written, whatever the environment says: hundreds of processes are started here, and
# each would compile the 1,700 modules of a graph anew, which takes two seconds.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Where a user's own data would be: no test may come here, see `nothing_of_the_user`.
_USERS = Path(tempfile.gettempdir()) / f"quire-user-{os.getpid()}"
os.environ["XDG_DATA_HOME"] = str(_USERS)

_OURS = ("QUIRE_", "OPENAI_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_", "HF_")


settings.register_profile("quick", max_examples=25, deadline=None)
settings.register_profile("thorough", max_examples=200, deadline=None)
settings.load_profile("quick")  # `make test-weekly` asks for the other one


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of this session's embedded server, which all workers share.

    It is set before any test is read, so that none comes to the folder that the user named.
    Not below pytest's own folder: run by root, the server is another user, and every further
    session of pytest locks other users out of that folder.
    """
    if not hasattr(config, "workerinput"):
        os.environ["QUIRE_DATA_DIR"] = tempfile.mkdtemp(prefix="quire-")
        os.environ["QUIRE_DATABASE_IDLE_SECONDS"] = "0"  # no server outlives its tests
        atexit.register(_remove, Path(os.environ["QUIRE_DATA_DIR"]))


@pytest.hookimpl(trylast=True)  # after `-m` has left out what does not run
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Have all workers begin with slow tests, and share what is quick in the end.

    With `--dist worksteal` each is given a share in a row, and who has done theirs takes from the
    others.
    """
    workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    slow = [item for item in items if _is_slow(item)]
    quick = [item for item in items if not _is_slow(item)]
    items[:] = [
        item
        for own in range(workers)
        for part in (slow, quick)
        for item in part[len(part) * own // workers : len(part) * (own + 1) // workers]
    ]


def _is_slow(item: pytest.Item) -> bool:
    return any(item.iter_markers("slow")) or any(item.iter_markers("weekly"))


def _remove(folder: Path) -> None:
    """Remove the folder once the last worker has stopped the server."""
    deadline = time.monotonic() + 10
    while (folder / "postgres" / "postmaster.pid").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Where this session's embedded server keeps its data; tests have spaces of their own."""
    return Path(os.environ["QUIRE_DATA_DIR"])


@pytest.fixture(scope="session", autouse=True)
def nothing_of_the_user() -> Iterator[None]:
    """No test, fixture or process uses the user's own library."""
    yield
    assert not (_USERS / "quire").exists(), "a test used the data folder of the user"


@pytest.fixture(scope="session", autouse=True)
def quick_disk() -> Iterator[None]:
    """Servers that are started here wait for no disk: a commit takes 0.1 ms instead of 5."""
    from library.database import embedded_postgres

    start, quickened = embedded_postgres.start_server, set[Path]()

    def start_server(folder: Path) -> str:
        url = start(folder)
        if folder in quickened:
            return url
        quickened.add(folder)
        with psycopg.connect(url, autocommit=True) as connection:
            for setting in ("fsync", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {setting} = off")
            connection.execute("SELECT pg_reload_conf()")
        return url

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded_postgres, "start_server", start_server)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_retries() -> Iterator[None]:
    """No client backs off before it tries again; a wait that a server asks for is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("connectors.http.retries._backoff", lambda _: 0.0)
        patch.setattr("models.http_retries._backoff", lambda _: 0.0)
        patch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
        patch.setattr("openai._base_client.MAX_RETRY_DELAY", 0.05)
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """Clients share the certificates, which take 20 ms to read; no server here has any."""
    create = ssl.create_default_context
    read_once = cache(create)

    def create_default_context(*args: Any, **kwargs: Any) -> ssl.SSLContext:
        client_s = not args and kwargs.keys() == {"cafile"}
        return read_once(**kwargs) if client_s else create(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", create_default_context)
        yield


@pytest.fixture
async def own_database(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A database of the test's own, for tables that no space keeps apart; its url."""
    from library.database import embedded_postgres
    from library.database.connections import close_databases

    name = f"test_{uuid4().hex[:12]}"
    admin = embedded_postgres.start_server(data_dir)
    async with await psycopg.AsyncConnection.connect(admin, autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {name}")
    url = psycopg.conninfo.make_conninfo(admin, dbname=name)
    monkeypatch.setenv("QUIRE_DATABASE_URL", url)
    yield url
    await close_databases()


@pytest.fixture
def new_data_dir() -> Iterator[Path]:
    """A folder for an embedded server of the test's own."""
    with tempfile.TemporaryDirectory(prefix="quire-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data_dir: Path) -> None:
    """No key, no configuration, an empty working directory; the session's database."""
    for name in list(os.environ):
        if name.startswith(_OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("QUIRE_DATA_DIR", str(data_dir))
    monkeypatch.setenv("QUIRE_DATABASE_IDLE_SECONDS", "0")
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def nothing_learnt() -> None:
    """No model is known from another test, whose server may have had the same port."""
    for module, kept in (("models.served", "_served"), ("models.forms", "_forms")):
        if module in sys.modules:
            getattr(sys.modules[module], kept).clear()


@pytest.fixture(scope="session", autouse=True)
async def close_database() -> AsyncIterator[None]:
    """Leave no connection behind when the session ends."""
    yield
    from library.database.connections import close_databases

    await close_databases()


_getaddrinfo = socket.getaddrinfo


@pytest.fixture(autouse=True)
def no_name_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are looked up as on a machine without network: it knows addresses and itself."""

    def look_up(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if str(host).endswith(".invalid"):
            raise socket.gaierror(socket.EAI_NONAME, "this top-level domain has no names")
        if host not in (None, "localhost", "localhost."):
            try:
                _getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
            except socket.gaierror:
                raise socket.gaierror(socket.EAI_AGAIN, "tests ask no name service") from None
        return _getaddrinfo(host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.fixture
def space() -> str:
    """The name of a search space of one's own."""
    return f"test-{uuid4().hex[:12]}"
