"""Every statement on users' rows names the user; none of the library's goes unlooked at."""

import ast
import re
import traceback
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import psycopg
import pytest
from library_pages import ask, page, section, sections
from meanings import speaking
from saved_reports import MATERIAL, RUN, report
from tenants import filled

from library.database.connections import open_database
from library.database.spaces import find_space
from library.index.filters import list_passing
from library.index.folders import load_folder, refresh_folders
from library.journal import Journal
from library.library import Library, open_library
from schema.search import RETRIEVERS, Boost, Filters

LIBRARY = Path(__file__).parents[3] / "library"
TABLE = re.compile(r"(?<!')\bquire\.[a-z]+")
"""A table of users' rows; in quotes it is looked up in the catalogue."""

MAINTENANCE = (
    "CREATE TEMPORARY TABLE",
    "CREATE INDEX CONCURRENTLY",
    "DROP INDEX CONCURRENTLY",
    "ANALYZE",
)
"""Beginnings of statements that neither return a row nor change one."""

NO_ROWS = {
    *("connections.py", "roles.py", "advisory_locks.py", "checkpoints.py", "job_queue.py"),
    "traced_cursor.py",
}
"""Files whose statements touch no user's row: schema, roles, locks, checkpoints by thread, jobs,
and what hands on the statements of others."""


@dataclass
class Recorded:
    """Statements on users' rows with their parameters, and the lines that ran any statement."""

    on_rows: list[tuple[str, dict[str, Any] | tuple[Any, ...]]] = field(default_factory=list)
    lines: set[tuple[str, int]] = field(default_factory=set)

    def add(self, query: Any, parameters: Any) -> None:
        """Take down what a cursor is given."""
        frames = [frame for frame, _ in traceback.walk_stack(None)]
        places = [(Path(frame.f_code.co_filename), frame.f_lineno) for frame in frames]
        ours = {(path.name, line) for path, line in places if LIBRARY in path.parents}
        self.lines |= ours
        text = query if isinstance(query, str) else query.as_string()
        if ours and TABLE.search(text) and not text.startswith(MAINTENANCE):
            self.on_rows.append((text, parameters))


@pytest.fixture
async def recorded(monkeypatch: pytest.MonkeyPatch) -> Recorded:
    """What all cursors are given, once the schema is in place."""
    await open_database()
    seen = Recorded()
    execute, executemany = psycopg.AsyncCursor.execute, psycopg.AsyncCursor.executemany

    def one(cursor: Any, query: Any, params: Any = None, **options: Any) -> Any:
        seen.add(query, params)
        return execute(cursor, query, params, **options)

    def many(cursor: Any, query: Any, params_seq: Any, **options: Any) -> Any:
        given = list(params_seq)
        for params in given:
            seen.add(query, params)
        return executemany(cursor, query, given, **options)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", one)
    monkeypatch.setattr(psycopg.AsyncCursor, "executemany", many)
    return seen


def called() -> set[tuple[str, int, int]]:
    """Where the library gives a statement to a cursor: file, first and last line."""
    return {
        (path.name, node.lineno, node.end_lineno or node.lineno)
        for path in LIBRARY.rglob("*.py")
        if path.name not in NO_ROWS
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("execute", "executemany", "fetch", "fetch_as")
        and "DROP INDEX" not in ast.unparse(node)
    }


async def share_with_readers(group: str) -> None:
    """Do all that a library of a group can with documents that have readers of their own."""
    library = await open_library("notes", group, ["ann@x.test"], "a thread")
    kept = page("file:///kept.md", section("owl"), readers=("ann@x.test",))
    await library.store([kept, page("file:///open.md", section("cat"))])
    await library.open_part("memory").store([page("r", section("owl"), version="a thread")])
    hits = (await ask(library, "owl")).hits
    await library.load_passages([hit.chunk for hit in hits])
    await library.was_shown_restricted()
    await list_all(library)
    await library.store([page("file:///kept.md", section("hawk"))])
    await library.load_readers("files", ["file:///"])
    await library.set_readers({"file:///kept.md": ("bob@x.test",), "file:///open.md": ("bob",)})


async def list_all(library: Library) -> None:
    """List what passes filters, as a search of a large library does."""
    async with library.connect() as connection:
        space: Any = await find_space(connection, library.user, library.space)
        await list_passing(connection, space, Filters(connectors=["files"]))


async def use_everything(user: str) -> None:
    """Do all that a library can."""
    library = await filled(user)
    await library.store([page("file:///cat.md", section("dog") + sections("cat"), title="Dogs")])
    await library.store([page("file:///cat.md", sections("longer", "cat"), title="Dogs")])
    await library.store([page(f"file:///{n}", section(f"word{n}")) for n in range(26)])
    await library.store([page("file:///waits", section("word"))], more_follow=True)
    await library.merge_postings()
    await speaking(library, name="test:other").embed_missing()
    library = speaking(library, name="test:other")
    for options in (
        {"filters": Filters(connectors=["files"], since="2020", kinds=["body"], symbol_kind="x")},
        {"filters": Filters(in_full=True, fetched_since="2020-01-01", not_in="other")},
        {"limit": 60},  # more than the index of vectors is asked for by itself
        {"walk_depth": 2, "near_symbol": "cat_code", "filters": Filters(language="python")},
        {
            "mode": "documents",
            "hierarchy": True,
            "retrievers": RETRIEVERS,
            "boosts": get_args(Boost),
        },
    ):
        await ask(library, "cat", **options)
    await ask(library, "Dogs")
    await library.count_terms(["dogs"])
    hits = (await ask(library, "cat")).hits
    await library.load_passages([hit.chunk for hit in hits])
    await library.load_layouts([hit.document for hit in hits])
    await library.load_links([hit.document for hit in hits])
    await library.load_documents([hit.document for hit in hits])
    await library.load_spans([(hit.document, 0, 9) for hit in hits])
    await library.find_chunks_over([(hit.document, 0, 9) for hit in hits])
    await library.look_up("Dogs")
    await library.find_stored(["file:///cat.md"])
    await library.load_versions("files", ["file:///"])
    await library.load_text("file:///cat.md")
    await load_folder(library, "files")
    await library.count()
    await library.note_run(f"{user}-cats", RUN)
    await library.find_begun("a thread")
    await library.ask_to_pause(f"{user}-cats", pause=True)
    await library.is_pause_asked(f"{user}-cats")
    await library.list_measured_runs("openai:gpt-4.1-mini")
    answer: Any = {"question": "Dogs?", "text": "Dogs bark."}
    await library.save_answer(f"{user}-cats", answer)
    [kept] = await library.list_answers(f"{user}-cats")
    await library.remove_answer(f"{user}-cats", kept.id)
    await library.list_spaces()
    await library.save_version(report(f"{user}-cats", 2), MATERIAL, "shorter")
    await library.list_report_versions(f"{user}-cats")
    await library.list_reports()
    await library.remove_report(f"{user}-cats")
    await library.load_source("files", "/shelf")
    await library.list_sources()
    await library.remove_source("files", "/shelf")
    await refresh_folders(library)
    await library.remove_fetched_before(datetime.now(UTC), 1)
    async with library.hold_lock("files", "/shelf"):
        pass
    await use_journal(user, library)


async def use_journal(user: str, library: Library) -> None:
    """Do all that a run's record can."""
    journal = Journal(user, "run")
    await journal.once("What?", library.count)
    await journal.find_start()
    await journal.list_answers()
    await journal.close()


@pytest.mark.slow
async def test_every_statement_names_its_user(
    space: str, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("library.index.vectors.INDEXED_FROM", 2)
    user = f"user-of-{space}"
    await use_everything(user)
    await (await filled(user)).remove_spaces()
    await share_with_readers(f"@{user}")
    assert len(recorded.on_rows) > 100
    for text, parameters in recorded.on_rows:
        values = parameters.values() if isinstance(parameters, dict) else parameters
        assert "user_id" in text, text
        assert user in values or f"@{user}" in values, text
    left = {
        (file, first)
        for file, first, last in called()
        if not any(name == file and first <= line <= last for name, line in recorded.lines)
    }
    assert not left, "let use_everything come by here, so that these statements are looked at"
