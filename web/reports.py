"""The list of reports, and the page of one: while it is written, and when it is finished."""

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exports.digest import count_changes, list_changed_sections
from exports.formats import BUNDLE, FORMATS
from library.library import open_library
from library.saved_reports import SavedReport
from nodes.common.follow_up import describe_reach
from schema.access import check_owner, name_space
from schema.report import Report
from schema.summary import has_summary
from serving.live_run import LiveRun, RunState
from serving.revisions import revise_report
from serving.stored_reports import list_report_versions, list_reports, remove_report
from team.audit import record
from team.share_links import list_share_links
from team.store import open_team
from web.access import get_member
from web.found import (
    find_jobs,
    find_report,
    find_run,
    get_background,
    get_id,
    get_runs,
    get_text,
    get_version,
    is_own,
    may_write,
    read_form,
    redirect,
    show_to,
    unknown_report,
)
from web.outline import list_sections
from web.rendered import render_answer, render_report
from web.run_view import view_run
from web.streams import follow_jobs, follow_run, stream
from web.templates import render_page

PAGE = 50
"""Reports on one page of the list."""

STATES: Mapping[RunState | str, str] = {
    "waiting": "waits for its turn",
    "running": "being written",
    "asking": "waits for you to accept its outline",
    "failed": "failed",
    "stopped": "stopped",
    "": "unfinished",
}


async def show_list(request: Request) -> Response:
    """The reports that the visitor may read, or those whose title or question has some words."""
    held = await list_reports(get_member(request))
    words = request.query_params.get("find", "")[:200]
    found = [
        one
        for one in held
        if all(
            word in f"{one.title} {one.question}".casefold() for word in words.casefold().split()
        )
    ]
    asked = request.query_params.get("page", "")
    page = max(1, int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 1
    values = {
        "reports": found[(page - 1) * PAGE : page * PAGE],
        "count": len(found),
        "held": len(held),
        "page": page,
        "more": len(found) > page * PAGE,
        "words": words,
        "runs": get_runs(request),
    }
    return await render_page(request, "reports.html", values)


async def show_report(request: Request) -> Response:
    """A report: how it is being written, why it is not, or what it says."""
    run = find_run(request)
    was_running = run is not None and not run.ended
    try:
        kept = await find_report(request, get_version(request))
    except HTTPException:
        if run is None or run.state in ("finished", "stopped") or not is_own(request, run):
            raise
        return await _show_run(request, run.begun, run, gone=run.ended)
    if kept.report is None and was_running and run and run.ended:
        return await show_report(request)  # what was loaded is of before its end
    if kept.report is None or (run and not run.ended):
        return await _show_run(request, kept, run)
    return await show_finished(request, kept, show_to(get_member(request), kept.report))


async def _show_run(
    request: Request, kept: SavedReport, run: LiveRun | None, *, gone: bool = False
) -> Response:
    """The page of a run. `gone`: nothing is kept of it, as it found nothing or could not begin."""
    state = run.state if run else ""
    values = {
        "kept": kept,
        "space": name_space(kept.owner, kept.space),
        "state": state,
        "tells": STATES.get(state, state),
        "reason": run.reason if run else "",
        "view": view_run(run, get_runs(request).find_place(kept.id)) if run else None,
        "gone": gone,
        "may_write": may_write(kept.owner, get_member(request)),
        "sections": list_sections(run.outline["outline"]) if run and state == "asking" else [],
        "title": run.outline["outline"]["title"] if run and state == "asking" else "",
        "focus": "",
    }
    return await render_page(request, "run.html", values)


async def show_finished(
    request: Request, kept: SavedReport, report: Report, fault: str = "", status: int = 200
) -> Response:
    """The page of a finished report."""
    member, identity = get_member(request), kept.id
    library = await open_library(kept.space, kept.owner, member.names)
    team = await open_team()
    writes = may_write(kept.owner, member)
    versions, answers, links, article = await asyncio.gather(
        list_report_versions(identity, member),
        library.list_answers(identity),
        list_share_links(team, kept.owner, identity),
        render_report(report, identity, kept.version),
    )
    run = find_run(request)
    jobs = find_jobs(request, "report", identity)
    values: dict[str, Any] = {
        "kept": kept,
        "space": name_space(kept.owner, kept.space),
        "report": report,
        "article": article,
        "newest": versions[-1].version,
        "versions": versions,
        "changed": list(list_changed_sections(report)),
        "changes_said": count_changes(report),
        "describe_reach": describe_reach,
        "answers": [(one, await render_answer(one)) for one in answers],
        "formats": [*FORMATS, BUNDLE],
        "first_section": 0 if has_summary(report) else 1,
        "may_write": writes,
        "links": links if writes else [],
        "jobs": jobs,
        "is_live": any(job.state == "running" for job in jobs),
        "reason": run.reason if run and run.state == "finished" else "",
        "fault": fault,
    }
    return await render_page(request, "report.html", values, status)


async def follow_report(request: Request) -> Response:
    """What happens to a report, as it happens."""
    run = find_run(request)
    if run is None or not is_own(request, run):
        await find_report(request)
    if run and run.state in ("waiting", "running"):
        return stream(request, follow_run(request, run))
    return stream(request, follow_jobs(request, "report", get_id(request)))


async def stop_run(request: Request) -> Response:
    """Stop writing."""
    kept = await find_report(request)
    await get_runs(request).stop(kept.id, get_member(request))
    return redirect(f"/reports/{kept.id}")


async def resume_run(request: Request) -> Response:
    """Go on where the run stopped."""
    kept = await find_report(request)
    await get_runs(request).resume(kept.id, get_member(request))
    return redirect(f"/reports/{kept.id}")


async def remove(request: Request) -> Response:
    """Forget a report, with its versions, its answers and its links."""
    kept, member = await find_report(request), get_member(request)
    check_owner(kept.owner, member, "writer")
    await record(member, "report.removed", kept.id, space=name_space(kept.owner, kept.space))
    await get_runs(request).stop(kept.id, member)
    await remove_report(kept.id, member)
    return redirect("/reports")


async def forget_failures(request: Request) -> Response:
    """Show no longer what failed."""
    kept = await find_report(request)
    check_owner(kept.owner, get_member(request), "writer")
    get_background(request).forget("report", kept.id)
    return redirect(f"/reports/{kept.id}")


async def revise(request: Request) -> Response:
    """Have sections rewritten as their reader wishes; the page shows when it is done."""
    kept, member = await find_report(request), get_member(request)
    check_owner(kept.owner, member, "writer")
    form = await read_form(request)
    section, wish = get_text(form, "section"), get_text(form, "instruction")
    if section and (not section.lstrip("-").isdigit() or len(section) > 4):
        raise unknown_report()
    numbers = [int(section)] if section else []
    await record(member, "report.revised", kept.id, section=section, instruction=wish)
    get_background(request).start(
        ("report", kept.id, "revise"),
        "A section is being rewritten." if section else "All sections are being rewritten.",
        lambda tell: revise_report(kept.id, numbers, wish, tell, member),
        member.identity,
    )
    return redirect(f"/reports/{kept.id}")


routes = [
    Route("/reports", show_list),
    Route("/reports/{id}", show_report),
    Route("/reports/{id}/events", follow_report),
    Route("/reports/{id}/stop", stop_run, methods=["POST"]),
    Route("/reports/{id}/resume", resume_run, methods=["POST"]),
    Route("/reports/{id}/remove", remove, methods=["POST"]),
    Route("/reports/{id}/dismiss", forget_failures, methods=["POST"]),
    Route("/reports/{id}/revise", revise, methods=["POST"]),
]
