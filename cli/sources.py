"""`quire sources` and `quire sync`: where a space's documents come from, kept up to date."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import format_counts, format_time, print_table, run, run_with_progress
from cli.options import JsonOption, SpaceOption
from cli.safe_output import print_json, print_stderr, print_stdout
from schema.errors import InputError, QuireError

if TYPE_CHECKING:
    from library.synced_sources import SyncedSource
    from schema.events import Event

app = typer.Typer(no_args_is_help=True, help="Sources of the library: list, add, sync, remove.")

SourcesArgument = Annotated[
    list[str],
    typer.Argument(help="connector:location, or the path of a file or folder.", metavar="SOURCE"),
]


@app.command("list")
def list_(space: SpaceOption = "default", as_json: JsonOption = False) -> None:
    """Show where the documents of a space come from, and how the last sync ended."""
    from serving.sources import list_sources

    found = run(lambda: list_sources(space))
    if as_json:
        print_json([_describe_source(one) for one in found])
    elif found:
        rows = [
            (
                one.name,
                format_time(one.synced) if one.synced else "never",
                one.failure or format_counts(one.counts),
            )
            for one in found
        ]
        print_table(("source", "synced", "last sync"), rows)
    else:
        print_stdout(f"The space “{space}” has no sources yet: quire sources add SOURCE adds one.")


@app.command()
def connectors(as_json: JsonOption = False) -> None:
    """Show every connector, and what it still needs."""
    from serving.sources import list_connectors

    if as_json:
        print_json([asdict(one) for one in list_connectors()])
    else:
        rows = [
            (one.name, one.kind, one.description, one.lacks or "ready") for one in list_connectors()
        ]
        print_table(("connector", "kind", "description", "state"), rows)


@app.command()
def add(
    sources: SourcesArgument,
    space: SpaceOption = "default",
    acl: Annotated[
        bool | None,
        typer.Option(
            "--acl/--no-acl", help="Keep each document for those who may read it at its source."
        ),
    ] = None,
) -> None:
    """Add sources to a space; `quire sync` then reads them."""
    from serving.sources import add_sources

    for name in run(lambda: add_sources(sources, space, acl=acl)):
        print_stdout(f"added {name}")


@app.command()
def remove(sources: SourcesArgument, space: SpaceOption = "default") -> None:
    """Forget sources, with the documents that no other source has."""
    from serving.sources import remove_source

    async def work() -> None:
        for source in sources:
            print_stdout(f"removed {source}, {await remove_source(source, space)} documents")

    run(work)


def sync(
    sources: Annotated[
        list[str] | None,
        typer.Argument(help="Source, as `quire sources list` names it.", metavar="SOURCE"),
    ] = None,
    space: SpaceOption = "default",
    all_: Annotated[bool, typer.Option("--all", help="Sync all sources of the space.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Look again also at what seemed done, and for deletions.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Sync again and again, until Ctrl-C.")
    ] = False,
    every: Annotated[
        float, typer.Option(min=1, help="With --watch: seconds between two rounds.")
    ] = 300,
) -> None:
    """Bring sources up to date; only what changed is read."""
    if bool(sources) == all_:
        raise InputError("Name the sources to sync, or give --all for all of the space.")

    async def work(on_event: "Callable[[Event], None]") -> bool:
        while True:
            well = await _sync_once(sources or [], space, full, on_event, quiet=watch)
            if not watch:
                return well
            await asyncio.sleep(every)

    if not run_with_progress(work):
        raise QuireError("Some sources could not be synced; what they returned before is kept.")


app.command("sync")(sync)


def _describe_source(one: "SyncedSource") -> dict[str, Any]:
    """A source as JSON tells it."""
    synced = one.synced.isoformat() if one.synced else None
    names = ("name", "connector", "location", "counts", "failure")
    return {name: getattr(one, name) for name in names} | {"synced": synced}


async def _sync_once(
    sources: list[str], space: str, full: bool, on_event: "Callable[[Event], None]", *, quiet: bool
) -> bool:
    """Sync once; tells each source's outcome, or when quiet only what is new."""
    from serving.sources import sync_sources

    well = True
    async for one in sync_sources(sources, space, on_event, full=full):
        for reason in one.skipped:
            print_stderr(f"{one.name}: skipped {reason}")
        if one.failure:
            well = False
            print_stderr(f"{one.name}: {one.failure}")
        elif not quiet or one.counts.keys() - {"unchanged", "skipped"}:
            vectors = f", {one.vectors} vectors" if one.vectors else ""
            print_stdout(f"{one.name}: {format_counts(one.counts) or 'nothing there'}{vectors}")
    return well
