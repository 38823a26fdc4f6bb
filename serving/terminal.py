"""What the commands of the terminal share: running async work, reading options, one table."""

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

from schema.context import Context
from schema.errors import InputError

Result = TypeVar("Result")

_EMPTY: tuple[object, ...] = (None, "", [])

STOPPED = 130
"""Exit code after Ctrl-C."""


def run(
    work: Callable[[], Coroutine[Any, Any, Result]], hint: Callable[[], str] = lambda: ""
) -> Result:
    """Run async work and close what it opened, also when it fails or is stopped.

    Args:
        work: what is to be done.
        hint: says how to go on with work that was stopped, from its first space on.
    """
    # of a connection that Ctrl-C broke; what goes wrong besides comes as an exception
    logging.getLogger("psycopg").setLevel(logging.ERROR)

    async def closing() -> Result:
        from library.database import close

        try:
            return await work()
        finally:
            await close()

    try:
        return asyncio.run(closing())
    except KeyboardInterrupt:
        typer.echo(f"quire: stopped{hint()}", err=True)
        raise typer.Exit(STOPPED) from None


def context_from(**values: Any) -> Context:
    """A run's context from the options of a command; those that are empty do not count.

    Raises:
        InputError: an option has a value that cannot be used.
    """
    try:
        return Context(**{name: value for name, value in values.items() if value not in _EMPTY})
    except ValidationError as error:
        first = error.errors()[0]
        option = {"research_mode": "mode", "paths": "files"}.get(
            str(first["loc"][0]), str(first["loc"][0])
        )
        raise InputError(f"--{option} cannot be {first['input']!r}: {first['msg']}.") from None


def told_counts(counts: dict[str, int]) -> str:
    """Documents by outcome, in words."""
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; whole, where it does not go to a terminal."""
    drawn = Table(*headings)
    for row in rows:
        drawn.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 160).print(drawn)
