"""Names by which documents that not all of a group may read know an account."""

from collections.abc import Iterable, Sequence

from library.database.connections import Connection
from schema.access import GROUP_SIGN, is_reader_name
from schema.errors import InputError
from team.store import TeamStore

MOST_NAMES = 200
"""Names that are kept of a provider's word: they travel with every run."""


def list_known_names(email: str, groups: Iterable[str], *, email_checked: bool) -> list[str]:
    """What a provider's word makes of someone, as names of readers.

    Args:
        email: their address.
        groups: of the provider's.
        email_checked: whether the provider says that the address is theirs; else it counts for
            nothing, as anybody could say it.
    """
    address = email.strip().lower()
    names = [f"group:{group.strip().lower()}" for group in groups if group.strip()]
    local, _, domain = address.partition("@")
    if email_checked and local and domain and "@" not in domain:
        names += [address, f"domain:{domain}"]
    return sorted({name for name in names if is_reader_name(name)})[:MOST_NAMES]


async def replace_names(connection: Connection, identity: str, names: Sequence[str]) -> None:
    """Have what a provider says now take the place of what it said before."""
    await connection.execute(
        "DELETE FROM quire.known_names WHERE identity = %s AND NOT by_hand", (identity,)
    )
    for name in names:
        await connection.execute(
            "INSERT INTO quire.known_names (identity, name, by_hand) VALUES (%s, %s, false)",
            (identity, name),
        )


async def set_name(team: TeamStore, identity: str, name: str, *, known: bool = True) -> None:
    """Say by hand that an account has a name at a source, or has it no more.

    Raises:
        InputError: there is no such account, or no reader can be called that.
    """
    cleaned = name.strip().lower()
    if not is_reader_name(cleaned) or cleaned.startswith(GROUP_SIGN):
        raise InputError(
            f"A reader cannot be called “{name}”: write an e-mail address, github:NAME, slack:ID, "
            "atlassian:ID or group:NAME. Groups of Quire are given with quire team role."
        )
    async with team.connect() as connection:
        found = await connection.execute(
            "SELECT 1 FROM quire.accounts WHERE identity = %s", (identity,)
        )
        if not await found.fetchone():
            raise InputError(f"There is no account {identity}.")
        await connection.execute(
            "DELETE FROM quire.known_names WHERE identity = %s AND name = %s AND by_hand",
            (identity, cleaned),
        )
        if known:
            await connection.execute(
                "INSERT INTO quire.known_names (identity, name, by_hand) VALUES (%s, %s, true)",
                (identity, cleaned),
            )
