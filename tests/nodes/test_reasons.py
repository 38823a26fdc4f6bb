"""What nodes say of failures: sentences that are joined read as one."""

from typing import Any

import pytest
from langgraph.runtime import Runtime

from connectors.ask import Answered
from nodes.assemble import assemble
from nodes.deep_search.conclude import _short_of
from nodes.nothing_found import nothing_found
from nodes.run import degraded
from nodes.searching import announce
from schema.errors import ReportError
from schema.report import Degraded


def lost(reason: str) -> Degraded:
    return Degraded(code="connector_failed", detail=f"tavily, asked “wind”: {reason}")


async def test_a_report_without_sections_says_each_reason_once() -> None:
    errors = ["The model x is down.", "The model x is down.", "The text was empty."]
    sections: Any = [{"text": "", "error": error} for error in errors]
    with pytest.raises(ReportError) as caught:
        await assemble({"sections": sections}, None)  # type: ignore[typeddict-item, arg-type]
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

    problems = [lost("no answer."), Degraded(code="embedding_unavailable", detail="No vectors.")]
    announce(Streaming(), Answered("tavily", "wind", [], 0.1, problems))  # type: ignore[arg-type]
    assert told[0]["error"] == "tavily, asked “wind”: no answer; No vectors"


def test_what_an_answer_lacks_is_a_sentence() -> None:
    verdicts = [
        {"criterion": "complete", "reason": "It lacks the year.", "passed": False},
        {"criterion": "sound", "reason": "One source is wrong.", "passed": False},
    ]
    state: Any = {"question": "Who?", "verdicts": verdicts}
    assert _short_of(state) == (
        "The answer to “Who?” falls short (complete: It lacks the year; "
        "sound: One source is wrong)."
    )


@pytest.mark.parametrize("detail", ["KeyError", "It failed.", "bad.pdf: it is empty"])
def test_every_degradation_is_a_sentence(detail: str) -> None:
    assert degraded("section_failed", detail)["detail"] == f"{detail.rstrip('.')}."
