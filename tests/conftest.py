"""Tests use a real embedded PostgreSQL, real clients on loopback, and no other network."""

import atexit
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["LANGSMITH_TRACING"] = "false"
os.environ["LANGGRAPH_CLI_NO_ANALYTICS"] = "1"

# Where a user's own data would be: no test may come here, see `nothing_of_the_user`.
_USERS = Path(tempfile.gettempdir()) / f"quire-user-{os.getpid()}"
os.environ["XDG_DATA_HOME"] = str(_USERS)

_OURS = ("QUIRE_", "OPENAI_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_", "HF_")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Where this session's embedded server keeps its data.

    Not below pytest's own folder: run by root, the server is another user, and every further
    session of pytest locks other users out of that folder.
    """
    folder = Path(tempfile.mkdtemp(prefix="quire-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # after the server was stopped
    return folder


@pytest.fixture(scope="session", autouse=True)
def nothing_of_the_user(data_dir: Path) -> Iterator[None]:
    """No test, fixture or process uses the user's own library.

    The session's folder is set for all of it: fixtures of modules come before those of tests, and
    what outlives a test still has it.
    """
    os.environ["QUIRE_DATA_DIR"] = str(data_dir)
    yield
    assert not (_USERS / "quire").exists(), "a test used the data folder of the user"


@pytest.fixture
def new_data_dir() -> Iterator[Path]:
    """A folder for an embedded server of the test's own."""
    with tempfile.TemporaryDirectory(prefix="quire-") as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data_dir: Path) -> None:
    """No key, no configuration, an empty working directory; the session's database."""
    for name in list(os.environ):
        if name.startswith(_OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("QUIRE_DATA_DIR", str(data_dir))
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session", autouse=True)
async def close_database() -> AsyncIterator[None]:
    """Leave no connection behind when the session ends."""
    yield
    from library.database import close

    await close()


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
