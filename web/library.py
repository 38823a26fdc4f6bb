"""The library: what a space holds, and where it comes from. Jobs read it, see web/syncs.py."""

import asyncio

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from library.synced_sources import SyncedSource
from schema.access import LOCAL_MEMBER, AccessError, Member, find_owner
from schema.errors import InputError, QuireError
from serving.sources import (
    ConnectorStatus,
    add_sources,
    list_sources,
    list_spaces,
    may_curate,
    remove_source,
)
from serving.uploads import (
    list_uploads,
    name_upload_source,
    remove_upload,
    remove_uploads,
    save_upload,
)
from team.audit import record
from web.access import get_member
from web.ask import load_connectors
from web.found import check_space, get_jobs, get_text, read_form, redirect, show_space
from web.syncs import list_shown_syncs
from web.templates import render_page

MAX_UPLOAD_BYTES = 200 * 2**20
"""Bytes of the files that are sent at once."""

MAX_UPLOAD_FILES = 100

NOT_ADDED = ("captures", "library", "web_results")
"""Connectors of which nobody adds a source."""


async def show_library(request: Request) -> Response:
    """The documents and sources of a space."""
    return await _render(request, check_space(request.query_params.get("space") or "default"))


async def _render(request: Request, space: str, fault: str = "") -> Response:
    member = get_member(request)
    find_owner(space, member, "reader")
    spaces, sources, syncs, uploads = await asyncio.gather(
        list_spaces(member),
        list_sources(space, member),
        list_shown_syncs(request, space),
        list_uploads(space, member),
    )
    here = next((one for one in spaces if one.name == space), None)
    values = {
        "space": space,
        "spaces": spaces,
        "documents": here.documents if here else 0,
        "may_change": may_curate(space, member),
        "sources": sources,
        "uploads_source": name_upload_source(space, member),
        "uploads": uploads,
        "syncs": syncs,
        "is_live": any(one.running for one in syncs),
        "offered": await _list_offered(request),
        "lacking": [one for one in await load_connectors(request) if one.lacks],
        "most_megabytes": MAX_UPLOAD_BYTES // 2**20,
        "fault": fault,
    }  # fmt: skip
    return await render_page(request, "library.html", values, 422 if fault else 200)


async def _list_offered(request: Request) -> list[ConnectorStatus]:
    """The connectors of which the visitor may add sources: on one machine also its files."""
    hidden = NOT_ADDED if get_member(request) is LOCAL_MEMBER else (*NOT_ADDED, "files")
    return [
        one
        for one in await load_connectors(request)
        if one.kind == "indexed" and not one.lacks and one.name not in hidden
    ]


async def add(request: Request) -> Response:
    """Add a source and have it read."""
    form, member = await read_form(request), get_member(request)
    space = check_space(get_text(form, "space"))
    location = get_text(form, "location")
    connector = get_text(form, "connector")
    offered = [one.name for one in await _list_offered(request)]
    if not location or connector not in offered:
        fault = "Say what is to be read, such as a repository or an address; files are uploaded."
        return await _render(request, space, fault)
    try:
        acl = True if get_text(form, "acl") else None  # what was kept is not opened by leaving out
        [source] = await add_sources([f"{connector}:{location}"], space, member, acl)
        await record(member, "source.added", source, space=space, acl=bool(acl))
        await _queue_sync(request, space, source)
    except AccessError:
        raise
    except QuireError as error:
        return await _render(request, space, str(error))
    return redirect(show_space(space))


async def upload(request: Request) -> Response:
    """Take files, and have them read."""
    length = request.headers.get("content-length", "")
    if not length.isdigit():
        raise HTTPException(411, "The request does not say how long it is")
    if int(length) > MAX_UPLOAD_BYTES:
        most = MAX_UPLOAD_BYTES // 2**20
        raise HTTPException(413, f"These files have more than {most} MB together: send fewer")
    form = await request.form(max_fields=20, max_files=MAX_UPLOAD_FILES)
    member, space = get_member(request), check_space(get_text(form, "space"))
    find_owner(space, member, "curator")
    files = [one for one in form.getlist("files") if isinstance(one, UploadFile) and one.filename]
    if not files:
        return await _render(request, space, "Choose at least one file.")
    try:
        for one in files:
            kept = await save_upload(space, member, one.filename or "", one.file)
            await record(member, "file.uploaded", kept, space=space)
        await _queue_sync(request, space, name_upload_source(space, member))
    except AccessError:
        raise
    except InputError as error:
        return await _render(request, space, str(error))
    finally:
        await form.close()
    return redirect(show_space(space))


async def sync(request: Request) -> Response:
    """Bring a source up to date."""
    form, member = await read_form(request), get_member(request)
    space, source = check_space(get_text(form, "space")), get_text(form, "source")
    find_owner(space, member, "curator")
    await _find(source, space, member)
    await _queue_sync(request, space, source)
    return redirect(show_space(space))


async def remove(request: Request) -> Response:
    """Forget a source with its documents, and uploaded files with theirs."""
    form, member = await read_form(request), get_member(request)
    space, source = check_space(get_text(form, "space")), get_text(form, "source")
    find_owner(space, member, "curator")
    found = await _find(source, space, member)
    uploads = name_upload_source(space, member)
    await record(member, "source.removed", found.name, space=space)
    await (await get_jobs(request)).cancel_syncs(found.name, space, member)
    await remove_source(found.name, space, member)
    if found.name == uploads:
        await remove_uploads(space, member)
    return redirect(show_space(space))


async def remove_file(request: Request) -> Response:
    """Remove an uploaded file, and its document."""
    form, member = await read_form(request), get_member(request)
    space, name = check_space(get_text(form, "space")), get_text(form, "file")
    find_owner(space, member, "curator")
    await record(member, "file.removed", name, space=space)
    await remove_upload(space, member, name)
    await _queue_sync(request, space, name_upload_source(space, member))
    return redirect(show_space(space))


async def _find(source: str, space: str, member: Member) -> SyncedSource:
    for one in await list_sources(space, member):
        if one.name == source:
            return one
    raise HTTPException(404, "There is no such source")


async def _queue_sync(request: Request, space: str, source: str) -> None:
    """Have a source read; where that is queued already, it will be."""
    await (await get_jobs(request)).queue_sync(source, space, get_member(request))


routes = [
    Route("/library", show_library),
    Route("/library/add", add, methods=["POST"]),
    Route("/library/upload", upload, methods=["POST"]),
    Route("/library/sync", sync, methods=["POST"]),
    Route("/library/remove", remove, methods=["POST"]),
    Route("/library/remove-file", remove_file, methods=["POST"]),
]
