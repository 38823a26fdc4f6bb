"""Links to a report that anybody can read who has them, until they are taken back.

Whoever comes by one needs no cookie and gets none. They see the report and its quotes, and no more
of its sources.
"""

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from library.library import open_library
from library.saved_reports import SavedReport
from schema.access import KEEPER, check_owner
from schema.settings import get_settings
from team.audit import ANYBODY, record, record_as
from team.share_links import MAX_DAYS, find_share_link, make_share_link, revoke_share_link
from team.store import open_team
from web.access import get_member
from web.found import find_finished, get_text, read_form, redirect, unknown_report
from web.rendered import hide_paths, render_report
from web.reports import show_finished
from web.templates import render_page

_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)

_HEADERS = {
    "x-robots-tag": "noindex, nofollow",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


async def share(request: Request) -> Response:
    """Make a link to the version that is looked at, and show it once."""
    form, member = await read_form(request), get_member(request)
    asked = get_text(form, "version")
    if not re.fullmatch("[1-9][0-9]{0,5}", asked):
        raise unknown_report()
    kept, report = await find_finished(request, int(asked))
    check_owner(kept.owner, member, "writer")
    if await _load_shared(kept.owner, kept.id, kept.version) is None:
        fault = "Not all members of its group may read its sources: it cannot be shared by a link."
        return await show_finished(request, kept, report, fault, 403)
    days = get_text(form, "days")
    known = re.fullmatch("[1-9][0-9]{0,3}", days) and int(days) <= MAX_DAYS
    if days and not known:
        fault = f"A link can end after 1 to {MAX_DAYS} days, or never."
        return await show_finished(request, kept, report, fault, 422)
    await record(member, "report.shared", kept.id, version=kept.version, days=days or "for ever")
    token = await make_share_link(
        await open_team(), kept.owner, kept.id, kept.version, member.identity,
        int(days) if days else None,
    )  # fmt: skip
    link = f"{str(request.base_url).rstrip('/')}/shared/{token}"
    return await render_page(request, "shared_link.html", {"kept": kept, "link": link})


async def take_back(request: Request) -> Response:
    """End a link."""
    kept, _ = await find_finished(request)
    check_owner(kept.owner, get_member(request), "writer")
    link = str(request.path_params["link"])
    if not re.fullmatch("[0-9]{1,15}", link):
        raise unknown_report()
    await record(get_member(request), "report.unshared", kept.id, link=int(link))
    await revoke_share_link(await open_team(), kept.owner, kept.id, int(link))
    return redirect(f"/reports/{kept.id}#sharing")


async def show_shared(request: Request) -> Response:
    """The report of a link."""
    token = str(request.path_params["token"])
    link = await find_share_link(await open_team(), token) if _TOKEN.fullmatch(token) else None
    kept = await _load_shared(link.owner, link.report, link.version) if link else None
    if link is None or kept is None or kept.report is None:
        raise HTTPException(404, "This link leads to nothing, or was taken back", _HEADERS)
    await record_as(await open_team(), ANYBODY, "report.opened", kept.id, link=link.id)
    values = {
        "title": kept.report["title"],
        "article": await render_report(hide_paths(kept.report)),
    }
    answer = await render_page(request, "shared.html", values)
    answer.headers.update(_HEADERS)
    return answer


async def _load_shared(owner: str, report: str, version: int) -> SavedReport | None:
    """What a link may show: nothing that not all members of the space may read, unless set so."""
    names = (KEEPER,) if get_settings().share_restricted else ()
    return await (await open_library(user=owner, names=names)).load_report(report, version)


routes = [
    Route("/reports/{id}/share", share, methods=["POST"]),
    Route("/reports/{id}/links/{link}/revoke", take_back, methods=["POST"]),
    Route("/shared/{token}", show_shared),
]
