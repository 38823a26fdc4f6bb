"""Printing what strangers wrote: a terminal shows it and never obeys it.

A question, a title, a path or an error may hold escape sequences, links, the bell, or characters
that turn the order of a line around. Every word that a command prints goes through this file or
through `terminal.table`. Only the standard library is loaded: it must work before all else does.
"""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

_CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u202a-\u202e\u2066-\u2069"  # the order of what follows
    "\u2028\u2029\ud800-\udfff]"  # separators of lines, and halves of characters
)


class OutputError(Exception):
    """Standard output does not take what is printed; the text says why."""


def replace_controls(text: str) -> str:
    """The text with � in place of each character that a terminal would obey."""
    return _CONTROL_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def to_one_line(text: str) -> str:
    """The text in one line that a terminal shows as it is."""
    return replace_controls(" ".join(text.split()))


def print_stdout(text: str, *, end: str = "\n") -> None:
    """Print on standard output."""
    _write_stdout(replace_controls(text) + end)


def print_stderr(text: str) -> None:
    """Print one line on standard error, where that can be written: it stops no work."""
    with suppress(OSError):
        sys.stderr.write(f"{to_one_line(text)}\n")
        sys.stderr.flush()


def print_json(value: Any) -> None:
    """Print JSON. What a terminal would obey stands in it as an escape, so nothing is lost."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    _write_stdout(_CONTROL_CHARACTERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_bytes(made: bytes) -> None:
    """Print what a file would hold: as it is, but to a terminal as text."""
    if sys.stdout.isatty():
        print_stdout(made.decode(), end="")
        return
    with guard_stdout():
        sys.stdout.buffer.write(made)


@contextmanager
def guard_stdout() -> Iterator[None]:
    """Write now what is printed here.

    Raises:
        OutputError: it could not be.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise OutputError("Standard output was closed before all of it was written.") from None
    except OSError as error:
        raise OutputError(f"Standard output could not be written: {error.strerror}.") from error


def _write_stdout(text: str) -> None:
    with guard_stdout():
        sys.stdout.write(text)
