"""What a reader says to a finished report: an answer, a new version, or a report of its own."""

from dataclasses import dataclass

from library.saved_reports import SavedReport
from models.calls import Role
from nodes.common.follow_up import route_message
from schema.access import LOCAL_MEMBER, Member
from schema.deep_search import DeepAnswer
from schema.errors import InputError
from schema.follow_up import FollowUp
from schema.report import Report
from serving.report_questions import ask_report, check_may_ask
from serving.revisions import revise_report
from serving.runs import OnEvent
from serving.stored_reports import check_finished, load_report, restore_context


@dataclass(frozen=True)
class FollowUpOutcome:
    """What a message was taken as, and what came of it: an answer, or the report's next version."""

    taken_as: FollowUp
    answer: DeepAnswer | None = None
    report: Report | None = None


async def follow_up(
    identity: str,
    message: str,
    on_event: OnEvent,
    member: Member | None = None,
    *,
    may_search: bool = True,
) -> FollowUpOutcome:
    """Do what a message to a report wants.

    A question is answered from the report's own sources first; an edit and more research become its
    next version.

    Args:
        identity: of the report.
        message: a question, or an instruction.
        on_event: progress.
        member: who says it.
        may_search: whether the library and live sources may be searched beyond the report's own.

    Raises:
        InputError: there is no such report or no message, or it wants a report of its own.
        AccessError: the member may not write in the group whose report it is.
        QuireError: it could not be done; the report stays as it is.
    """
    member = member or LOCAL_MEMBER
    wanted = await route_follow_up(await load_report(identity, member=member), message, member)
    if wanted.kind == "report":
        raise InputError(
            f"“{message[:100]}” is no question to this report and no change of it: ask for a "
            "report of its own, in the language you want."
        )
    return await do_follow_up(identity, message, wanted, on_event, member, may_search=may_search)


async def route_follow_up(kept: SavedReport, message: str, member: Member) -> FollowUp:
    """What a message wants of a finished report.

    Raises:
        InputError: there is no message, or no room for another answer.
        AccessError: the member may not write in the group whose report it is, or has used what
            they may.
        QuireError: the report is not finished.
    """
    await check_may_ask(kept, message, member)
    planner = Role.from_choice("planner", restore_context(kept).planner_model)
    wanted, _ = await route_message(check_finished(kept), message, planner)
    return wanted


async def do_follow_up(
    identity: str,
    message: str,
    wanted: FollowUp,
    on_event: OnEvent,
    member: Member,
    *,
    may_search: bool = True,
) -> FollowUpOutcome:
    """Do what a message to a report was found to want, which is no report of its own.

    Raises:
        QuireError: it could not be done; the report stays as it is.
    """
    if wanted.kind == "question":
        question = wanted.request or message
        answer = await ask_report(identity, question, on_event, member, may_search=may_search)
        return FollowUpOutcome(wanted, answer=answer)
    report = await revise_report(
        identity,
        wanted.section_numbers,
        message,
        on_event,
        member,
        may_search=may_search and wanted.kind == "research",
    )
    return FollowUpOutcome(wanted, report=report)
