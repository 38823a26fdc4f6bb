"""What nodes say of failures: sentences that are joined read as one."""

from typing import Any

import pytest
from langgraph.runtime import Runtime

from connectors.search_all import ConnectorResult
from nodes.common.run import drop_duplicates, make_degradation
from nodes.common.search_events import emit_answer
from nodes.deep_search.conclude import _explain_failure
from nodes.report.merge_sections import merge_sections
from nodes.report.nothing_found import nothing_found
from schema.errors import ReportError
from schema.report import Degradation


def lost(reason: str) -> Degradation:
    return Degradation(code="connector_failed", detail=f"tavily, asked “wind”: {reason}")


async def test_a_report_without_sections_says_each_reason_once() -> None:
    errors = ["The model x is down.", "The model x is down.", "The text was empty."]
    sections: Any = [{"text": "", "error": error} for error in errors]
    with pytest.raises(ReportError) as caught:
        await merge_sections({"sections": sections}, None)  # type: ignore[typeddict-item, arg-type]
    said = "No section could be written: The model x is down; The text was empty."
    assert str(caught.value) == said


async def test_a_run_that_found_nothing_says_each_reason_once() -> None:
    state: Any = {
        "question": {"text": "Why?"},
        "degraded": [lost("Tavily refused the key."), lost("it did not answer within 15 s.")],
    }
    [message] = (await nothing_found(state, Runtime(context=None)))["messages"]
    assert message.text == (
        "Nothing was found about “Why?”, so no report was written: Tavily refused the key; "
        "it did not answer within 15 s."
    )


def test_an_answer_s_losses_are_one_line_of_progress() -> None:
    told: list[Any] = []

    class Streaming:
        stream_writer = told.append

    problems = [lost("no answer."), Degradation(code="embedding_unavailable", detail="No vectors.")]
    emit_answer(Streaming(), ConnectorResult("tavily", "wind", [], 0.1, problems))  # type: ignore[arg-type]
    assert told[0]["error"] == "tavily, asked “wind”: no answer; No vectors"


def test_what_an_answer_lacks_is_a_sentence() -> None:
    verdicts = [
        {"criterion": "complete", "reason": "It lacks the year.", "passed": False},
        {"criterion": "sound", "reason": "One source is wrong.", "passed": False},
    ]
    state: Any = {"question": "Who?", "verdicts": verdicts}
    assert _explain_failure(state) == (
        "The answer to “Who?” falls short (complete: It lacks the year; "
        "sound: One source is wrong)."
    )


@pytest.mark.parametrize("detail", ["KeyError", "It failed.", "bad.pdf: it is empty"])
def test_every_degradation_is_a_sentence(detail: str) -> None:
    assert make_degradation("section_failed", detail)["detail"] == f"{detail.rstrip('.')}."


def test_what_was_said_stands_once_and_one_detail_may_have_two_codes() -> None:
    outline, summary = (
        make_degradation(code, "The model x is down.")
        for code in ("outline_without_model", "summary_quoted")
    )
    assert drop_duplicates([outline, summary, outline]) == [outline, summary]
