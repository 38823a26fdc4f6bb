"""`quire doctor`: the state of the installation."""

from typing import Any

import typer
from rich.text import Text

from serving.options import Space
from serving.terminal import context_from, run, table

_COLOURS = {"ready": "green", "absent": "yellow", "broken": "red"}


def doctor(space: Space = "default") -> None:
    """Show what is set up, what is not, and what each absence costs."""
    context_from(space=space)

    async def work() -> Any:
        from serving.doctor import examine

        return await examine(space)

    findings = run(work)
    table(
        ("part", "state", "what it is, or how to set it up", "what is missing without it"),
        [
            (one.part, Text(one.state, style=_COLOURS[one.state]), one.what, one.cost)
            for one in findings
        ],
    )
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)
