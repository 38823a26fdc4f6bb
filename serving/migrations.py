"""All tables that Quire keeps in a database, brought up to date at once."""

from importlib.util import find_spec

from library.database.checkpoints import open_checkpointer
from library.database.connections import SCHEMA_VERSION, open_database


async def migrate_database() -> str:
    """Make what is missing of the library, the checkpoints and the queue; says what is there now.

    Safe to run again, and beside others: who comes second waits, and finds it done.

    Raises:
        LibraryError: the role may not, or the schema is of a newer Quire.
    """
    database = await open_database()
    async with open_checkpointer():
        parts = ["library", "checkpoints"]
    if find_spec("procrastinate"):
        from library.database.job_queue import make_connector  # noqa: PLC0415  (an extra)

        await make_connector(database)
        parts.append("queue")
    return f"schema {SCHEMA_VERSION}: {', '.join(parts)}"
