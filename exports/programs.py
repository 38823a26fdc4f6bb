"""Programs that draw or set parts of a report, in processes of their own that a deadline ends."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from schema.errors import QuireError


def run_program(
    command: Sequence[str | Path], given: object, seconds: float, folder: str | None = None
) -> bytes:
    """What a program makes of JSON.

    Args:
        command: the program and its arguments.
        given: written to its standard input.
        seconds: it may take.
        folder: where it runs.

    Raises:
        subprocess.SubprocessError: it failed, or took longer.
        ValueError: `given` cannot be written as JSON.
        RecursionError: `given` is too deep for it.
    """
    return subprocess.run(  # noqa: S603  (commands of our own)
        command,
        input=json.dumps(given).encode(),
        cwd=folder,
        capture_output=True,
        check=True,
        timeout=seconds,
    ).stdout


def set_report(
    form: str,
    command: Sequence[str | Path],
    given: object,
    seconds: float,
    folder: str | None = None,
) -> bytes:
    """A report in a form that a program sets; arguments as of `run_program`.

    Raises:
        QuireError: it failed, or took longer.
    """
    try:
        return run_program(command, given, seconds, folder)
    except subprocess.TimeoutExpired:
        raise QuireError(f"No {form} was set within {seconds:.0f} s: take html.") from None
    except subprocess.CalledProcessError as error:
        reported = error.stderr.decode(errors="replace").strip()[-500:]
        raise QuireError(f"The {form} could not be set: {reported}") from None
