"""`quire sources` and `quire sync`: where a space's documents come from, kept up to date."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from schema.errors import InputError, QuireError
from serving.options import AsJson, Space
from serving.plain import say, say_json, tell
from serving.terminal import context_from, run, table, told_counts

if TYPE_CHECKING:
    from library.sources import Source

app = typer.Typer(no_args_is_help=True, help="Sources of the library: list, add, sync, remove.")

Names = Annotated[
    list[str],
    typer.Argument(help="connector:place, or the path of a file or folder.", metavar="SOURCE"),
]


@app.command("list")
def list_(space: Space = "default", as_json: AsJson = False) -> None:
    """Show where the documents of a space come from, and how the last sync ended."""
    context_from(space=space)

    async def work() -> "list[Source]":
        from serving.sources import listed

        return await listed(space)

    found = run(work)
    if as_json:
        say_json([_entry(one) for one in found])
    elif found:
        rows = [
            (
                one.name,
                one.synced.astimezone().strftime("%Y-%m-%d %H:%M") if one.synced else "never",
                one.failure or told_counts(one.counts),
            )
            for one in found
        ]
        table(("source", "synced", "last sync"), rows)
    else:
        say(f"The space “{space}” has no sources yet: quire sources add SOURCE adds one.")


@app.command()
def connectors(as_json: AsJson = False) -> None:
    """Show every connector, and what it still needs."""
    from serving.sources import offers

    if as_json:
        say_json([asdict(one) for one in offers()])
    else:
        rows = [(one.name, one.kind, one.reads, one.lacks or "ready") for one in offers()]
        table(("connector", "kind", "reads", "state"), rows)


@app.command()
def add(sources: Names, space: Space = "default") -> None:
    """Add sources to a space; `quire sync` then reads them."""
    context_from(space=space)

    async def work() -> list[str]:
        from serving.sources import add

        return await add(sources, space)

    for name in run(work):
        say(f"added {name}")


@app.command()
def remove(sources: Names, space: Space = "default") -> None:
    """Forget sources, with the documents that no other source has."""
    context_from(space=space)

    async def work() -> None:
        from serving.sources import remove

        for source in sources:
            say(f"removed {source}, {await remove(source, space)} documents")

    run(work)


def sync(
    sources: Annotated[
        list[str] | None,
        typer.Argument(help="Source, as `quire sources list` names it.", metavar="SOURCE"),
    ] = None,
    space: Space = "default",
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
    context_from(space=space)
    if bool(sources) == all_:
        raise InputError("Name the sources to sync, or give --all for all of the space.")

    async def work() -> bool:
        while True:
            well = await _round(sources or [], space, full, quiet=watch)
            if not watch:
                return well
            await asyncio.sleep(every)

    if not run(work):
        raise QuireError("Some sources could not be synced; what they gave before is kept.")


app.command("sync")(sync)


def _entry(one: "Source") -> dict[str, Any]:
    """A source as JSON tells it."""
    synced = one.synced.isoformat() if one.synced else None
    names = ("name", "connector", "place", "counts", "failure")
    return {name: getattr(one, name) for name in names} | {"synced": synced}


async def _round(sources: list[str], space: str, full: bool, *, quiet: bool) -> bool:
    """Sync once; tells each source's outcome, or when quiet only what is new."""
    from serving.progress import RunProgress
    from serving.sources import sync as synchronised

    well = True
    with RunProgress() as progress:
        on_event: Callable[..., None] = progress
        async for one in synchronised(sources, space, on_event, full=full):
            for reason in one.skipped:
                tell(f"{one.name}: skipped {reason}")
            if one.failure:
                well = False
                tell(f"{one.name}: {one.failure}")
            elif not quiet or one.counts.keys() - {"unchanged", "skipped"}:
                vectors = f", {one.vectors} vectors" if one.vectors else ""
                say(f"{one.name}: {told_counts(one.counts) or 'nothing there'}{vectors}")
    return well
