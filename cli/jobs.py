"""`quire worker` and `quire jobs`: syncs that are queued and scheduled, and who does them."""

from datetime import timedelta
from typing import Annotated

import typer

from cli.console import format_time, print_table, run
from cli.options import JsonOption, SpaceOption
from cli.safe_output import print_json, print_stderr, print_stdout
from schema.errors import InputError, QuireError

app = typer.Typer(
    no_args_is_help=True, help="Syncs that workers do: queue, schedule, list, cancel."
)

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

SourceArgument = Annotated[
    str, typer.Argument(help="As `quire sources list` names it.", metavar="SOURCE")
]


def worker(
    once: Annotated[
        bool, typer.Option("--once", help="End when no job is left, in place of waiting.")
    ] = False,
) -> None:
    """Do queued and scheduled syncs, until stopped."""
    check_installed()
    from serving.jobs import find_job_member, open_jobs
    from serving.json_log import start_log

    start_log()

    async def work() -> None:
        async with open_jobs() as jobs:
            print_stderr("quire: worker ready")
            await jobs.work(find_job_member, wait=not once)

    run(work)


@app.command()
def sync(
    source: SourceArgument,
    space: SpaceOption = "default",
    full: Annotated[
        bool, typer.Option("--full", help="Look again also at what seemed done.")
    ] = False,
) -> None:
    """Queue a sync of a source; a worker does it."""
    check_installed()
    from schema.access import LOCAL_MEMBER
    from serving.jobs import open_jobs
    from serving.sources import find_source

    async def work() -> int | None:
        name = await find_source(source, space)
        async with open_jobs() as jobs:
            return await jobs.queue_sync(name, space, LOCAL_MEMBER, full=full)

    job = run(work)
    print_stdout(f"job {job}" if job is not None else "it is queued already")


@app.command()
def schedule(
    source: SourceArgument,
    every: Annotated[
        str, typer.Option(help="Such as 30m, 1h, 1d or 1w; `off` ends it.", metavar="TIME")
    ],
    space: SpaceOption = "default",
) -> None:
    """Have workers sync a source every so often."""
    check_installed()
    from schema.access import LOCAL_MEMBER
    from serving.jobs import open_jobs
    from serving.sources import find_source

    period = parse_period(every)

    async def work() -> None:
        name = await find_source(source, space)
        async with open_jobs() as jobs:
            await jobs.schedule(name, space, LOCAL_MEMBER, period)

    run(work)
    if period:
        print_stderr(f"{source}: synced every {every} by quire serve or quire worker")
    else:
        print_stderr(f"{source}: not synced by itself any more")


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """Show the syncs of the last days, the newest first, and the schedules."""
    check_installed()
    from schema.access import LOCAL_MEMBER
    from serving.jobs import Schedule, SyncJob, open_jobs

    async def work() -> tuple[list[SyncJob], list[Schedule]]:
        async with open_jobs() as jobs:
            return await jobs.list_syncs(LOCAL_MEMBER), await jobs.list_schedules(LOCAL_MEMBER)

    syncs, schedules = run(work)
    if as_json:
        print_json(
            {
                "jobs": [vars(one) | {"begun": str(one.begun or "")} for one in syncs],
                "schedules": [
                    {"source": one.source, "space": one.space, "due": one.due.isoformat()}
                    for one in schedules
                ],
            }
        )
        return
    if not syncs and not schedules:
        print_stdout("No sync is queued: quire jobs sync SOURCE queues one.")
    if syncs:
        rows = [(str(o.id), o.source, o.space, o.state, str(o.documents), o.failure) for o in syncs]
        print_table(("job", "source", "space", "state", "documents", "why"), rows)
    if schedules:
        due = [(one.source, one.space, str(one.every), format_time(one.due)) for one in schedules]
        print_table(("scheduled", "space", "every", "next"), due)


@app.command()
def cancel(job: Annotated[int, typer.Argument(help="As `quire jobs list` shows it.")]) -> None:
    """End a sync, also one that is under way; what it stored stays."""
    check_installed()
    from schema.access import LOCAL_MEMBER
    from serving.jobs import open_jobs

    async def work() -> None:
        async with open_jobs() as jobs:
            await jobs.cancel(job, LOCAL_MEMBER)

    run(work)


def parse_period(given: str) -> timedelta | None:
    """How often, as 30m, 1h, 1d or 1w; None for off."""
    if given == "off":
        return None
    number, unit = given[:-1], given[-1:]
    if not number.isdigit() or unit not in _UNITS or len(number) > 4:
        raise InputError(f"--every cannot be “{given}”: write 30m, 1h, 1d, 1w or off.")
    return timedelta(**{_UNITS[unit]: int(number)})


def check_installed() -> None:
    """Raise `QuireError` where the queue's package is missing."""
    try:
        import procrastinate  # noqa: F401
    except ImportError:
        raise QuireError("Jobs need procrastinate: pip install 'quire[serve]'.") from None
