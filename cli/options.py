"""Options that several commands have."""

from typing import Annotated

import typer

QuestionArgument = typer.Argument(help="What you want to know.", metavar="QUESTION")
SpaceOption = Annotated[
    str, typer.Option(help="Search space: a library of its own within the library, by its name.")
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
CitationsOption = Annotated[str, typer.Option(help="Form of the citations: ieee or author-date.")]
