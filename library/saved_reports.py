"""Saved reports, version by version, and the runs that have not come to their end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.types.json import Json
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, lock_space
from library.index.prepare import clean_text
from schema.errors import LibraryError
from schema.report import Report

WRITTEN = "written"
"""Note of a report's first version."""

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is taken for another
_ID_LENGTH = 8


class SectionMaterial(TypedDict):
    """What a section can be written from again: its questions, and chunks, the used ones first."""

    questions: list[str]
    chunks: list[int]


class RunStart(TypedDict):
    """How a report was started: with which context, and which files could not be read before."""

    context: dict[str, Any]
    skipped: list[str]


@dataclass(frozen=True, kw_only=True)
class ReportVersion:
    """A version of a report as a list shows it; not `finished`: its run has not come to its end."""

    id: str
    version: int
    space: str
    question: str
    title: str
    created: datetime
    thread: str
    note: str
    finished: bool


@dataclass(frozen=True, kw_only=True)
class SavedReport(ReportVersion):
    """A version with all that was saved of it.

    `material` has an entry for each section.
    """

    run: RunStart
    report: Report | None
    material: list[SectionMaterial]


_PARTS = TypeAdapter(tuple[RunStart, Report | None, list[SectionMaterial]])

_LIST_COLUMNS = (
    "r.id, r.version, p.name, r.question, r.title, r.created, r.thread, r.note, "
    "r.report IS NOT NULL"
)
_LIST_FIELDS = (
    "id",
    "version",
    "space",
    "question",
    "title",
    "created",
    "thread",
    "note",
    "finished",
)
_FROM = "FROM quire.reports r JOIN quire.spaces p ON p.id = r.space_id AND p.user_id = %(user)s"


def make_short_id(seed: str) -> str:
    """An id of eight letters and digits; the same for the same seed."""
    value = int.from_bytes(blake2b(seed.encode(), digest_size=8).digest())
    signs = []
    for _ in range(_ID_LENGTH):
        value, sign = divmod(value, len(_ALPHABET))
        signs.append(_ALPHABET[sign])
    return "".join(signs)


async def begin_report(
    connection: Connection, user: str, space_name: str, question: str, run: RunStart
) -> str:
    """Note that a report is being written, on a thread of its own id; returns that id."""
    space = await lock_space(connection, user, space_name)
    while True:
        identity = make_short_id(uuid4().hex)
        cursor = await connection.execute(
            "INSERT INTO quire.reports "
            "(space_id, id, version, question, title, thread, note, run, material) "
            "SELECT %(space)s, %(id)s, 1, %(question)s, '', %(id)s, %(note)s, %(run)s, '[]' "
            f"WHERE {OWNER_CHECK} ON CONFLICT DO NOTHING RETURNING 1",
            {
                **space.sql_parameters,
                "id": identity,
                "question": clean_text(question),
                "note": WRITTEN,
                "run": Json(run),
            },
        )
        if await cursor.fetchone():  # else the id was taken
            return identity


async def note_run(connection: Connection, user: str, identity: str, run: RunStart) -> None:
    """Write down how a report was started."""
    await connection.execute(
        "UPDATE quire.reports r SET run = %s FROM quire.spaces p "
        "WHERE p.id = r.space_id AND p.user_id = %s AND r.id = %s",
        (Json(run), user, identity),
    )


async def save_report(
    connection: Connection,
    user: str,
    space_name: str,
    report: Report,
    material: Sequence[SectionMaterial],
    thread: str,
    run: RunStart,
) -> None:
    """Save the first version of a report, under its id. Safe to do again.

    Raises:
        LibraryError: its id is that of a report of another user or space.
    """
    space = await lock_space(connection, user, space_name)
    taken = f"The report could not be saved: the id {report['id']} is taken. Run it again."
    try:
        cursor = await connection.execute(
            "INSERT INTO quire.reports "
            "(space_id, id, version, question, title, thread, note, run, report, material) "
            "SELECT %(space)s, %(id)s, 1, %(question)s, %(title)s, %(thread)s, %(note)s, %(run)s, "
            f"%(report)s, %(material)s WHERE {OWNER_CHECK} ON CONFLICT (id, version) DO UPDATE "
            "SET title = excluded.title, created = now(), report = excluded.report, "
            "material = excluded.material WHERE reports.space_id = excluded.space_id",
            {
                **space.sql_parameters,
                "id": report["id"],
                "question": clean_text(report["question"]),
                "title": clean_text(report["title"]),
                "thread": thread,
                "note": WRITTEN,
                "run": Json(run),
                "report": Json(report),
                "material": Json(list(material)),
            },
        )
    except psycopg.errors.InsufficientPrivilege:  # of row-level security
        raise LibraryError(taken) from None
    if not cursor.rowcount:
        raise LibraryError(taken)


async def save_version(
    connection: Connection,
    user: str,
    report: Report,
    material: Sequence[SectionMaterial],
    note: str,
) -> None:
    """Keep a further version of a report. Safe to do again.

    Raises:
        LibraryError: there is another report of this version: it was revised meanwhile.
    """
    await connection.execute(
        "INSERT INTO quire.reports "
        "(space_id, id, version, question, title, thread, note, run, report, material) "
        "SELECT r.space_id, r.id, %(version)s, r.question, %(title)s, r.thread, %(note)s, r.run, "
        f"%(report)s, %(material)s {_FROM} WHERE r.id = %(id)s AND r.version = 1 "
        "ON CONFLICT DO NOTHING",
        {
            "user": user,
            "id": report["id"],
            "version": report["version"],
            "title": clean_text(report["title"]),
            "note": clean_text(note),
            "report": Json(report),
            "material": Json(list(material)),
        },
    )
    held = await load_report(connection, user, report["id"], report["version"])
    if held is None or held.report != report:
        raise LibraryError(
            f"The report {report['id']} was revised or removed meanwhile: look at it again with "
            "quire reports list."
        )


async def load_report(
    connection: Connection, user: str, identity: str, version: int | None = None
) -> SavedReport | None:
    """A version of a report, the newest where None; None where there is none.

    Raises:
        LibraryError: what is saved is no report.
    """
    cursor = await connection.execute(
        f"SELECT {_LIST_COLUMNS}, r.run, r.report, r.material {_FROM} "
        "WHERE r.id = %(id)s AND (%(version)s::int IS NULL OR r.version = %(version)s) "
        "ORDER BY r.version DESC LIMIT 1",
        {"user": user, "id": identity, "version": version},
    )
    row = await cursor.fetchone()
    return _to_saved_report(row) if row else None


async def list_reports(connection: Connection, user: str) -> list[ReportVersion]:
    """The newest version of each of the user's reports, in all spaces, the newest first."""
    cursor = await connection.execute(
        f"SELECT DISTINCT ON (r.id) {_LIST_COLUMNS} {_FROM} ORDER BY r.id, r.version DESC",
        {"user": user},
    )
    found = [_to_version(row) for row in await cursor.fetchall()]
    return sorted(found, key=lambda one: (one.created, one.id), reverse=True)


async def list_versions(connection: Connection, user: str, identity: str) -> list[ReportVersion]:
    """The versions of a report, the first one first."""
    cursor = await connection.execute(
        f"SELECT {_LIST_COLUMNS} {_FROM} WHERE r.id = %(id)s ORDER BY r.version",
        {"user": user, "id": identity},
    )
    return [_to_version(row) for row in await cursor.fetchall()]


async def remove_report(connection: Connection, user: str, identity: str) -> int:
    """Forget a report; returns how many versions there were."""
    cursor = await connection.execute(
        "DELETE FROM quire.reports r USING quire.spaces p "
        "WHERE p.id = r.space_id AND p.user_id = %s AND r.id = %s",
        (user, identity),
    )
    return cursor.rowcount


def _to_saved_report(row: tuple[Any, ...]) -> SavedReport:
    """The row, if it has the shape that everything after this relies on."""
    names = (*_LIST_FIELDS, "run", "report", "material")
    try:
        _PARTS.validate_python(row[len(_LIST_FIELDS) :], strict=True)
        saved = SavedReport(**dict(zip(names, row, strict=True)))  # as it is, in its own order
        if saved.report:
            _check_positions(saved.report, saved.material)
    except ValueError:
        raise LibraryError(
            f"The report {row[0]} cannot be read: its row is not one of this version of Quire. "
            f"Write it again; quire reports remove {row[0]} removes it."
        ) from None
    return saved


def _check_positions(report: Report, material: Sequence[SectionMaterial]) -> None:
    """Raise ValueError where a part of a report names a section or a number that is not there."""
    sections = range(len(report["sections"]))
    if len(material) != len(sections):
        raise ValueError("material")
    parts = [*report["citations"], *report["conflicts"], *report["charts"]]
    if any(part["section"] not in sections for part in parts):
        raise ValueError("section")


def _to_version(row: tuple[Any, ...]) -> ReportVersion:
    return ReportVersion(**dict(zip(_LIST_FIELDS, row, strict=True)))
