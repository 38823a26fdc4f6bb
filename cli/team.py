"""`quire team`: what users may use, and what they have used."""

from typing import Annotated

import typer

from cli.console import print_table, run
from cli.safe_output import print_stdout
from schema.errors import InputError

app = typer.Typer(no_args_is_help=True, help="What users of a server may use.")

SubjectArgument = Annotated[
    str, typer.Argument(help="A user's identity, @GROUP, or * for everybody.", metavar="SUBJECT")
]


@app.command()
def limit(
    subject: SubjectArgument,
    kind: Annotated[
        str, typer.Argument(help="runs_at_once, runs_a_day or tokens_a_day.", metavar="KIND")
    ],
    most: Annotated[
        str, typer.Argument(help="The most that there may be; `off` ends it.", metavar="NUMBER")
    ],
) -> None:
    """Set a limit."""
    from team.limits import set_limit
    from team.store import open_team

    if most != "off" and not (most.isdigit() and len(most) <= 15):
        raise InputError(f"The limit cannot be “{most}”: write a number, or off.")

    async def work() -> None:
        await set_limit(await open_team(), subject, kind, None if most == "off" else int(most))

    run(work)


@app.command()
def limits() -> None:
    """Show all limits."""
    from team.limits import list_limits
    from team.store import open_team

    async def work() -> list[tuple[str, str, int]]:
        return await list_limits(await open_team())

    if rows := run(work):
        print_table(("who", "what", "most"), [(who, what, str(most)) for who, what, most in rows])
    else:
        print_stdout("Nothing is limited: quire team limit SUBJECT KIND NUMBER sets a limit.")


@app.command()
def usage(
    days: Annotated[int, typer.Option(min=1, max=366, help="How many days back.")] = 30,
) -> None:
    """Show what each user has used, by day (UTC)."""
    from team.store import open_team
    from team.usage import UsageOfDay, list_usage

    async def work() -> list[UsageOfDay]:
        return await list_usage(await open_team(), days)

    if rows := run(work):
        columns = ("day", "who", "runs", "model calls", "tokens read", "tokens written")
        table = [
            (str(o.day), o.identity, *map(str, (o.runs, o.calls, o.input_tokens, o.output_tokens)))
            for o in rows
        ]
        print_table(columns, table)
    else:
        print_stdout("Nobody has used anything in these days.")
