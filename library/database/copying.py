"""Many rows at once into a table of a space."""

from collections.abc import Mapping, Sequence

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space


async def copy_rows(
    connection: Connection,
    space: Space,
    table: str,
    columns: Mapping[str, str],
    rows: Sequence[Sequence[object]],
) -> None:
    """COPY rows into a table, by way of a temporary one: row-level security allows no other.

    Args:
        connection: a session of the space's owner.
        space: whose rows they are.
        table: its name; the temporary one is called like it.
        columns: of the rows, each with its type.
        rows: their values, without the space.
    """
    if not rows:
        return
    names = ", ".join(columns)
    typed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    await connection.execute(
        f"CREATE TEMPORARY TABLE IF NOT EXISTS incoming_{table} ({typed}) ON COMMIT DELETE ROWS"
    )
    await connection.execute(f"TRUNCATE incoming_{table}")
    statement = f"COPY incoming_{table} ({names}) FROM STDIN (FORMAT binary)"
    async with connection.cursor().copy(statement) as copy:
        copy.set_types(list(columns.values()))
        for row in rows:
            await copy.write_row(row)
    await connection.execute(
        f"INSERT INTO quire.{table} (space_id, {names}) "
        f"SELECT %(space)s, {names} FROM incoming_{table} WHERE {OWNER_CHECK}",
        space.sql_parameters,
    )
