"""Who did what, and what left the house: rows are added, and none is changed.

No text of a report or of a source is recorded; what was asked is.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row

from library.session import clean_text
from schema.access import AccessError, Member
from team.store import TeamStore, open_team

MAX_VALUE_CHARACTERS = 500

ANYBODY = "#anybody"
"""Who did what somebody does who is not known; no account can be called that."""

PAGE = 200
"""Records that are read at once."""


@dataclass(frozen=True)
class Record:
    """Something that was done. `action` such as `report.asked`, `object` such as a report's id."""

    id: int
    at: datetime
    identity: str
    action: str
    object: str
    detail: dict[str, Any]


async def record(member: Member, action: str, object: str = "", **detail: object) -> None:  # noqa: A002
    """Note what a member did.

    Args:
        member: who.
        action: what, as `noun.verb`.
        object: of what: an id, a space, a source.
        detail: what else is to be known: texts, numbers, lists of them; long texts are cut.

    Raises:
        LibraryError: it could not be noted; what cannot be noted must not be done.
    """
    await record_as(await open_team(), member.identity, action, object, **detail)


async def record_as(
    team: TeamStore,
    identity: str,
    action: str,
    object: str = "",  # noqa: A002
    **detail: object,
) -> None:
    """The same for someone who is known by their identity only."""
    told = json.dumps({name: _shorten(value) for name, value in detail.items()})
    async with team.connect() as connection:
        await connection.execute(
            "INSERT INTO quire.audit (identity, action, object, detail) VALUES (%s, %s, %s, %s)",
            (identity, action, clean_text(object)[:MAX_VALUE_CHARACTERS], told),
        )


async def list_records(
    team: TeamStore, member: Member, before: int | None = None, identity: str | None = None
) -> list[Record]:
    """What was done, the newest first, a page at a time.

    Args:
        team: the store.
        member: who reads it: an operator.
        before: the id of the last record of the page before.
        identity: only what this account did.

    Raises:
        AccessError: the member is no operator.
    """
    if not member.operator:
        raise AccessError("Only operators read what others did.")
    async with (
        team.connect() as connection,
        connection.cursor(row_factory=class_row(Record)) as cursor,
    ):
        await cursor.execute(
            "SELECT id, at, identity, action, object, detail FROM quire.audit "
            "WHERE (%(before)s::bigint IS NULL OR id < %(before)s) "
            "AND (%(identity)s::text IS NULL OR identity = %(identity)s) "
            "ORDER BY id DESC LIMIT %(page)s",
            {"before": before, "identity": identity, "page": PAGE},
        )
        return await cursor.fetchall()


def _shorten(value: object) -> object:
    if isinstance(value, str):
        return clean_text(value)[:MAX_VALUE_CHARACTERS]
    if isinstance(value, list | tuple | set | frozenset):
        return [_shorten(one) for one in value]
    return value if isinstance(value, int | float | None) else str(value)[:MAX_VALUE_CHARACTERS]
