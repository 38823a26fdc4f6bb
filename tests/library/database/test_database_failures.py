"""What goes wrong with the database is told in one sentence; its details stay in its log."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import start
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, task_of
from graph_runs import CONCEPTS

from library.database.connections import close_databases
from library.library import open_library
from schema.errors import LibraryError

ROOT = Path(__file__).parents[3]
ASK = ("report", "How do BM25 and reranking work together?", "--files", str(CONCEPTS))
SMALL_FILES = 1 << 20
FILES = 17 << 20
"""Longer than a segment of the write-ahead log, which nothing may cut."""


def kill_server(data: Path) -> None:
    os.kill(int((data / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)


def limited(data: Path, size: int, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a script whose files, and those of the server that it starts, may not grow longer."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
    return subprocess.run(
        [sys.executable, "-c", limit + script],
        env={**os.environ, "QUIRE_DATA_DIR": str(data), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.slow
def test_a_disk_too_small_for_a_server_is_named(new_data_dir: Path) -> None:
    done = limited(
        new_data_dir,
        SMALL_FILES,
        "import sys; sys.argv = ['quire', 'reports', 'list']; from cli import main; main()",
    )
    assert done.returncode == 1
    assert done.stderr.startswith("quire: The library's server cannot be started in ")
    assert "free some room on its disk" in done.stderr
    assert done.stderr.count("\n") == 1


FILL = """
import asyncio
from library.database.connections import close_databases
from library.library import open_library
from schema.errors import LibraryError

async def main():
    library = await open_library()
    try:
        async with library.database.session("ann") as connection:
            await connection.execute(
                "CREATE TEMPORARY TABLE much AS SELECT repeat(md5(n::text), 50) "
                "FROM generate_series(1, 16000) AS n"
            )
    except LibraryError as error:
        print(error)
    print(await library.count())
    await close_databases()

asyncio.run(main())
"""


@pytest.mark.slow
def test_a_disk_that_fills_up_is_named_and_the_library_goes_on(new_data_dir: Path) -> None:
    done = limited(new_data_dir, FILES, FILL)
    sentence, count = done.stdout.splitlines()
    assert sentence.startswith("The library's database has no room left on its disk (")
    assert (count, done.stderr) == ("(0, 0)", "")


@pytest.mark.slow
def test_a_server_that_is_killed_ends_a_run_with_one_sentence(
    new_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And neither work nor words are lost: it is resumed. Then the server is spoilt for good."""
    monkeypatch.setenv("QUIRE_DATA_DIR", str(new_data_dir))
    writer, waiting = Writer(), False

    def hang(request: ChatRequest) -> float:
        nonlocal waiting
        waiting |= (now := task_of(request) == "write_section")
        return 2.0 if now else 0.0

    with FakeOpenAI(writer) as api:
        api.hang = hang
        running = start(*ASK, OPENAI_BASE_URL=api.base_url)
        while not waiting and running.poll() is None:
            asyncio.run(asyncio.sleep(0.05))
        kill_server(new_data_dir)
        printed, said = running.communicate(timeout=120)
        assert (running.returncode, printed) == (1, "")
        begun, sentence = said.splitlines()
        assert sentence.startswith("quire: The library's database does not answer (")
        assert f"its log is {new_data_dir / 'postgres' / 'log'}" in sentence
        identity = begun.removeprefix("report ")
        assert sentence.endswith(f" (resume with: quire report --resume {identity})")
        api.hang = lambda _: 0.0
        again = start("report", "--resume", identity, OPENAI_BASE_URL=api.base_url)
        printed, said = again.communicate(timeout=120)
        assert (again.returncode, said) == (0, f"{begun}\n")
        assert printed.startswith("# ")
    with (new_data_dir / "postgres" / "postgresql.conf").open("a") as configuration:
        configuration.write("nonsense = 1\n")
    spoilt = start("reports", "list")
    printed, said = spoilt.communicate(timeout=60)
    assert (spoilt.returncode, printed) == (1, "")
    assert "contains errors" in said
    assert said.count("\n") == 1
    assert "nonsense" in (new_data_dir / "postgres.log").read_text()


@pytest.mark.slow
async def test_a_process_outlives_its_server(
    new_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that the server is away, and starts it again once its processes are gone."""
    monkeypatch.setenv("QUIRE_DATA_DIR", str(new_data_dir))
    library = await open_library()
    kill_server(new_data_dir)

    async def count_on() -> None:
        while True:  # a process of the server may answer until it notices
            await library.count()

    with pytest.raises(LibraryError, match="does not answer"):
        await asyncio.wait_for(count_on(), 60)
    async with asyncio.timeout(60):
        while True:
            with suppress(LibraryError):
                assert await (await open_library()).count() == (0, 0)
                break
            await asyncio.sleep(0.5)
    await close_databases()
