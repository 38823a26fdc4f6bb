"""What went wrong between this process and its database, in one sentence that says what to do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg import errors

from library.database import embedded_postgres
from schema.errors import LibraryError

_CONNECTION_LIMIT = ("too many clients", "too many connections", "remaining connection slots")


@asynccontextmanager
async def translate_errors() -> AsyncIterator[None]:
    """Where the database is at fault, or away, raise what its reader needs to know.

    Raises:
        LibraryError: instead of what psycopg raises.
    """
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError) as error:
        raise to_library_error(error) from error


def to_library_error(error: Exception) -> LibraryError:
    """The error as its reader needs it; what stands around it is in the server's own log."""
    return _explain_known(error) or LibraryError(
        f"The library's database does not answer ({get_first_line(error)}): {_suggest_remedy()}."
    )


def to_open_error(error: Exception) -> LibraryError:
    """The same where the database is opened, and may never have been what it has to be."""
    if known := _explain_known(error):
        return known
    if embedded_postgres.find_log():
        return to_library_error(error)
    return LibraryError(
        f"The library's database cannot be used ({get_first_line(error)}): QUIRE_DATABASE_URL must "
        "name a running PostgreSQL with the pgvector extension, and a user who may create a schema."
    )


def is_connection_limit(error: Exception) -> bool:
    """Whether the server refused a connection because it has as many as it takes."""
    return isinstance(error, errors.TooManyConnections) or any(
        one in str(error) for one in _CONNECTION_LIMIT
    )


def _explain_known(error: Exception) -> LibraryError | None:
    """What has a cause that is known; the server's words alone tell it of a refused connection."""
    line, text = get_first_line(error), str(error)
    if is_connection_limit(error):
        return LibraryError(
            f"The library's PostgreSQL takes no more connections ({line}): raise its "
            "max_connections, or run less at once."
        )
    if isinstance(error, errors.DiskFull) or any(
        one in text for one in embedded_postgres.DISK_FULL
    ):
        return LibraryError(
            f"The library's database has no room left on its disk ({line}): free some, and run "
            "this again."
        )
    return None


def _suggest_remedy() -> str:
    """What to do about a database that is not there."""
    log = embedded_postgres.find_log()
    return (
        f"run this again; its log is {log}" if log else "check that it runs, and QUIRE_DATABASE_URL"
    )


def get_first_line(error: Exception) -> str:
    """The first line of an error's text, without its full stop."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
