"""What readers say to a finished report: questions, each with its answer below it, and changes."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from library.library import open_library
from schema.access import Member, check_owner
from schema.errors import InputError, QuireError
from serving.follow_ups import follow_up
from serving.report_questions import check_may_ask
from serving.runs import OnEvent
from team.audit import record
from web.access import get_member
from web.found import (
    find_finished,
    get_background,
    get_text,
    read_form,
    redirect,
    unknown_report,
)
from web.reports import show_finished


async def ask_report(request: Request) -> Response:
    """Have a question answered, or what is to change done; the page shows when it is."""
    kept, report = await find_finished(request)
    member = get_member(request)
    check_owner(kept.owner, member, "writer")
    form = await read_form(request)
    question, may_search = get_text(form, "question"), bool(get_text(form, "search"))
    try:
        await check_may_ask(kept, question, member)
        await record(member, "report.asked_further", kept.id, question=question)
        get_background(request).start(
            ("report", kept.id, "ask"),
            f"“{question[:100]}” is being answered or done.",
            lambda tell: _do(kept.id, question, member, tell, may_search=may_search),
            member.identity,
        )
    except InputError as error:
        return await show_finished(request, kept, report, str(error), 422)
    return redirect(f"/reports/{kept.id}#answers")


async def _do(
    identity: str, message: str, member: Member, tell: OnEvent, *, may_search: bool
) -> None:
    done = await follow_up(identity, message, tell, member, may_search=may_search)
    if done.answer and not done.answer["found"]:
        raise QuireError(
            f"The sources do not answer “{message[:100]}”: ask in other words, or add sources."
        )


async def remove_answer(request: Request) -> Response:
    """Forget an answer."""
    kept, _ = await find_finished(request)
    check_owner(kept.owner, get_member(request), "writer")
    answer = str(request.path_params["answer"])
    if not answer.isascii() or not answer.isdigit() or len(answer) > 15:
        raise unknown_report()
    library = await open_library(kept.space, kept.owner, get_member(request).names)
    await library.remove_answer(kept.id, int(answer))
    return redirect(f"/reports/{kept.id}#answers")


routes = [
    Route("/reports/{id}/ask", ask_report, methods=["POST"]),
    Route("/reports/{id}/answers/{answer}/remove", remove_answer, methods=["POST"]),
]
