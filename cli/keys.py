"""`quire keys`: keys with which programs come in at a server of the team."""

from typing import Annotated

import typer

from cli.console import format_time, print_table, run
from cli.safe_output import print_stderr, print_stdout

app = typer.Typer(no_args_is_help=True, help="Keys of programs: create, list, revoke.")

UserOption = Annotated[
    str, typer.Option(help="Whose key it is, as `quire team list` names them.", metavar="IDENTITY")
]


@app.command()
def create(
    user: UserOption = "local",
    name: Annotated[str, typer.Option(help="What the key is for.")] = "",
    scope: Annotated[
        str,
        typer.Option(
            help="read: reports and searches; write: write reports, too; sources: change sources, "
            "too."
        ),
    ] = "write",
    days: Annotated[
        int | None, typer.Option(help="Days that it is good for; for ever without.")
    ] = None,
) -> None:
    """Make a key and print it, this once; who has no account yet gets one."""
    from team.accounts import make_account
    from team.api_keys import create_key
    from team.audit import record_as
    from team.store import open_team

    async def work() -> str:
        team = await open_team()
        if await make_account(team, user):
            print_stderr(f"made the account {user}")
        key = await create_key(team, user, name, scope, days)
        await record_as(team, user, "key.created", name, scope=scope, days=days, by="command line")
        return key

    print_stdout(run(work))


@app.command("list")
def list_(user: UserOption = "") -> None:
    """Show the keys of a user, or of all; what opens is not kept."""
    from team.api_keys import ApiKey, list_keys
    from team.store import open_team

    async def work() -> list[ApiKey]:
        return await list_keys(await open_team(), user or None)

    rows = [
        (
            one.id,
            one.identity,
            one.name,
            one.scope,
            format_time(one.expires) if one.expires else "for ever",
            format_time(one.used) if one.used else "never",
            "revoked" if one.revoked else "",
        )
        for one in run(work)
    ]
    if rows:
        print_table(("key", "user", "for", "scope", "good until", "last used", ""), rows)
    else:
        print_stdout("There are no keys: quire keys create --user IDENTITY makes one.")


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(help="As `quire keys list` names it.", metavar="KEY")],
) -> None:
    """Let a key open nothing any more."""
    from schema.access import Member
    from team.api_keys import revoke_key
    from team.audit import record
    from team.store import open_team

    async def work() -> None:
        await revoke_key(await open_team(), key)
        await record(Member(), "key.revoked", key, by="command line")

    run(work)
    print_stdout(f"revoked {key}")
