"""What the commands of the terminal share: running async work, reading options, one table."""

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cli.interrupt import InterruptHandler, StoppedError
from cli.loading import pause_collector
from cli.safe_output import guard_stdout, print_bytes, print_stderr, print_stdout, to_one_line
from schema.context import Context
from schema.errors import InputError, QuireError, SettingError

if TYPE_CHECKING:
    from rich.text import Text

    from schema.events import Event

Result = TypeVar("Result")

_EMPTY_VALUES: tuple[object, ...] = (None, "", [])

_OPTION_NAMES = {
    "research_mode": "mode",
    "checker_model": "checker",
    "judge_model": "judge",
    "paths": "files",
    "connectors": "connector",
    "deep_seconds": "seconds",
    "deep_pages": "pages",
}
"""The option that sets a field of the context, where it has another name."""


def run(
    work: Callable[[], Coroutine[Any, Any, Result]], hint: Callable[[], str] = lambda: ""
) -> Result:
    """Run async work and close what it opened, also when it fails or is stopped.

    Args:
        work: what is to be done.
        hint: says how to go on with work that was stopped, from its first space on.

    Raises:
        StoppedError: Ctrl-C came.
    """
    from serving.telemetry import start_traces

    start_traces()
    told = False

    async def closing() -> Result:
        nonlocal told
        from library.database.connections import close_databases

        try:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            stop.set_callback(lambda: loop.call_soon_threadsafe(task.cancel) if task else None)
            return await work()
        except asyncio.CancelledError:
            print_stderr(f"quire: stopped{hint()}")
            told = True
            raise
        finally:
            await close_databases()

    with InterruptHandler() as stop:
        try:
            return asyncio.run(closing())
        except asyncio.CancelledError:
            raise StoppedError("" if told else f"stopped{hint()}") from None


def run_with_progress(
    work: Callable[[Callable[["Event"], None]], Coroutine[Any, Any, Result]],
) -> Result:
    """The same, with its events shown on the terminal: `work` is called with what takes them."""

    async def shown() -> Result:
        with show_progress() as on_event:
            return await work(on_event)

    return run(shown)


@contextmanager
def show_progress() -> Iterator[Callable[["Event"], None]]:
    """What takes the events of a run: a line on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from cli.progress import RunProgress  # what draws takes 2 MiB

    with RunProgress() as progress:
        yield progress


async def open_library_while(load: Callable[[], None]) -> None:
    """Open the library's database, whose server may have to start, while modules are loaded.

    Raises:
        LibraryError: it cannot be opened.
    """
    with pause_collector():
        from library.database.connections import open_database

        await asyncio.gather(open_database(), asyncio.to_thread(load))


def silence_libraries() -> None:
    """Show what Quire logs, in one line each, and nothing of what libraries log.

    What goes wrong in them comes as an exception.
    """
    logging.captureWarnings(capture=True)
    logging.getLogger().addHandler(logging.NullHandler())
    logging.getLogger("quire").addHandler(_LineHandler())


class _LineHandler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print_stderr(f"quire: {record.getMessage()}")


def make_context(**values: Any) -> Context:
    """A run's context from the options of a command; those that are empty do not count.

    Raises:
        InputError: an option has a value that cannot be used.
    """
    try:
        return Context(
            **{name: value for name, value in values.items() if value not in _EMPTY_VALUES}
        )
    except SettingError as error:
        option = _OPTION_NAMES.get(error.field, error.field).replace("_", "-")
        raise InputError(f"--{option} {error.fault}") from None


def print_or_write(made: bytes, target: Path | None) -> None:
    """Print what a file would hold; or write it, and print where it is."""
    if target:
        write_file(target, made)
        print_stdout(str(target.resolve()))
    else:
        print_bytes(made)


def write_file(target: Path, content: bytes) -> None:
    """Write whole or not at all.

    Raises:
        QuireError: it could not be written.
    """
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(content)
        part.replace(target)
    except OSError as error:
        raise QuireError(f"{target} could not be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)


def format_time(moment: datetime) -> str:
    """A moment to the minute, as the clock on the wall shows it."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def format_counts(counts: dict[str, int]) -> str:
    """Documents by outcome, in words."""
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def print_table(headings: Sequence[str], rows: "Sequence[Sequence[str | Text]]") -> None:
    """Print a table, a row a line or more; whole, where it does not go to a terminal.

    A cell that is a `str` is shown as it is: what looks like markup is none.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(*headings)
    for row in rows:
        drawn.add_row(*(Text(to_one_line(cell)) if isinstance(cell, str) else cell for cell in row))
    shown, terminal = StringIO(), sys.stdout.isatty()
    Console(file=shown, force_terminal=terminal, width=None if terminal else 160).print(drawn)
    with guard_stdout():  # Rich itself would end the process where nobody reads on
        sys.stdout.write(shown.getvalue())
