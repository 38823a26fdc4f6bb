"""Options that several commands have."""

from typing import Annotated

import typer

Space = Annotated[
    str, typer.Option(help="Name of the library's search space to use; each stands apart.")
]
Connectors = Annotated[
    list[str] | None,
    typer.Option(
        help="Source to ask, as `quire sources connectors` names it; repeatable. Without it: the "
        "library, what earlier runs found on the web, and every live source that is set up."
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Use nothing that earlier runs found on the web.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Style = Annotated[str, typer.Option(help="Form of the citations: ieee or author-date.")]
