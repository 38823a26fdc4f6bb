"""`langgraph dev` as a process of its own, cold, with the blocking-call detector on."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

ROOT = Path(__file__).parents[1]
START_SECONDS = 90
OURS = ("QUIRE_", "OPENAI_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_", "LANGGRAPH_", "CORS_")

UNWANTED = re.compile(
    r"BlockingError|Blocking call|Traceback|unregistered type|Blocked deserialization|"
    r"never retrieved|never awaited|Slow graph",
    re.IGNORECASE,
)
"""What the log of a server holds only if something is wrong."""


def environment(data_dir: Path, **given: str) -> dict[str, str]:
    """That of a user who configured nothing but what is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return kept | {
        "QUIRE_DATA_DIR": str(data_dir),
        "QUIRE_DATABASE_IDLE_SECONDS": "0",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        **given,
    }


class DevServer:
    """A server on a free port, in a folder of its own, so that it reads nobody's .env.

    Attributes:
        url: its address.
        client: a client of its API.
    """

    def __init__(self, data_dir: Path, **given: str) -> None:
        """Args: data_dir: of the library. given: variables of the environment."""
        self._folder = Path(tempfile.mkdtemp(prefix="quire-dev-"))
        shutil.copy(ROOT / "langgraph.json", self._folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._environment = environment(data_dir, QUIRE_FILES_ROOTS=str(ROOT), **given)

    @property
    def client(self) -> LangGraphClient:
        """A client of its own for each use: it belongs to an event loop."""
        return get_client(url=self.url)

    @property
    def log(self) -> str:
        """All that the server has said."""
        return (self._folder / "log").read_text()

    @property
    def complaints(self) -> list[str]:
        """Lines of the log that should not be there."""
        return [line for line in self.log.splitlines() if UNWANTED.search(line)]

    def __enter__(self) -> Self:
        """Start it and wait until it answers."""
        command = [
            str(Path(sys.executable).parent / "langgraph"), "dev", "--port", str(self._port),
            "--no-browser", "--no-reload", "--n-jobs-per-worker", "10",
        ]  # fmt: skip
        with (self._folder / "log").open("w") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                env=self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                if json.loads(httpx.get(f"{self.url}/ok", timeout=2).text)["ok"]:
                    return
            except (httpx.HTTPError, KeyError, ValueError):
                time.sleep(0.1)
        raise RuntimeError(f"the server did not start:\n{self.log[-3000:]}")
