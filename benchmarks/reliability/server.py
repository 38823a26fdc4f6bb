"""`langgraph dev` in a process of its own, and clients that ask it for reports."""

import asyncio
import socket
import sys
import time
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any, Self

import httpx
from langgraph_sdk import get_client

from benchmarks.reliability.process import ROOT, Place, ended

START_SECONDS = 90.0


class Server:
    """Serves while the context is open.

    Attributes:
        url: of its API.
        log: what it printed.
    """

    def __init__(self, here: Place, jobs: int) -> None:
        """Choose a port; `jobs` is the number of runs at once."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = here.work / f"server-{port}.log"
        self._command = [
            str(Path(sys.executable).parent / "langgraph"), "dev", "--port", str(port),
            "--no-browser", "--no-reload", "--n-jobs-per-worker", str(jobs),
        ]  # fmt: skip
        self._environment = {
            **here.environment(),
            "LANGGRAPH_DISABLE_FILE_PERSISTENCE": "true",
        }
        self._process: Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._process is not None
        return self._process.pid

    def __enter__(self) -> Self:
        with self.log.open("wb") as output:
            self._process = Popen(
                self._command,
                cwd=ROOT,
                env=self._environment,
                stdin=DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                if httpx.get(f"{self.url}/ok", timeout=2).status_code == 200:
                    return self
            except httpx.HTTPError:
                time.sleep(0.2)
        self.__exit__()
        raise RuntimeError(f"The server did not start: {self.log.read_text()[-1000:]}")

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(15)
        finally:
            ended(self._process)

    async def reports(
        self, questions: list[str], context: dict[str, Any], seconds: float
    ) -> tuple[list[dict[str, Any]], float]:
        """Ask for all reports at once.

        Returns:
            What came of each, as `many` tells it; and the 95th percentile of how long `/ok` took.
        """
        late: list[float] = []
        watching = asyncio.create_task(self._lateness(late))
        try:
            outcomes = await asyncio.gather(
                *(self._report(question, context, seconds) for question in questions)
            )
        finally:
            watching.cancel()
        late.sort()
        return list(outcomes), round(late[int(len(late) * 0.95)], 3) if late else 0.0

    async def _report(
        self, question: str, context: dict[str, Any], seconds: float
    ) -> dict[str, Any]:
        client = get_client(url=self.url, timeout=seconds)
        started = time.monotonic()
        told: dict[str, Any] = {"question": question, "report": None, "error": ""}
        try:
            thread = (await client.threads.create())["thread_id"]
            asked: Any = {"messages": [{"role": "user", "content": question}]}
            state: Any = await client.runs.wait(thread, "report", input=asked, context=context)
            told["report"] = state.get("report")
        except Exception as error:  # noqa: BLE001  (the client raises what the server says)
            told["error"] = f"{type(error).__name__}: {error}"[:300]
        return {**told, "seconds": round(time.monotonic() - started, 2)}

    async def _lateness(self, late: list[float]) -> None:
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as client:
            while True:
                started = time.monotonic()
                await client.get("/ok")
                late.append(time.monotonic() - started)
                await asyncio.sleep(0.2)
