"""`quire doctor`: the state of the installation."""

from typing import Any

import typer
from rich.text import Text

from cli.console import make_context, print_table, run
from cli.options import SpaceOption

_COLOURS = {"ready": "green", "absent": "yellow", "broken": "red"}


def doctor(space: SpaceOption = "default") -> None:
    """Show what is set up, what is not, and what each absence costs."""
    make_context(space=space)

    async def work() -> Any:
        from serving.doctor import check_installation

        return await check_installation(space)

    findings = run(work)
    print_table(
        ("part", "state", "what it is, or how to set it up", "what is missing without it"),
        [
            (one.part, Text(one.state, style=_COLOURS[one.state]), one.what, one.cost)
            for one in findings
        ],
    )
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)
