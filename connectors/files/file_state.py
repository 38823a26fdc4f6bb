"""What tells a file's versions apart, and how its name is shown."""

import os
from pathlib import Path


def find_version(path: Path) -> str:
    """The times of the content and of the entry, which nobody can set back, and the size.

    "" where the file cannot be looked at.
    """
    try:
        state = path.stat()
    except OSError:
        return ""
    return f"{state.st_mtime_ns}-{state.st_ctime_ns}-{state.st_size}"


def to_printable(name: str) -> str:
    """A name without the surrogates that stand for bytes which are no UTF-8."""
    return os.fsencode(name).decode(errors="replace")
