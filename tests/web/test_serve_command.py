"""`quire serve` as a process: ended in the middle of a run, and started again."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from fakes.writer import Writer, task_of
from graph_runs import QUESTION, speaking
from visitors import Visitor, said

pytestmark = pytest.mark.slow


def find_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def serving(port: int) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "cli", "serve", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=dict(os.environ)) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


async def come(port: int) -> Visitor:
    """A visitor, once the server answers."""
    visitor = Visitor(f"http://127.0.0.1:{port}")
    async with asyncio.timeout(60):
        while True:
            try:
                await visitor.get("/healthz")
            except httpx.TransportError:
                await asyncio.sleep(0.1)
            else:
                return visitor


def test_a_port_that_is_taken_is_named_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serving(port) as process:
            _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"Port {port} of 127.0.0.1 cannot be had (Address already in use)" in told.decode()
    assert "http://" not in told.decode()


async def test_a_run_goes_on_after_the_server_was_ended_while_a_page_followed_it(
    samples: str,
) -> None:
    port = find_port()
    with speaking(Writer()) as api:
        api.hang = lambda request: 60 if task_of(request) == "write_section" else 0
        with serving(port) as process:
            visitor = await come(port)
            asked = await visitor.post("/reports", {"question": QUESTION, "space": samples})
            path = asked.headers["location"]
            following = asyncio.create_task(visitor.get(f"{path}/events"))
            async with asyncio.timeout(60):
                while "write_section" not in map(task_of, api.requests):
                    await asyncio.sleep(0.05)
            process.send_signal(signal.SIGINT)
            assert "event: progress" in (await following).text
            assert await asyncio.to_thread(process.wait, 20) in (0, 130)
            assert process.stderr
            assert b"Traceback" not in process.stderr.read()
        api.hang = lambda _: 0
        with serving(port):
            visitor = await come(port)
            assert "This report is unfinished" in said(await visitor.read(path))
            await visitor.post(f"{path}/resume")
            await visitor.wait_for(path, lambda page: page.cssselect("article.report"))
        assert [task_of(one) for one in api.requests].count("outline") == 1
