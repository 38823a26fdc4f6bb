"""Questions to a finished report: its own sources answer first, and the answer is kept with it."""

from uuid import uuid4

from library.library import open_library
from library.report_answers import MAX_ANSWERS
from library.saved_reports import SavedReport
from nodes.common.ceiling import list_unpriced
from nodes.common.run import check_question
from schema.access import LOCAL_MEMBER, Member, check_owner, name_space
from schema.context import Context
from schema.deep_search import DeepAnswer
from schema.errors import InputError
from serving.runs import OnEvent, run_deep_search
from serving.stored_reports import check_finished, load_report, restore_context
from team.limits import check_limits
from team.store import open_team
from team.usage import note_run

_TAKEN_OVER = (
    *("planner_model", "writer_model", "checker_model", "judge_model", "reader_model"),
    *("rerank_model", "connectors", "language", "audience"),
)
"""Settings of the report's run that its answers are made with, too."""


async def check_may_ask(kept: SavedReport, question: str, member: Member) -> None:
    """Raise what `ask_report` would before it begins."""
    check_owner(kept.owner, member, "writer")
    check_finished(kept)
    check_question(question)
    library = await open_library(kept.space, kept.owner, member.names)
    if len(await library.list_answers(kept.id)) >= MAX_ANSWERS:
        raise InputError(f"A report keeps {MAX_ANSWERS} answers: remove some first.")
    await check_limits(await open_team(), member, 0, list_unpriced(restore_context(kept)))


async def ask_report(
    identity: str,
    question: str,
    on_event: OnEvent,
    member: Member | None = None,
    *,
    may_search: bool = True,
) -> DeepAnswer:
    """Answer a question from what a report was written from, then from the rest of its sources.

    Only where these do not answer, and it may, are the library and the live sources searched. An
    answer that was found is kept with the report.

    Args:
        identity: of the report.
        question: what is asked.
        on_event: progress.
        member: who asks.
        may_search: whether the search may go beyond the report's own sources.

    Raises:
        InputError: there is no such report, no question, or no room for another answer.
        AccessError: the member may not write in the group whose report it is, or has used what
            they may.
        QuireError: the report is not finished, or the search failed.
    """
    member = member or LOCAL_MEMBER
    kept = await load_report(identity, member=member)
    await check_may_ask(kept, question, member)
    held = kept.run["context"]
    settings = {name: held[name] for name in _TAKEN_OVER if name in held}
    context = Context(space=name_space(kept.owner, kept.space), **settings)
    await note_run(await open_team(), member.identity)
    thread = f"answer-{uuid4().hex}"
    answer = await run_deep_search(
        question, context, on_event, member, thread, report_id=identity, may_search=may_search
    )
    if answer["found"]:
        library = await open_library(kept.space, kept.owner, member.names)
        await library.save_answer(identity, answer, thread)
    return answer
