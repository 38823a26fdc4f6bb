"""The sources of a space: adding, removing, bringing them up to date."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

from connectors.registry import explain_missing, list_connector_names, make_connector, parse_source
from connectors.served import check_served
from library.library import Library, open_library
from library.synced_sources import SpaceInfo, SyncedSource
from schema.access import (
    EVERYONE,
    GROUP_SIGN,
    LOCAL_MEMBER,
    ROLES,
    AccessError,
    GroupRole,
    Member,
    find_owner,
    name_space,
)
from schema.concurrency import get_semaphore
from schema.context import Context
from schema.errors import InputError, QuireError
from serving.runs import OnEvent, run_ingest

MAX_CONCURRENT_SYNCS = 4
"""Sources that are synchronised at once; each has its own limits besides."""


@dataclass(frozen=True)
class SourceSyncResult:
    """What came of one source: documents by outcome, what was skipped, or why it failed."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    skipped: Sequence[str] = ()
    vectors: int = 0
    failure: str = ""


@dataclass(frozen=True)
class ConnectorStatus:
    """A connector as a user chooses it; `lacks` says what is still to do, "" if nothing."""

    name: str
    kind: str
    description: str
    lacks: str


def list_connectors() -> list[ConnectorStatus]:
    """Every connector there is."""
    made = [make_connector(name) for name in list_connector_names()]
    return [
        ConnectorStatus(one.name, one.kind, one.description, explain_missing(one)) for one in made
    ]


@dataclass(frozen=True)
class ReachableSpace:
    """A space that a member may work in, by the name that the member uses, and as what."""

    name: str
    role: GroupRole
    documents: int
    connectors: Sequence[str]


async def list_spaces(member: Member = LOCAL_MEMBER) -> list[ReachableSpace]:
    """The spaces that a member may work in, their own first.

    Of each owner there is one named "default", whether or not anything stands in it.
    """
    reachable = []
    for owner in member.owners:
        group = owner.removeprefix(GROUP_SIGN) if owner.startswith(GROUP_SIGN) else ""
        role = min(member.groups[group] if group else ROLES[-1], member.at_most, key=ROLES.index)
        held = await (await open_library(user=owner, names=member.names)).list_spaces()
        if not any(one.name == "default" for one in held):
            held.append(SpaceInfo(name="default", documents=0, connectors=[]))
        reachable += [
            ReachableSpace(name_space(owner, one.name), role, one.documents, one.connectors)
            for one in sorted(held, key=lambda one: (one.name != "default", one.name))
        ]
    return reachable


async def list_sources(space: str, member: Member = LOCAL_MEMBER) -> list[SyncedSource]:
    """The sources of a space.

    How many documents the last sync met is told to curators alone where not all may read them.
    """
    held = await (await _open_space(space, member, "reader")).list_sources()
    if may_curate(space, member):
        return held
    return [replace(one, counts={}) if one.acl else one for one in held]


def may_curate(space: str, member: Member) -> bool:
    """Whether a member may change the sources of a space."""
    try:
        find_owner(space, member, "curator")
    except AccessError:
        return False
    return True


async def _open_space(space: str, member: Member, least: GroupRole) -> Library:
    owner, name = find_owner(space, member, least)
    return await open_library(name, owner, member.names)


async def add_sources(
    sources: Sequence[str],
    space: str,
    member: Member = LOCAL_MEMBER,
    acl: bool | None = None,
) -> list[str]:
    """Make sources of a space without reading them yet; returns their full names.

    Args:
        sources: their names.
        space: of the library.
        member: who asks.
        acl: whether their documents are kept for whom the source says; None leaves it as it is.

    Raises:
        InputError: a connector cannot be used or tells no readers, there is no such location, or
            members of a server may not have it read.
        ConnectorError: the source did not answer.
    """
    library = await _open_space(space, member, "curator")
    named = [await asyncio.to_thread(parse_source, source) for source in sources]
    for one, location in named:
        if member is not LOCAL_MEMBER:
            await asyncio.to_thread(check_served, one.name, location, library.user, library.space)
        if acl and not one.tells_readers:
            raise InputError(f"The connector '{one.name}' cannot tell who may read its documents.")
        await one.find_root(location)
    for one, location in named:
        before = await library.load_source(one.name, location)
        await library.add_source(one.name, location, acl)
        if before.acl and acl is False:
            held = await library.load_readers(one.name, [before.root])
            await library.set_readers(dict.fromkeys(held, (EVERYONE,)))
    return [f"{one.name}:{location}" for one, location in named]


async def find_source(source: str, space: str, member: Member = LOCAL_MEMBER) -> str:
    """The full name of a source of a space.

    Raises:
        InputError: the space has no such source; names those that it has.
    """
    return _find_source(source, await list_sources(space, member)).name


async def remove_source(source: str, space: str, member: Member = LOCAL_MEMBER) -> int:
    """Forget a source and its documents; returns how many there were.

    Raises:
        InputError: the space has no such source; names those that it has.
    """
    library = await _open_space(space, member, "curator")
    found = _find_source(source, await library.list_sources())
    async with library.hold_lock(found.connector, found.location):
        return await library.remove_source(found.connector, found.location) or 0


async def sync_sources(
    wanted: Sequence[str],
    space: str,
    on_event: OnEvent,
    *,
    full: bool = False,
    member: Member | None = None,
) -> AsyncIterator[SourceSyncResult]:
    """Bring sources of a space up to date, several at once; yields each as it is done.

    Args:
        wanted: their names; all of the space's where empty.
        space: the search space.
        on_event: progress.
        full: look again also at what seemed done.
        member: who asks, where people sign in.

    Raises:
        InputError: the space has no such source, or none at all.
    """
    held = await list_sources(space, member or LOCAL_MEMBER)
    chosen = [_find_source(source, held) for source in wanted] or held
    if not chosen:
        raise InputError(f"The space “{space}” has no sources: quire sources add SOURCE adds one.")
    tasks = [
        asyncio.create_task(_sync_source(one.name, space, on_event, full, member)) for one in chosen
    ]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _sync_source(
    name: str, space: str, on_event: OnEvent, full: bool, member: Member | None
) -> SourceSyncResult:
    async with get_semaphore("sources", MAX_CONCURRENT_SYNCS):
        try:
            context = Context(space=space)
            state = await run_ingest([name], context, on_event, full=full, member=member)
        except QuireError as error:
            return SourceSyncResult(name, failure=str(error))
    skipped = [one["reason"] for one in state["skipped"]]
    return SourceSyncResult(name, state["counts"], skipped, state["vectors"])


def _find_source(source: str, held: Sequence[SyncedSource]) -> SyncedSource:
    """The source that a name means: in full, or a path of files."""
    by_name = {one.name: one for one in held}
    if source in by_name:
        return by_name[source]
    one, location = parse_source(source)
    if (name := f"{one.name}:{location}") in by_name:
        return by_name[name]
    known = ", ".join(by_name) or "none yet"
    raise InputError(f"{source} is no source of this space: add it, or use one of {known}.")
