"""Reports that are kept, version by version, and the runs that have not come to their end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.types.json import Json
from typing_extensions import TypedDict

from library.database import Connection
from library.prepare import storable
from library.spaces import OWN, lock_space
from schema.errors import LibraryError
from schema.report import Report

WRITTEN = "written"
"""Note of a report's first version."""

_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is taken for another
_LENGTH = 8


class Material(TypedDict):
    """What a section can be written from again: its questions, and chunks, the used ones first."""

    questions: list[str]
    chunks: list[int]


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
class KeptReport(ReportVersion):
    """A version with all that was kept of it.

    `run` says how it was started: its `context`, and the files that were `skipped` before it.
    `material` has an entry for each section.
    """

    run: dict[str, Any]
    report: Report | None
    material: list[Material]


_LISTED = (
    "r.id, r.version, p.name, r.question, r.title, r.created, r.thread, r.note, "
    "r.report IS NOT NULL"
)
_NAMES = ("id", "version", "space", "question", "title", "created", "thread", "note", "finished")
_FROM = "FROM quire.reports r JOIN quire.spaces p ON p.id = r.space_id AND p.user_id = %(user)s"


def short_id(seed: str) -> str:
    """An id of eight letters and digits; the same for the same seed."""
    value = int.from_bytes(blake2b(seed.encode(), digest_size=8).digest())
    signs = []
    for _ in range(_LENGTH):
        value, sign = divmod(value, len(_SIGNS))
        signs.append(_SIGNS[sign])
    return "".join(signs)


async def begin(
    connection: Connection, user: str, space_name: str, question: str, run: dict[str, Any]
) -> str:
    """Note that a report is being written, on a thread of its own id; returns that id."""
    space = await lock_space(connection, user, space_name)
    while True:
        identity = short_id(uuid4().hex)
        cursor = await connection.execute(
            "INSERT INTO quire.reports "
            "(space_id, id, version, question, title, thread, note, run, material) "
            "SELECT %(space)s, %(id)s, 1, %(question)s, '', %(id)s, %(note)s, %(run)s, '[]' "
            f"WHERE {OWN} ON CONFLICT DO NOTHING RETURNING 1",
            {
                **space.named,
                "id": identity,
                "question": storable(question),
                "note": WRITTEN,
                "run": Json(run),
            },
        )
        if await cursor.fetchone():  # else the id was taken
            return identity


async def note_run(connection: Connection, user: str, identity: str, run: dict[str, Any]) -> None:
    """Write down how a report was started."""
    await connection.execute(
        "UPDATE quire.reports r SET run = %s FROM quire.spaces p "
        "WHERE p.id = r.space_id AND p.user_id = %s AND r.id = %s",
        (Json(run), user, identity),
    )


async def keep(
    connection: Connection,
    user: str,
    space_name: str,
    report: Report,
    material: Sequence[Material],
    thread: str,
    run: dict[str, Any],
) -> None:
    """Keep the first version of a report, under its id. Safe to do again.

    Raises:
        LibraryError: its id is that of a report of another user or space.
    """
    space = await lock_space(connection, user, space_name)
    taken = f"The report could not be kept: the id {report['id']} is taken. Run it again."
    try:
        cursor = await connection.execute(
            "INSERT INTO quire.reports "
            "(space_id, id, version, question, title, thread, note, run, report, material) "
            "SELECT %(space)s, %(id)s, 1, %(question)s, %(title)s, %(thread)s, %(note)s, %(run)s, "
            f"%(report)s, %(material)s WHERE {OWN} ON CONFLICT (id, version) DO UPDATE "
            "SET title = excluded.title, created = now(), report = excluded.report, "
            "material = excluded.material WHERE reports.space_id = excluded.space_id",
            {
                **space.named,
                "id": report["id"],
                "question": storable(report["question"]),
                "title": storable(report["title"]),
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


async def keep_version(
    connection: Connection, user: str, report: Report, material: Sequence[Material], note: str
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
            "title": storable(report["title"]),
            "note": storable(note),
            "report": Json(report),
            "material": Json(list(material)),
        },
    )
    held = await one(connection, user, report["id"], report["version"])
    if held is None or held.report != report:
        raise LibraryError(
            f"The report {report['id']} was revised or removed meanwhile: look at it again with "
            "quire reports list."
        )


async def one(
    connection: Connection, user: str, identity: str, version: int | None = None
) -> KeptReport | None:
    """A version of a report, the newest where None; None where there is none."""
    cursor = await connection.execute(
        f"SELECT {_LISTED}, r.run, r.report, r.material {_FROM} "
        "WHERE r.id = %(id)s AND (%(version)s::int IS NULL OR r.version = %(version)s) "
        "ORDER BY r.version DESC LIMIT 1",
        {"user": user, "id": identity, "version": version},
    )
    row = await cursor.fetchone()
    names = (*_NAMES, "run", "report", "material")
    return KeptReport(**dict(zip(names, row, strict=True))) if row else None


async def listed(connection: Connection, user: str) -> list[ReportVersion]:
    """The newest version of each of the user's reports, in all spaces, the newest first."""
    cursor = await connection.execute(
        f"SELECT DISTINCT ON (r.id) {_LISTED} {_FROM} ORDER BY r.id, r.version DESC",
        {"user": user},
    )
    found = [_version(row) for row in await cursor.fetchall()]
    return sorted(found, key=lambda one: (one.created, one.id), reverse=True)


async def versions(connection: Connection, user: str, identity: str) -> list[ReportVersion]:
    """The versions of a report, the first one first."""
    cursor = await connection.execute(
        f"SELECT {_LISTED} {_FROM} WHERE r.id = %(id)s ORDER BY r.version",
        {"user": user, "id": identity},
    )
    return [_version(row) for row in await cursor.fetchall()]


async def removed(connection: Connection, user: str, identity: str) -> int:
    """Forget a report; returns how many versions there were."""
    cursor = await connection.execute(
        "DELETE FROM quire.reports r USING quire.spaces p "
        "WHERE p.id = r.space_id AND p.user_id = %s AND r.id = %s",
        (user, identity),
    )
    return cursor.rowcount


def _version(row: tuple[Any, ...]) -> ReportVersion:
    return ReportVersion(**dict(zip(_NAMES, row, strict=True)))
