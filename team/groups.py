"""Groups: what their members may do in their spaces, as the provider says or as set by hand."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from library.database.connections import Connection
from schema.access import ROLES, GroupRole
from schema.errors import InputError
from schema.settings import get_settings
from team.store import TeamStore

_NAME = re.compile(r"[\w.-]{1,100}")

_LINE = re.compile(r"(?P<claim>.+)=((?P<team>[\w.-]{1,100}):(?P<role>\w+)|(?P<operator>operator))")


@dataclass(frozen=True)
class Grant:
    """What a sign-in gives: roles by group, and whether it is an operator's."""

    roles: Mapping[str, GroupRole] = field(default_factory=dict)
    operator: bool = False


def find_grant(claimed: Iterable[str]) -> Grant:
    """What the setting `QUIRE_GROUPS` makes of the groups that a provider says someone is in.

    Raises:
        InputError: the setting cannot be read.
    """
    held, roles, operator = set(claimed), dict[str, GroupRole](), False
    for line in get_settings().groups.split(","):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.strip())
        if not found or (found["role"] and found["role"] not in ROLES):
            raise InputError(
                f"QUIRE_GROUPS cannot be read at “{line.strip()}”: write GROUP OF THE PROVIDER="
                "GROUP:ROLE with a role of reader, writer or curator, or =operator."
            )
        if found["claim"].strip() not in held:
            continue
        if found["operator"]:
            operator = True
        else:
            role, before = cast("GroupRole", found["role"]), roles.get(found["team"], ROLES[0])
            roles[found["team"]] = max(role, before, key=ROLES.index)
    return Grant(roles, operator)


async def replace_grants(connection: Connection, identity: str, grant: Grant) -> None:
    """Have what a provider says now take the place of what it said before."""
    await connection.execute(
        "DELETE FROM quire.memberships WHERE identity = %s AND NOT by_hand", (identity,)
    )
    for team, role in grant.roles.items():
        await connection.execute(
            "INSERT INTO quire.memberships (identity, team, role, by_hand) "
            "VALUES (%s, %s, %s, false)",
            (identity, team, role),
        )


async def set_role(team: TeamStore, identity: str, group: str, role: str | None) -> None:
    """Give an account a role in a group by hand, or take it back with None.

    Raises:
        InputError: there is no such account or role, or no group can be called that.
    """
    if not _NAME.fullmatch(group):
        raise InputError(f"A group cannot be called “{group}”: use letters, digits and _ . -")
    if role is not None and role not in ROLES:
        raise InputError(f"There is no role {role}: take reader, writer or curator.")
    async with team.connect() as connection:
        found = await connection.execute(
            "SELECT 1 FROM quire.accounts WHERE identity = %s", (identity,)
        )
        if not await found.fetchone():
            raise InputError(f"There is no account {identity}.")
        await connection.execute(
            "DELETE FROM quire.memberships WHERE identity = %s AND team = %s AND by_hand",
            (identity, group),
        )
        if role is not None:
            await connection.execute(
                "INSERT INTO quire.memberships (identity, team, role, by_hand) "
                "VALUES (%s, %s, %s, true)",
                (identity, group, role),
            )
