"""`quire`: what begins and ends every command; the commands are in cli/app.py.

All else is loaded inside of `main`, so that Ctrl-C ends also the loading in one line.
"""

import atexit
import os
import signal
import sys
import traceback
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from cli.interrupt import STOPPED_EXIT_CODE, StoppedError, raise_interrupt, schedule_exit
from cli.loading import pause_collector
from cli.safe_output import OutputError, guard_stdout, print_stderr

if TYPE_CHECKING:
    from typer import TyperException


def main() -> None:
    """Run the command line; a failure is one sentence on standard error and a code above 0."""
    signal.signal(signal.SIGINT, raise_interrupt)  # a script's `&` would leave us deaf to it
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        _open_outputs()
        code, why = _run_command()
    except KeyboardInterrupt:
        code, why = STOPPED_EXIT_CODE, "stopped"
    if code != STOPPED_EXIT_CODE:
        signal.signal(signal.SIGINT, schedule_exit)
    if why:
        print_stderr(f"quire: {why}")
    sys.exit(code)


def run_process() -> None:
    """Be the process of a command: `main`, and once all is closed the end, with no teardown."""
    codes: list[int] = []
    atexit.register(_skip_teardown, codes)  # first, so that it runs last
    try:
        main()
    except SystemExit as ended:
        codes.append(int(ended.code or 0))
        raise


def _skip_teardown(codes: list[int]) -> None:
    """End the process with its code: to take 2,600 modules apart takes half a second."""
    if codes:
        with suppress(OSError, ValueError):  # whoever read us has left, or it is closed
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(codes[0])


def _open_outputs() -> None:
    """What an encoding cannot hold becomes a question mark; what is closed takes all."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115  (it stays open)
    sys.stderr = sys.stderr or sys.stdout
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _run_command() -> tuple[int, str]:
    """The exit code of the command, and the sentence that says why it is not 0."""
    try:
        _check_arguments(sys.argv[1:])
        with pause_collector():
            from cli.app import app
            from cli.console import silence_libraries

        silence_libraries()
        code = app(prog_name="quire", standalone_mode=False) or 0
        with guard_stdout():
            return (code, "stopped" if code == STOPPED_EXIT_CODE else "")
    except Exception as error:  # noqa: BLE001  (all are told, in one line each)
        return _describe_error(error)


def _check_arguments(arguments: list[str]) -> None:
    from schema.error_text import is_text
    from schema.errors import InputError

    for argument in arguments:
        if not is_text(argument):
            raise InputError(f"The argument “{argument}” is not UTF-8: write it again.")


def _describe_error(error: Exception) -> tuple[int, str]:
    """The exit code that an error means, and the sentence that tells it."""
    from typer import TyperException

    from schema.errors import InputError, QuireError

    match error:
        case StoppedError():
            return STOPPED_EXIT_CODE, str(error)
        case InputError():
            return 2, str(error)
        case QuireError():
            return 1, str(error)
        case TyperException():
            return _describe_misuse(error)
        case OutputError():
            _drop_output()
            return 1, str(error)
        case OSError(filename=str(place)):
            return 1, f"{place}: {error.strerror}; check that there is room, and whose it is."
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} in {Path(where.filename).name}, line {where.lineno}"
    return 1, f"A fault of Quire's own ended this ({place}): please report it, and what you ran."


def _describe_misuse(error: "TyperException") -> tuple[int, str]:
    """A call that fits no command; where only its name was given, the help stands there already."""
    said = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    hint = f"; see {context.command_path} --help" if context else ""
    return error.exit_code, f"{said}{hint}." if said else ""


def _drop_output() -> None:
    """Drop what standard output did not take, or Python would try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
