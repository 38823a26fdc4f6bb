"""Where statements on a user's rows begin: an open database, its user, and one of their spaces."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from schema.access import GROUP_SIGN, KEEPER

if TYPE_CHECKING:  # 0.2 s, which nobody pays who only imports a graph
    from library.database.connections import Connection, Database

Row = TypeVar("Row")


class Session:
    """An open database as one user sees it, in one search space."""

    def __init__(
        self, opened: "Database", user: str, space: str, names: Sequence[str] = ()
    ) -> None:
        """A session in one's own space, or in a group's.

        Args:
            opened: the database.
            user: whose rows.
            space: of theirs.
            names: of a group's documents with readers of their own, those are seen that have one of
                these names among them. One's own documents are all seen.
        """
        self.database = opened
        self.user = user
        self.space = space
        self.names = tuple(names) if user.startswith(GROUP_SIGN) else (KEEPER,)

    def connect(self) -> "AbstractAsyncContextManager[Connection]":
        """A transaction that sees and makes the user's rows only."""
        return self.database.session(self.user, self.names)

    def connect_keeper(self) -> "AbstractAsyncContextManager[Connection]":
        """The same of who keeps the library: to write, and for nothing that a reader is shown."""
        return self.database.session(self.user, (KEEPER,))

    def hold_lock(self, *names: str) -> AbstractAsyncContextManager[None]:
        """Waits until nobody else, in any process, works on what these names stand for."""
        return self.database.hold_lock(self.user, self.space, *names)

    async def make_space(self) -> None:
        """Make the space, unless it is there."""
        await self.fetch(
            "INSERT INTO quire.spaces (user_id, name) VALUES (%(user)s, %(space_name)s) "
            "ON CONFLICT DO NOTHING RETURNING 1"
        )

    async def fetch(self, statement: str, **values: object) -> list[Any]:
        """The rows that one statement finds, or that it changed and returns.

        Args:
            statement: names `%(user)s`, and may name `%(space_name)s`.
            values: its other parameters.
        """
        async with self._execute(statement, values) as cursor:
            found: list[Any] = await cursor.fetchall()
            return found

    async def fetch_as(self, kind: type[Row], statement: str, **values: object) -> list[Row]:
        """The same as objects of a class, whose fields the columns are named like."""
        from psycopg.rows import class_row

        async with self._execute(statement, values) as cursor:
            cursor.row_factory = class_row(kind)
            found: list[Row] = await cursor.fetchall()
            return found

    @asynccontextmanager
    async def _execute(self, statement: str, values: dict[str, object]) -> AsyncIterator[Any]:
        own = {"user": self.user, "space_name": self.space}
        cleaned = {name: clean_value(value) for name, value in values.items()}
        async with self.connect() as connection:
            yield await connection.execute(statement, own | cleaned)


def clean_text(text: str) -> str:
    """Replace what PostgreSQL cannot keep (NUL, lone surrogates), one character for one."""
    if text.isascii() and "\0" not in text:
        return text
    return (
        text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def clean_value(value: object) -> object:
    """A statement's parameter without what PostgreSQL refuses; a sequence becomes a list."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list | tuple):
        return [clean_value(one) for one in value]
    return value
