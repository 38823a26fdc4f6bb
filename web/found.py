"""What routes look up for who asks. What is not theirs is not there, in the same words."""

import re
from dataclasses import replace
from typing import cast
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse

from library.saved_reports import SavedReport
from schema.access import LOCAL_MEMBER, AccessError, Member, check_owner
from schema.context import Context
from schema.errors import InputError
from schema.report import Report
from serving.background import Background, Job
from serving.jobs import Jobs
from serving.live_run import LiveRun
from serving.live_runs import LiveRuns
from serving.served_jobs import JobQueue
from serving.stored_reports import load_report
from web.access import get_member
from web.rendered import hide_paths

_ID = re.compile(r"[0-9a-z]{8}")

MAX_FIELDS = 500
"""Fields of a form."""


def get_runs(request: Request) -> LiveRuns:
    """The reports that are being written."""
    return cast("LiveRuns", request.app.state.runs)


async def get_jobs(request: Request) -> Jobs:
    """The queue of syncs.

    Raises:
        LibraryError: the database cannot be used.
    """
    return await cast("JobQueue", request.app.state.jobs).get()


def get_background(request: Request) -> Background:
    """Revisions and answers that are being written."""
    return cast("Background", request.app.state.background)


def get_id(request: Request) -> str:
    """The id of a report that the address names.

    Raises:
        HTTPException: it names none.
    """
    identity = str(request.path_params["id"])
    if not _ID.fullmatch(identity):
        raise unknown_report()
    return identity


def find_run(request: Request) -> LiveRun | None:
    """The run of the report that the address names, where it is one that its visitor may see."""
    run = get_runs(request).find(get_id(request))
    return run if run and run.begun.owner in get_member(request).owners else None


def find_jobs(request: Request, *key: str, is_curator: bool = False) -> list[Job]:
    """The work whose keys begin with these parts; of others' the title alone, but for curators."""
    identity = get_member(request).identity
    return [
        job if is_curator or job.asked_by == identity else replace(job, says="")
        for job in get_background(request).find(*key)
    ]


def is_own(request: Request, run: LiveRun) -> bool:
    """Whether the visitor asked for the run; of others', they see what they may read."""
    return run.member.identity == get_member(request).identity


async def find_report(request: Request, version: int | None = None) -> SavedReport:
    """The report that the address names, in its newest version where None.

    Raises:
        HTTPException: 404: the visitor has none of this id.
    """
    identity, member = get_id(request), get_member(request)
    try:
        return await load_report(identity, version, member)
    except InputError:
        raise unknown_report() from None


async def find_finished(request: Request, version: int | None = None) -> tuple[SavedReport, Report]:
    """The same, and its text.

    Raises:
        HTTPException: 404: there is none, or it has not been written to its end.
    """
    kept = await find_report(request, version)
    if kept.report is None:
        raise HTTPException(404, "This report is not finished")
    return kept, show_to(get_member(request), kept.report)


def show_to(member: Member, report: Report) -> Report:
    """The report as a member may see it: only the user of one machine is told where files stand."""
    return report if member is LOCAL_MEMBER else hide_paths(report)


def get_version(request: Request, name: str = "version") -> int | None:
    """The version that the address asks for; None for the newest.

    Raises:
        HTTPException: 404: it is no number.
    """
    asked = request.query_params.get(name, "")
    if asked and not re.fullmatch("[1-9][0-9]{0,5}", asked):
        raise unknown_report()
    return int(asked) if asked else None


def unknown_report() -> HTTPException:
    """What is answered of a report that is not there, and of one that is another's."""
    return HTTPException(404, "There is no such report")


def check_space(name: str) -> str:
    """The name of a space, of no part of one.

    Raises:
        InputError: it is none.
    """
    if "~" in name:
        raise InputError("This is kept beside a space: name the space itself.")
    return Context(space=name).space


def show_space(space: str) -> str:
    """The address of a space's library."""
    return f"/library?space={quote(space, safe='')}"


def may_write(owner: str, member: Member) -> bool:
    """Whether a member may change an owner's reports."""
    try:
        check_owner(owner, member, "writer")
    except AccessError:
        return False
    return True


async def read_form(request: Request) -> FormData:
    """The form that was sent."""
    return await request.form(max_fields=MAX_FIELDS, max_files=0)


def get_text(form: FormData, name: str) -> str:
    """A field of a form as text; "" where it is missing. Line ends are those of Python."""
    value = form.get(name)
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""


def redirect(path: str) -> RedirectResponse:
    """Send a browser on with a GET."""
    return RedirectResponse(path, 303)
