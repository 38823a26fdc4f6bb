"""`quire models`: the small models that run on this machine."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_table, run
from cli.options import JsonOption
from cli.safe_output import print_json, print_stdout

if TYPE_CHECKING:
    from serving.local_models import ModelStatus

app = typer.Typer(
    no_args_is_help=True, help="Models that run on this machine: list, fetch, remove."
)

NamesArgument = Annotated[
    list[str],
    typer.Argument(help="A name of the list, or ORG/NAME of the model hub.", metavar="MODEL"),
]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """Show the models that are known, and those that are there."""
    from serving.local_models import list_models

    found = list_models()
    if as_json:
        print_json([asdict(one) for one in found])
        return
    rows = [
        (
            one.name,
            one.kind,
            ", ".join(one.languages) or "any",
            one.licence,
            f"{one.megabytes:,} MB",
            _describe_state(one),
        )
        for one in found
    ]
    print_table(("model", "kind", "languages", "licence", "size", "state"), rows)


def _describe_state(model: "ModelStatus") -> str:
    if model.there:
        return f"there, {model.revision[:12]}"
    return "not fetched" if model.published else "to be exported"


@app.command()
def fetch(models: NamesArgument) -> None:
    """Fetch models into the data folder; what is there is compared with what was fetched."""
    from serving.local_models import fetch_models

    for one in run(lambda: fetch_models(models)):
        print_stdout(f"{one.name}: there, {one.megabytes:,} MB")


@app.command()
def remove(models: NamesArgument) -> None:
    """Delete models from the data folder; a folder of your own stays."""
    from serving.local_models import remove_models

    remove_models(models)
