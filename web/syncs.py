"""Syncs of a space as its page shows them: under way, and those that failed last."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.access import find_owner
from serving.jobs import SyncJob
from serving.sources import may_curate
from serving.uploads import name_upload_source
from team.audit import record
from web.access import get_member
from web.found import check_space, get_jobs, get_text, read_form, redirect, show_space
from web.streams import format_event, stream

LOOK_SECONDS = 0.5
"""How often a page that shows a sync asks how far it is."""


@dataclass(frozen=True)
class ShownSync:
    """A sync of a space; `says` is where it is, or why it failed, in a sentence."""

    job: int
    title: str
    says: str
    running: bool


async def list_shown_syncs(request: Request, space: str) -> list[ShownSync]:
    """What is under way in a space, and what became of the last sync of each other source.

    Raises:
        AccessError: the visitor may not read the space.
    """
    member = get_member(request)
    uploads = name_upload_source(space, member)
    shown: list[ShownSync] = []
    seen: set[str] = set()
    for one in await (await get_jobs(request)).list_syncs(member, space):
        is_last = one.source not in seen
        seen.add(one.source)
        if not one.ended or (is_last and one.failure):
            title = "Uploaded files" if one.source == uploads else one.source
            says = _describe(one) if may_curate(space, member) else _describe_to_readers(one)
            shown.append(ShownSync(one.id, title, says, not one.ended))
    return shown


def _describe_to_readers(one: SyncJob) -> str:
    """Nothing that tells of documents which not all may read."""
    return "not all of it could be read." if one.ended else "being read."


def _describe(one: SyncJob) -> str:
    if one.ended:
        return one.failure
    if one.failure:
        return f"{one.failure} It is tried again."
    if one.state == "todo":
        return "waiting for a worker."
    return f"{one.documents:,} documents seen." if one.documents else "being read."


async def follow_library(request: Request) -> Response:
    """What is being read into a space, as it happens."""
    space = check_space(request.query_params.get("space") or "default")
    find_owner(space, get_member(request), "reader")
    return stream(request, _follow(request, space))


async def _follow(request: Request, space: str) -> AsyncIterator[str]:
    """Where the syncs of a space are, until one of them ends or another begins."""
    begun, told = None, ""
    while True:
        running = [one for one in await list_shown_syncs(request, space) if one.running]
        jobs = {one.job for one in running}
        begun = jobs if begun is None else begun
        if not jobs or jobs != begun:
            break
        if (says := " ".join(f"{one.title}: {one.says}" for one in running)) != told:
            told = says
            yield format_event("progress", {"says": says})
        await asyncio.sleep(LOOK_SECONDS)
    yield format_event("end", {"state": "changed"})


async def stop_sync(request: Request) -> Response:
    """End a sync; what it stored stays."""
    form, member = await read_form(request), get_member(request)
    space, job = check_space(get_text(form, "space")), get_text(form, "job")
    find_owner(space, member, "curator")
    jobs = await get_jobs(request)
    held = {str(one.id): one for one in await jobs.list_syncs(member, space)}
    if job not in held:
        raise HTTPException(404, "There is no such sync")
    if not held[job].ended:
        await record(member, "sync.stopped", held[job].source, space=space, job=held[job].id)
        await jobs.cancel(held[job].id, member)
    return redirect(show_space(space))


async def forget_failures(request: Request) -> Response:
    """Show no longer what failed."""
    space = check_space(get_text(await read_form(request), "space"))
    await (await get_jobs(request)).forget_failures(space, get_member(request))
    return redirect(show_space(space))


routes = [
    Route("/library/events", follow_library),
    Route("/library/stop", stop_sync, methods=["POST"]),
    Route("/library/dismiss", forget_failures, methods=["POST"]),
]
