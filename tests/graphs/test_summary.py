"""The summary at the head of a report: of its sections alone, proven like them."""

import json
import re
from collections.abc import Callable
from typing import Any
from unittest.mock import ANY

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, outline_of, task_of
from graph_runs import QUESTION, asked, check_report, get_sections, speaking

from citations.markers import find_markers, strip_markers
from graphs.report import graph
from graphs.revise_section import graph as revise_section
from library.library import open_library
from nodes.report.summarise import count_words
from schema.context import Context
from schema.report import UNSUPPORTED_FLAG, Report

STRANGE = "Marmalade ferments slowly beneath purple umbrellas"


def cited(request: ChatRequest) -> list[str]:
    """The cited sentences of the sections that are to be summed up."""
    shown = request.text.split("<sections>")[-1].split("</sections>")[0]
    return re.findall(r"[A-Z][^.!?#\n]+\[\d+\]\.", shown)


def answering(**parts: Any) -> Callable[[ChatRequest], str]:
    """A summary with these parts, and the first sentence of the first section where none is."""

    def answer(request: ChatRequest) -> str:
        whole = {"position": cited(request)[0], "findings": cited(request)[1:4]}
        made = {name: one(request) if callable(one) else one for name, one in parts.items()}
        return json.dumps(whole | made)

    return answer


async def reported(
    space: str, summary: Callable[[ChatRequest], str], **more: Any
) -> tuple[Report, list[ChatRequest]]:
    answers = {"summarise": summary, **more}
    with speaking(Writer(answers)) as api:
        context = Context(space=space, research_mode="deep")
        state = await graph.ainvoke(asked(QUESTION), context=context)
        requests = list(api.requests)
    report: Report = state["report"]
    await check_report(report, space)
    return report, requests


@pytest.mark.slow
async def test_it_is_the_first_section_proven_like_the_others(samples: str) -> None:
    report, requests = await reported(
        samples,
        answering(
            position="Take word ranking and dense vectors for a query together.",
            verdicts=["For the ranking of a query the score of each document decides."],
            certainty="All of this rests on few pages.",
        ),
    )
    head, *others = report["sections"]
    assert (head["title"], head.get("kind")) == ("Summary", "summary")
    assert [one.get("kind") for one in others] == [None] * 3
    assert head["text"].startswith(
        "Take word ranking and dense vectors for a query together.\n\n- F"
    )
    assert "\n\n### Findings\n\n1. " in head["text"]
    assert head["text"].endswith("### How sure this is\n\nAll of this rests on few pages.")
    assert find_markers(head["text"])[0] == 1
    own = [one for one in report["citations"] if one["section"] == 0]
    assert {one["verdict"] for one in own} == {"supported"}
    assert not any(one["section"] == 0 for one in report["conflicts"])
    assert report["audit"]["sections"] == 3
    assert report["audit"]["sections_failed"] == 0
    assert [task_of(request) for request in requests].count("summarise") == 1


@pytest.mark.slow
async def test_what_no_section_says_is_cut_and_conclusions_stand(samples: str) -> None:
    def findings(request: ChatRequest) -> list[str]:
        first = cited(request)[1]
        number = find_markers(first)[0]
        return [
            first,
            f"{STRANGE} [{number}].",
            "The ranking of a query scores documents [99].",
            "The ranking of a query scores each document.",
        ]

    def position(request: ChatRequest) -> str:
        return (
            "The ranking of a query scores documents by their words. "
            "It took Olivia Sandstrom 4,711 queries to rank the documents. "
            "It ranks no umbrellas made of marmalade on quiet Sundays."
        )

    summary = answering(position=position, findings=findings)
    report, _ = await reported(samples, summary)
    text = report["sections"][0]["text"]
    assert text.startswith("The ranking of a query scores documents by their words.\n\n")
    for invented in ("Sandstrom", "4,711", "marmalade", "Marmalade", "⚠", "2. "):
        assert invented not in text


@pytest.mark.slow
async def test_a_conclusion_loses_the_marker_of_a_source_that_does_not_say_it(samples: str) -> None:
    def position(request: ChatRequest) -> str:
        said = cited(request)[0]
        [own] = find_markers(said)
        other = next(n for one in cited(request) for n in find_markers(one) if n != own)
        return said.replace(f"[{own}]", f"[{other}]")

    report, requests = await reported(samples, answering(position=position))
    [request] = [one for one in requests if task_of(one) == "summarise"]
    said = report["sections"][0]["text"].split("\n\n")[0]
    assert said == strip_markers(cited(request)[0])


@pytest.mark.slow
async def test_what_is_not_supported_is_not_summed_up(samples: str) -> None:
    def write(request: ChatRequest) -> str:
        text = Writer()(request)
        return f"{text} {STRANGE} [{find_markers(text)[0]}]."

    report, requests = await reported(samples, answering(), write_section=write)
    [request] = [one for one in requests if task_of(one) == "summarise"]
    assert f"{STRANGE} {UNSUPPORTED_FLAG}." in request.text
    assert "umbrellas" in get_sections(report)[0]["text"]


@pytest.mark.slow
async def test_what_is_not_supported_is_cut_from_a_summary_that_says_it(samples: str) -> None:
    def write(request: ChatRequest) -> str:
        text = Writer()(request)
        return f"{text} {STRANGE} in 4711 [{find_markers(text)[0]}]."

    said = answering(position=lambda r: f"{cited(r)[0]} {STRANGE} in 4711.")
    report, _ = await reported(samples, said, write_section=write)
    assert "4711" not in report["sections"][0]["text"]
    assert "4711" in get_sections(report)[0]["text"]


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["I would rather not.", json.dumps({"position": STRANGE})])
async def test_sentences_of_the_sections_stand_in_for_a_summary_that_cannot_be_used(
    samples: str, answer: str
) -> None:
    report, _ = await reported(samples, lambda _: answer)
    head, *sections = report["sections"]
    body = "\n".join(one["text"] for one in sections)
    assert head.get("kind") == "summary"
    for one in report["citations"]:
        assert one["section"] or one["sentence"] in body
    assert [d["code"] for d in report["degraded"]].count("summary_quoted") == 1


@pytest.mark.slow
async def test_its_writer_is_told_the_shape_the_dates_and_what_is_missing(samples: str) -> None:
    def write(request: ChatRequest) -> str:
        return "" if "<section>About dense vectors" in request.text else Writer()(request)

    def outline(request: ChatRequest) -> str:
        return json.dumps(json.loads(Writer()(request)) | {"shape": "comparison"})

    report, requests = await reported(samples, answering(), write_section=write, outline=outline)
    [request] = [one for one in requests if task_of(one) == "summarise"]
    assert "<shape>a verdict for each goal, and one on the whole</shape>" in request.text
    assert "<language>English</language>" in request.text
    assert "<length>180</length>" in request.text  # the verdicts of a comparison take some, too
    assert re.search(r"<item>\[\d+\] BM25 word ranking: 2026-11-21</item>", request.text)
    assert "About dense vectors" in request.text.split("<notes>")[-1]
    assert report["audit"]["sections"] == 2
    assert report["audit"]["sections_failed"] == 1


async def test_a_short_report_of_one_section_has_none(samples: str) -> None:
    with speaking(Writer()) as api:
        state = await graph.ainvoke(asked(QUESTION), context=Context(space=samples))
        tasks = [task_of(request) for request in api.requests]
    [section] = state["report"]["sections"]
    assert "kind" not in section
    assert "summarise" not in tasks


@pytest.mark.slow
async def test_without_a_model_it_quotes_the_best_sentence_of_each_section(samples: str) -> None:
    context = Context(space=samples, research_mode="deep")
    state = await graph.ainvoke(asked(QUESTION), context=context)
    head, *sections = state["report"]["sections"]
    position, _, findings = head["text"].split("\n\n")
    assert "BM25" in position
    assert "dense" in position
    lines = [line.partition(". ")[2] for line in findings.split("\n")]
    assert 3 <= len(lines) <= 7
    places = [[line in one["text"] for one in sections].index(True) for line in lines]
    assert places == sorted(places)
    assert {*places} == {0, 1, 2}
    assert not any(line in position for line in lines)
    assert count_words(head["text"]) >= 120


@pytest.mark.slow
async def test_a_revision_counts_sections_from_one_and_the_summary_is_zero(samples: str) -> None:
    def revise(request: ChatRequest) -> str:
        draft = re.findall(r"<draft>\n(.*?)\n</draft>", request.text, re.DOTALL)[-1]
        return re.findall(r"[A-Z][^.!?#\n]+\[\d+\]\.", draft)[-1]

    with speaking(Writer({"summarise": answering(), "revise_text": revise})):
        context = Context(space=samples, research_mode="deep")
        before = (await graph.ainvoke(asked(QUESTION), context=context))["report"]
        given = {"report_id": before["id"], "instruction": "one sentence"}
        first = await revise_section.ainvoke({**given, "section_numbers": [1]}, context=context)
        again = await revise_section.ainvoke({**given, "section_numbers": [0]}, context=context)
    changed = [
        [old != new for old, new in zip(one["sections"], other["sections"], strict=True)]
        for one, other in ((before, first["report"]), (first["report"], again["report"]))
    ]
    assert [changed[0][1:], changed[1]] == [[True, False, False], [True, False, False, False]]
    assert [
        [one["detail"] for one in report["degraded"] if one["code"] == "summary_older"]
        for report in (before, first["report"], again["report"])
    ] == [[], [ANY], []]
    head = again["report"]["sections"][0]
    assert (head["title"], head["kind"]) == ("Summary", "summary")
    assert count_words(head["text"]) < count_words(before["sections"][0]["text"])
    assert again["report"]["audit"]["sections"] == 3
    assert again["report"]["audit"]["sections_failed"] == 0
    assert str(first["messages"][0].text).startswith("Section 1, “About BM25”")
    kept = await (await open_library(samples)).load_report(before["id"])
    assert kept is not None
    assert kept.material[0]["questions"] == [QUESTION]
    assert len(kept.material) == 4


@pytest.mark.slow
@pytest.mark.parametrize("told", [False, True], ids=["passed over", "said by the model"])
async def test_what_sections_leave_open_is_said_once_in_the_summary(
    samples: str, *, told: bool
) -> None:
    gap = "How BM25, dense vectors and reranking work together on Mars remains open."

    def write(request: ChatRequest) -> str:
        return f"{Writer()(request)}\n\n```open\n{gap}\n```"

    certainty = f"All rests on few pages. {gap if told else ''}".strip()
    summary = answering(certainty=certainty)
    report, requests = await reported(samples, summary, write_section=write)
    head, *sections = (one["text"] for one in report["sections"])
    assert head.endswith(f"All rests on few pages. {gap}")
    assert not any(gap in text for text in sections)
    [request] = [one for one in requests if task_of(one) == "summarise"]
    assert f"1: {gap}" in request.text.split("<open>")[-1]


@pytest.mark.slow
async def test_what_the_sections_tell_after_all_is_not_said_to_be_open(samples: str) -> None:
    gap = "How BM25, dense vectors and reranking work together on Mars remains open."

    def write(request: ChatRequest) -> str:
        return f"{Writer()(request)}\n\n```open\n{gap}\n```"

    report, _ = await reported(
        samples, answering(certainty="All rests on few pages.", closed=[1]), write_section=write
    )
    assert gap not in "\n".join(one["text"] for one in report["sections"])


@pytest.mark.slow
async def test_what_is_open_is_shown_with_the_words_of_the_library_on_it(samples: str) -> None:
    gap = "How BM25, dense vectors and reranking work together on near-copies remains open."

    def write(request: ChatRequest) -> str:
        return f"{Writer()(request)}\n\n```open\n{gap}\n```"

    _, requests = await reported(samples, answering(), write_section=write)
    [request] = [one for one in requests if task_of(one) == "summarise"]
    shown = request.text.split("<open>")[-1].split("</open>")[0]
    number, found = shown.strip().split("\nfound: ")
    assert number == f"1: {gap}"
    assert "near-copies" in found


@pytest.mark.slow
async def test_a_further_question_that_the_sections_answer_is_not_asked(samples: str) -> None:
    whole, _ = await reported(samples, answering())
    report, requests = await reported(samples, answering(answered=[1, 99]))
    assert report["further_questions"] == whole["further_questions"][1:] != []
    [request] = [one for one in requests if task_of(one) == "summarise"]
    assert f"1: {whole['further_questions'][0]}" in request.text.split("<further>")[-1]


def naming(*further: str) -> Callable[[ChatRequest], str]:
    """A plan that names these questions for a next report."""
    return lambda _: json.dumps(json.loads(outline_of(3)) | {"further": further})


@pytest.mark.slow
@pytest.mark.parametrize("answered", [[], [2]], ids=["kept", "dropped"])
async def test_a_further_question_is_shown_with_the_words_of_the_library_that_answer_it(
    samples: str, answered: list[int]
) -> None:
    questions = ["Which marmalade do whales sing of?", "Who introduced maximal marginal relevance?"]
    report, requests = await reported(
        samples, answering(answered=answered), outline=naming(*questions)
    )
    assert report["further_questions"] == questions[: 2 - len(answered)]
    [request] = [one for one in requests if task_of(one) == "summarise"]
    strange, told = request.text.split("<further>")[-1].split(f"2: {questions[1]}")
    assert strange.strip() == f"1: {questions[0]}"
    assert re.match(r"\nfound: Maximal marginal relevance, introduced by Carbonell and G", told)


@pytest.mark.slow
async def test_a_plan_without_further_questions_makes_a_whole_report(samples: str) -> None:
    usual, _ = await reported(samples, answering())
    report, requests = await reported(samples, answering(), outline=naming())
    assert report["further_questions"] == [] != usual["further_questions"]
    assert [one["code"] for one in report["degraded"]] == [one["code"] for one in usual["degraded"]]
    assert len([one for one in requests if task_of(one) == "outline"]) == 1


@pytest.mark.slow
async def test_what_holds_of_a_summary_stays_where_its_position_does_not(samples: str) -> None:
    verdict = "For the ranking of a query the score of each document decides."
    summary = answering(position="Whales sang for 1,834 crowns in Corvale.", verdicts=[verdict])
    report, _ = await reported(samples, summary)
    assert report["sections"][0]["text"].startswith(f"{verdict}\n\n### Findings\n\n1. ")
    assert "summary_quoted" not in [one["code"] for one in report["degraded"]]
