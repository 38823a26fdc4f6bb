"""What is said to a report is told apart, and done."""

import json

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, task_of
from graph_runs import CONCEPTS, QUESTION, speaking

from library.library import open_library
from models.calls import Role
from nodes.common.follow_up import describe_follow_up, route_message
from schema.context import Context
from schema.errors import InputError
from schema.follow_up import FollowUp
from schema.report import Report
from serving.follow_ups import follow_up
from serving.reports import create_report
from serving.stored_reports import list_report_versions

EXTRACTIVE = Role("planner", "extractive")


def report(*titles: str) -> Report:
    sections = [{"title": "Summary", "text": "", "kind": "summary"}]
    sections += [{"title": one, "text": ""} for one in titles]
    return {"question": "How is a dam built?", "sections": sections}  # type: ignore[return-value, typeddict-item]


@pytest.mark.parametrize(
    ("message", "kind", "numbers"),
    [
        ("Who built the first one?", "question", []),
        ("How many fish?", "question", []),
        ("the height of the Hoover dam", "question", []),
        ("Make it shorter", "edit", []),
        ("Kürze den Abschnitt 2", "edit", [2]),
        ("Put the section on costs into a table", "edit", [2]),
        ("Remove the part on fish", "edit", [3]),
        ("Shorten the summary", "edit", [0]),
        ("第2节写得简短一些", "edit", [2]),
        ("Add the costs of maintenance", "research", [2]),
        ("Ajoute les barrages en France", "research", [3]),
        ("Can you make it shorter?", "edit", []),
        ("Könntest du bitte die Kosten ergänzen?", "research", [3]),
        ("Can you tell who built the first one?", "question", []),
        ("Write a new report on tunnels", "report", []),
        ("Thanks!", "report", []),
        ("Translate it into Spanish", "report", []),
        ("auf Deutsch bitte", "report", []),
    ],
)
async def test_without_a_language_model_the_words_tell(
    message: str, kind: str, numbers: list[int]
) -> None:
    dams = report("How dams are built", "Costs of dams", "Fish and dams")
    wanted, _ = await route_message(dams, message, EXTRACTIVE)
    assert (wanted.kind, wanted.section_numbers) == (kind, numbers)
    assert describe_follow_up(wanted).startswith("Taken as ")


@pytest.mark.parametrize("message", ["make section 9 longer", "Shorten section 9"])
async def test_a_section_that_is_not_there_is_not_taken_for_all(message: str) -> None:
    with pytest.raises(InputError, match="no section 9: the report has sections 1 to 2"):
        await route_message(report("Costs of dams", "Fish and dams"), message, EXTRACTIVE)


@pytest.mark.parametrize(
    ("message", "joined"),
    [("And the limits?", True), ("Why?", True), ("How many gates has the dam?", False)],
)
async def test_a_question_that_leans_on_the_report_is_joined_to_its_question(
    message: str, joined: bool
) -> None:
    wanted, _ = await route_message(report("How dams are built"), message, EXTRACTIVE)
    assert wanted.request.startswith(message)
    assert ("How is a dam built?" in wanted.request) is joined


async def written(space: str) -> str:
    context = Context(space=space, paths=[str(CONCEPTS)], research_mode="deep")
    made = (await create_report(QUESTION, context, lambda _: None)).report
    assert made
    return made["id"]


def routing(answer: dict[str, object] | str) -> Writer:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return Writer({"route_follow_up": lambda _: text})


@pytest.mark.slow
async def test_a_question_is_answered_and_an_edit_is_a_version(space: str) -> None:
    identity = await written(space)
    asked = await follow_up(
        identity, "What is reciprocal rank fusion?", lambda _: None, may_search=False
    )
    assert asked.answer
    assert asked.answer["found"]
    assert asked.report is None
    edited = await follow_up(identity, "Make it shorter", lambda _: None)
    assert edited.taken_as.kind == "edit"
    assert edited.report
    assert edited.report["version"] == 2
    with pytest.raises(InputError, match="is no question to this report"):
        await follow_up(identity, "Translate it into Spanish", lambda _: None)
    library = await open_library(space)
    assert len(await library.list_answers(identity)) == 1
    assert [one.version for one in await list_report_versions(identity)] == [1, 2]


@pytest.mark.parametrize("broken", ["no object at all", {"kind": "dance"}])
async def test_a_model_that_does_not_say_is_not_waited_for(space: str, broken: object) -> None:
    dams = report("How dams are built", "Costs of dams")
    with speaking(routing(broken)):  # type: ignore[arg-type]
        role = Role("planner", "openai:gpt-test")
        wanted, _ = await route_message(dams, "Shorten section 2", role)
    assert wanted == FollowUp(kind="edit", section_numbers=[2], request="Shorten section 2")


async def test_a_model_tells_what_is_wanted(space: str) -> None:
    dams, seen = report("How dams are built", "Costs of dams"), list[str]()
    writer = routing({"kind": "research", "section_numbers": [2, 9], "request": "Add wages."})

    def answer(request: ChatRequest) -> str:
        seen.append(task_of(request))
        return writer(request)

    with speaking(answer):
        role = Role("planner", "openai:gpt-test")
        wanted, _ = await route_message(dams, "What about wages, put them in", role)
    assert (wanted.kind, wanted.section_numbers) == ("research", [2])
    assert seen == ["route_follow_up"]
