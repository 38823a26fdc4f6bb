"""What a reader says to a finished report: an answer, a new version, or a report of its own."""

from dataclasses import dataclass

from models.calls import Role
from models.extractive.chat_model import EXTRACTIVE
from models.structured import ask_structured
from prompts.route_follow_up import RouteFollowUpPrompt
from prompts.template import NumberedLine
from schema.access import LOCAL_MEMBER, Member
from schema.deep_search import DeepAnswer
from schema.errors import InputError, ModelOutputError, ModelUnavailableError
from schema.follow_up import FollowUp
from schema.report import Report
from schema.summary import list_section_numbers
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
    kept = await load_report(identity, member=member)
    await check_may_ask(kept, message, member)
    model = restore_context(kept).planner_model
    wanted = await route_message(check_finished(kept), message, Role.from_choice("planner", model))
    if wanted.kind == "report":
        raise InputError(
            f"“{message[:100]}” wants a report of its own: ask it as a new question, with the "
            "language you want."
        )
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


async def route_message(report: Report, message: str, role: Role) -> FollowUp:
    """What a message wants of a report; where the model does not say, its words do."""
    there = list_section_numbers(report)
    titles = [one["title"] for one in report["sections"] if one.get("kind") != "summary"]
    prompt = RouteFollowUpPrompt(
        question=report["question"], sections=[NumberedLine(one) for one in titles], message=message
    )
    try:
        wanted, _ = await ask_structured(role, prompt, FollowUp)
    except (ModelOutputError, ModelUnavailableError):
        wanted, _ = await ask_structured(Role(role.name, EXTRACTIVE), prompt, FollowUp)
    numbers = [one for one in wanted.section_numbers if one in there]
    return wanted.model_copy(update={"section_numbers": numbers})


def describe_follow_up(wanted: FollowUp) -> str:
    """What a message was taken as, as a sentence."""
    numbers = wanted.section_numbers
    where = f"section {', '.join(map(str, numbers))}" if numbers else "all sections"
    kinds = {
        "question": "Taken as a question to the report.",
        "edit": f"Taken as an edit of {where}.",
        "research": f"Taken as more research for {where}.",
        "report": "Taken as a question of its own.",
    }
    return kinds[wanted.kind]
