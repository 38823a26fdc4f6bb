"""Questions to a finished report: each is searched in its space, and the answer kept below it."""

from uuid import uuid4

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from library.library import open_library
from library.saved_reports import SavedReport
from nodes.common.run import check_question
from schema.access import Member, check_owner, name_space
from schema.context import Context
from schema.errors import InputError, QuireError
from serving.runs import OnEvent, run_deep_search
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

MAX_ANSWERS = 100
"""Answers that a report keeps."""

_TAKEN_OVER = (
    *("planner_model", "writer_model", "checker_model", "judge_model", "reader_model"),
    *("rerank_model", "connectors", "language", "audience"),
)
"""Settings of the report's run that its answers are made with, too."""


async def ask_report(request: Request) -> Response:
    """Have a question answered; the page shows when it is."""
    kept, report = await find_finished(request)
    member = get_member(request)
    check_owner(kept.owner, member, "writer")
    question = get_text(await read_form(request), "question")
    try:
        check_question(question)
        await _check_room(kept, member)
        await record(member, "report.asked_further", kept.id, question=question)
        get_background(request).start(
            ("report", kept.id, "ask"),
            f"“{question[:100]}” is being answered.",
            lambda tell: _answer(kept, question, member, tell),
            member.identity,
        )
    except InputError as error:
        return await show_finished(request, kept, report, str(error), 422)
    return redirect(f"/reports/{kept.id}#answers")


async def _check_room(kept: SavedReport, member: Member) -> None:
    library = await open_library(kept.space, kept.owner, member.names)
    if len(await library.list_answers(kept.id)) >= MAX_ANSWERS:
        raise InputError(f"A report keeps {MAX_ANSWERS} answers: remove some first.")


async def _answer(kept: SavedReport, question: str, member: Member, tell: OnEvent) -> None:
    held = kept.run["context"]
    settings = {name: held[name] for name in _TAKEN_OVER if name in held}
    context = Context(space=name_space(kept.owner, kept.space), **settings)
    thread = f"answer-{uuid4().hex}"
    answer = await run_deep_search(question, context, tell, member, thread)
    if not answer["found"]:
        raise QuireError(
            f"The sources do not answer “{question[:100]}”: ask in other words, or add sources."
        )
    library = await open_library(kept.space, kept.owner, member.names)
    await library.save_answer(kept.id, answer, thread)


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
