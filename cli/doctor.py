"""`quire doctor`: the state of the installation."""

import typer

from cli.console import print_table, run
from cli.options import SpaceOption

_COLOURS = {"ready": "green", "absent": "yellow", "broken": "red"}


def doctor(space: SpaceOption = "default") -> None:
    """Show what is set up, what is not, and what each absence costs."""
    from rich.text import Text

    from serving.doctor import check_installation

    findings = run(lambda: check_installation(space))
    print_table(
        ("part", "state", "what it is, or how to set it up", "what is missing without it"),
        [
            (one.part, Text(one.state, style=_COLOURS[one.state]), one.detail, one.cost)
            for one in findings
        ],
    )
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)
