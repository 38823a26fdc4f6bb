"""Options that several commands have, and what is checked of each before any work is done."""

import os
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from cli.console import make_context
from exports.citation_styles import Style
from schema.context import check_name
from schema.errors import InputError


def _check_space(name: str) -> str:
    return make_context(space=name).space


def _check_citations(name: str) -> str:
    return check_name(name, list(get_args(Style)), "form of citations")


def _check_writable(target: Path | None) -> Path | None:
    """Refuse an output that could not be written."""
    if target is None:
        return None
    folder = target.absolute().parent
    if target.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{target} cannot be written: name a file in a folder that exists.")
    return target


def make_file_option(*names: str, help: str) -> Any:  # noqa: A002  (typer's word)
    """An option that names a file to write to."""
    return typer.Option(*names, help=help, callback=_check_writable)


QuestionArgument = typer.Argument(help="What you want to know.", metavar="QUESTION")
SpaceOption = Annotated[
    str,
    typer.Option(
        help="Search space: a library of its own within the library, by its name.",
        callback=_check_space,
    ),
]
ConnectorsOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Source to ask, as `quire sources connectors` names it; repeatable. Without it: the "
        "library, what earlier runs found on the web, and every live source that is set up."
    ),
]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="Use nothing that earlier runs found on the web.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for a script.")]
CitationsOption = Annotated[
    str,
    typer.Option(help="Form of the citations: ieee or author-date.", callback=_check_citations),
]
