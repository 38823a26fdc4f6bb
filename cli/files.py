"""What commands that write reports to files share."""

import os
from pathlib import Path
from typing import get_args

from exports.citation_styles import Style
from schema.context import check_name
from schema.errors import InputError, QuireError


def check_citation_style(style: str) -> Style:
    """The form of citations of this name.

    Raises:
        InputError: there is none.
    """
    check_name(style, list(get_args(Style)), "form of citations")
    return style  # type: ignore[return-value]  # checked


def check_writable(target: Path | None) -> None:
    """Refuse an output that could not be written, before any work is done.

    Raises:
        InputError: it could not.
    """
    if target is None:
        return
    folder = target.absolute().parent
    if target.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{target} cannot be written: name a file in a folder that exists.")


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
