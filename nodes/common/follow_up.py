"""What is said to a finished report: told apart, and named to who said it."""

from models.calls import Role
from models.extractive.chat_model import EXTRACTIVE
from models.structured import ask_structured
from prompts.route_follow_up import RouteFollowUpPrompt
from prompts.template import NumberedLine
from schema.deep_search import DeepAnswer
from schema.errors import InputError, ModelOutputError, ModelUnavailableError
from schema.follow_up import FollowUp
from schema.report import ModelCall, Report
from schema.summary import list_section_numbers


async def route_message(
    report: Report, message: str, role: Role
) -> tuple[FollowUp, list[ModelCall]]:
    """What a message wants of a report; where the model does not say, its words do.

    Raises:
        InputError: it names sections alone that the report has not.
    """
    there = list_section_numbers(report)
    titles = [one["title"] for one in report["sections"] if one.get("kind") != "summary"]
    prompt = RouteFollowUpPrompt(
        question=report["question"], sections=[NumberedLine(one) for one in titles], message=message
    )
    try:
        wanted, calls = await ask_structured(role, prompt, FollowUp)
    except (ModelOutputError, ModelUnavailableError):
        wanted, calls = await ask_structured(Role(role.name, EXTRACTIVE), prompt, FollowUp)
    numbers = [one for one in wanted.section_numbers if one in there]
    if wanted.section_numbers and not numbers and wanted.kind in ("edit", "research"):
        missing = ", ".join(map(str, wanted.section_numbers))
        raise InputError(
            f"There is no section {missing}: the report has sections 1 to {len(titles)}."
        )
    return wanted.model_copy(update={"section_numbers": numbers}), calls


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


def describe_reach(answer: DeepAnswer) -> str:
    """How far an answer of a report had to look, as a sentence."""
    if answer["queries"] or answer["pages_read"]:
        return "The report's own sources did not answer it: it was searched for anew."
    return "It is answered from the report's own sources."
