"""Twenty reports at once in one process: none fails, and few connections serve them all."""

import asyncio
from collections import Counter
from pathlib import Path

import psycopg
import pytest
from fakes.openai_api import FakeOpenAI
from fakes.writer import Writer
from graph_runs import CONCEPTS

from library.database.connections import (
    CHECKPOINT_CONNECTIONS,
    SESSION_CONNECTIONS,
    close_databases,
    open_database,
)
from schema.context import Context
from schema.errors import QuireError
from serving.reports import begin_report, write_report
from serving.runs import run_ingest
from serving.stored_reports import remove_report

REPORTS = 20
MODEL_SECONDS = 0.2

_COUNT = (
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


async def most_connections() -> int:
    """The most that are open at a time; cancel it to have it answer."""
    url, most = (await open_database()).pool.conninfo, 0
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        try:
            while True:
                [count] = await (await connection.execute(_COUNT)).fetchone() or (0,)
                most = max(most, count)
                await asyncio.sleep(0.02)
        except asyncio.CancelledError:
            return most


async def kept(number: int, context: Context) -> str:
    """What came of one report."""
    question = f"How do BM25, dense vectors and reranking work together in case {number}?"
    begun = await begin_report(question, context)
    try:
        outcome = await write_report(begun, lambda _: None)
    except QuireError as error:
        return str(error)
    await remove_report(begun.id)
    return "written" if outcome.report else outcome.reason


@pytest.mark.slow
async def test_twenty_reports_at_once(
    new_data_dir: Path, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a server of their own, whose connections are counted."""
    monkeypatch.setenv("QUIRE_DATA_DIR", str(new_data_dir))
    context = Context(space=space)
    await run_ingest([str(CONCEPTS)], context, lambda _: None)
    with FakeOpenAI(Writer()) as api:
        api.hang = lambda _: MODEL_SECONDS
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("QUIRE_MODEL_CONCURRENCY", "64")
        watching = asyncio.create_task(most_connections())
        came_of = Counter(await asyncio.gather(*(kept(n, context) for n in range(REPORTS))))
        watching.cancel()
    assert came_of == {"written": REPORTS}
    most = await watching
    await close_databases()
    assert 1 < most <= SESSION_CONNECTIONS + CHECKPOINT_CONNECTIONS + 1
