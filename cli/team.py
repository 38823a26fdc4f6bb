"""`quire team`: who comes in, what they may do and use, and what they have used."""

from pathlib import Path
from typing import Annotated

import typer

from cli.console import print_table, run
from cli.safe_output import print_stdout
from schema.access import GROUP_SIGN, LOCAL_USER, Member, find_owner, name_space
from schema.errors import InputError

app = typer.Typer(no_args_is_help=True, help="Users of a server, and what they may do and use.")

SubjectArgument = Annotated[
    str, typer.Argument(help="A user's identity, @GROUP, or * for everybody.", metavar="SUBJECT")
]


IdentityArgument = Annotated[
    str, typer.Argument(help="As `quire team list` names the user.", metavar="IDENTITY")
]


@app.command("list")
def list_() -> None:
    """Show all users, with their groups."""
    from team.accounts import Account, list_accounts
    from team.store import open_team

    async def work() -> list[Account]:
        return await list_accounts(await open_team())

    rows = [
        (
            one.identity,
            one.name,
            ", ".join(f"{group}: {role}" for group, role in sorted(one.groups.items())),
            "blocked" if one.blocked else "operator" if one.member.operator else "",
        )
        for one in run(work)
    ]
    if rows:
        print_table(("user", "name", "groups", ""), rows)
    else:
        print_stdout("Nobody has an account: who signs in gets one, or who is given a key.")


@app.command()
def block(
    identity: IdentityArgument,
    off: Annotated[bool, typer.Option("--off", help="Let them in again.")] = False,
) -> None:
    """Let a user in no more: browsers are signed out, keys open nothing."""
    from team.accounts import block_account
    from team.audit import record_as
    from team.store import open_team

    async def work() -> None:
        team = await open_team()
        await block_account(team, identity, blocked=not off)
        action = "account.unblocked" if off else "account.blocked"
        await record_as(team, LOCAL_USER, action, identity, by="command line")

    run(work)


@app.command()
def remove(
    identity: IdentityArgument,
    spaces: Annotated[
        str,
        typer.Option(
            help="keep: their own spaces stay, for who gets their identity again; delete: they go "
            "with reports, documents and uploads.",
            metavar="keep|delete",
        ),
    ],
) -> None:
    """Forget a user: keys, sessions, roles, schedules and links end. The audit stays."""
    from serving.members import remove_member
    from team.audit import record_as
    from team.store import open_team

    if spaces not in ("keep", "delete"):
        raise InputError(f"--spaces cannot be “{spaces}”: write keep or delete.")

    async def work() -> int:
        gone = await remove_member(identity, delete_spaces=spaces == "delete")
        told = {"spaces": spaces, "by": "command line"}
        await record_as(await open_team(), LOCAL_USER, "account.removed", identity, **told)
        return gone

    gone = run(work)
    print_stdout(f"removed {identity}" + (f" and {gone} spaces" if spaces == "delete" else ""))


@app.command()
def export(
    identity: IdentityArgument,
    out: Annotated[Path, typer.Option(help="A new folder.", metavar="FOLDER")],
) -> None:
    """Write what the server holds of a user into a folder, as JSON and Markdown."""
    from serving.members import export_member
    from team.audit import record_as
    from team.store import open_team

    async def work() -> int:
        told = {"by": "command line"}
        await record_as(await open_team(), LOCAL_USER, "account.exported", identity, **told)
        return await export_member(identity, out)

    print_stdout(f"wrote {run(work)} reports and what else there is to {out}")


@app.command()
def retention(
    space: Annotated[
        str, typer.Argument(help="@GROUP/NAME; without it all are shown.", metavar="SPACE")
    ] = "",
    days: Annotated[
        str, typer.Option(help="Days that reports are kept; `off`: for ever.", metavar="N")
    ] = "",
) -> None:
    """Have reports of a space go after so many days; workers see to it every hour."""
    from team.audit import record_as
    from team.retention import Retention, list_retention, set_retention
    from team.store import open_team

    if bool(space) != bool(days) or not (days in ("", "off") or (days.isdigit() and len(days) < 6)):
        raise InputError("Name a space and its days: quire team retention @GROUP/NAME --days 90")

    async def work() -> list[Retention]:
        team = await open_team()
        if space:
            owner, name = _split_space(space)
            await set_retention(team, owner, name, None if days == "off" else int(days))
            told = {"days": days, "by": "command line"}
            await record_as(team, LOCAL_USER, "retention.set", space, **told)
        return await list_retention(team)

    if rows := run(work):
        table = [(name_space(one.owner, one.space), str(one.days)) for one in rows]
        print_table(("space", "days"), table)
    else:
        print_stdout("All reports are kept for ever.")


def _split_space(space: str) -> tuple[str, str]:
    """The owner and the name of a space of a group, or of the user of this machine."""
    group = space.partition("/")[0].removeprefix(GROUP_SIGN) if space[:1] == GROUP_SIGN else ""
    return find_owner(space, Member(groups={group: "curator"} if group else {}), "curator")


@app.command()
def role(
    identity: IdentityArgument,
    group: Annotated[str, typer.Argument(help="Name of the group.", metavar="GROUP")],
    role: Annotated[
        str, typer.Argument(help="reader, writer, curator; `off` takes it back.", metavar="ROLE")
    ],
) -> None:
    """Give a user a role in a group, beside what their provider says."""
    from team.audit import record_as
    from team.groups import set_role
    from team.store import open_team

    async def work() -> None:
        team = await open_team()
        await set_role(team, identity, group, None if role == "off" else role)
        await record_as(
            team, LOCAL_USER, "role.set", identity, group=group, role=role, by="command line"
        )

    run(work)


@app.command()
def name(
    identity: IdentityArgument,
    name: Annotated[
        str,
        typer.Argument(help="Such as ada@example.org, github:ada or slack:U1.", metavar="NAME"),
    ],
    off: Annotated[bool, typer.Option("--off", help="Take it back.")] = False,
) -> None:
    """Say by which name a source knows a user, whose documents are kept for their readers."""
    from team.audit import record_as
    from team.known_names import set_name
    from team.store import open_team

    async def work() -> None:
        team = await open_team()
        await set_name(team, identity, name, known=not off)
        action = "name.removed" if off else "name.set"
        await record_as(team, LOCAL_USER, action, identity, name=name, by="command line")

    run(work)


@app.command()
def limit(
    subject: SubjectArgument,
    kind: Annotated[
        str,
        typer.Argument(
            help="runs_at_once, runs_a_day, tokens_a_day or cents_a_day.", metavar="KIND"
        ),
    ],
    most: Annotated[
        str, typer.Argument(help="The most that there may be; `off` ends it.", metavar="NUMBER")
    ],
) -> None:
    """Set a limit."""
    from team.audit import record_as
    from team.limits import set_limit
    from team.store import open_team

    if most != "off" and not (most.isdigit() and len(most) <= 15):
        raise InputError(f"The limit cannot be “{most}”: write a number, or off.")

    async def work() -> None:
        team = await open_team()
        await set_limit(team, subject, kind, None if most == "off" else int(most))
        told = {"kind": kind, "most": most, "by": "command line"}
        await record_as(team, LOCAL_USER, "limit.set", subject, **told)

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
        columns = ("day", "who", "runs", "model calls", "tokens read", "tokens written", "US $")
        table = [
            (
                *(str(o.day), o.identity),
                *map(str, (o.runs, o.calls, o.input_tokens, o.output_tokens)),
                f"{o.dollars:,.2f}",
            )
            for o in rows
        ]
        print_table(columns, table)
    else:
        print_stdout("Nobody has used anything in these days.")
