"""The sources of a space: adding, removing, bringing them up to date."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from connectors.registry import connector, missing, named_source, names
from library.library import open_library
from library.sources import Source
from schema.context import Context
from schema.errors import InputError, QuireError
from schema.limits import slots
from serving.runs import OnEvent, run_ingest

AT_ONCE = 4
"""Sources that are synchronised at once; each has its own limits besides."""


@dataclass(frozen=True)
class Synced:
    """What came of one source: documents by outcome, what was skipped, or why it failed."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    skipped: Sequence[str] = ()
    vectors: int = 0
    failure: str = ""


@dataclass(frozen=True)
class Offer:
    """A connector as a user chooses it; `lacks` says what is still to do, "" if nothing."""

    name: str
    kind: str
    reads: str
    lacks: str


def offers() -> list[Offer]:
    """Every connector there is."""
    made = [connector(name) for name in names()]
    return [Offer(one.name, one.kind, one.reads, missing(one)) for one in made]


async def listed(space: str) -> list[Source]:
    """The sources of a space."""
    return await (await open_library(space)).sources()


async def add(sources: Sequence[str], space: str) -> list[str]:
    """Make sources of a space without reading them yet; returns their full names.

    Raises:
        InputError: a connector cannot be used, or there is no such place.
        ConnectorError: the source did not answer.
    """
    named = [await asyncio.to_thread(named_source, source) for source in sources]
    for one, place in named:
        await one.root(place)
    library = await open_library(space)
    for one, place in named:
        await library.add_source(one.name, place)
    return [f"{one.name}:{place}" for one, place in named]


async def remove(source: str, space: str) -> int:
    """Forget a source and its documents; returns how many there were.

    Raises:
        InputError: the space has no such source; names those that it has.
    """
    library = await open_library(space)
    found = _of_name(source, await library.sources())
    async with library.alone(found.connector, found.place):
        return await library.remove_source(found.connector, found.place) or 0


async def sync(
    wanted: Sequence[str], space: str, on_event: OnEvent, *, full: bool = False
) -> AsyncIterator[Synced]:
    """Bring sources of a space up to date, several at once; yields each as it is done.

    Args:
        wanted: their names; all of the space's where empty.
        space: the search space.
        on_event: progress.
        full: look again also at what seemed done.

    Raises:
        InputError: the space has no such source, or none at all.
    """
    held = await listed(space)
    chosen = [_of_name(source, held) for source in wanted] or held
    if not chosen:
        raise InputError(f"The space “{space}” has no sources: quire sources add SOURCE adds one.")
    tasks = [asyncio.create_task(_synced(one.name, space, on_event, full)) for one in chosen]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _synced(name: str, space: str, on_event: OnEvent, full: bool) -> Synced:
    async with slots("sources", AT_ONCE):
        try:
            state = await run_ingest([name], Context(space=space), on_event, full=full)
        except QuireError as error:
            return Synced(name, failure=str(error))
    skipped = [one["reason"] for one in state["skipped"]]
    return Synced(name, state["counts"], skipped, state["vectors"])


def _of_name(source: str, held: Sequence[Source]) -> Source:
    """The source that a name means: in full, or a path of files."""
    by_name = {one.name: one for one in held}
    if source in by_name:
        return by_name[source]
    one, place = named_source(source)
    if (name := f"{one.name}:{place}") in by_name:
        return by_name[name]
    known = ", ".join(by_name) or "none yet"
    raise InputError(f"{source} is no source of this space: add it, or use one of {known}.")
