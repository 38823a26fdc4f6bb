"""What becomes of sentences that their sources do not support; the pass over all sections."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from fakes.openai_chat import ChatRequest
from fakes.writer import Writer, task_of
from graph_runs import check_report, codes, get_sections, run_report, speaking

from citations import bands
from citations.bands import Band
from citations.markers import strip_markers
from schema.report import UNSUPPORTED_FLAG, Report

Answers = dict[str, Callable[[ChatRequest], str]]

CLAIM = "BM25 was invented by forty-seven sailors in 1642"
STRANGE = "Marmalade ferments slowly beneath purple umbrellas"


async def reported(space: str, answers: Answers, **given: Any) -> tuple[Report, list[ChatRequest]]:
    with speaking(Writer(answers)) as api:
        state = await run_report(space, **given)
        requests = list(api.requests)
    report: Report = state["report"]
    await check_report(report, space)
    return report, requests


def with_claim(claim: str) -> Callable[[ChatRequest], str]:
    """A section that also says what no source says, with the number of one."""

    def write(request: ChatRequest) -> str:
        text = Writer()(request)
        number = re.findall(r"\[(\d+)\]", text)[0]
        return f"{text} {claim} [{number}]."

    return write


def items_of(request: ChatRequest) -> list[tuple[int, str]]:
    """The sentences that were sent back, or are to be judged, with their numbers."""
    found = re.findall(
        r'<(?:item|sentence) n="(\d+)"[^>]*>(?:\n<sentence>)?(.*?)</sentence>',
        request.messages[1]["content"],
        re.DOTALL,
    )
    return [(int(number), text) for number, text in found]


def mend(wording: Callable[[str], str]) -> Callable[[ChatRequest], str]:
    def repair(request: ChatRequest) -> str:
        return json.dumps(
            {"sentences": [{"sentence": n, "text": wording(said)} for n, said in items_of(request)]}
        )

    return repair


@pytest.mark.slow
async def test_what_cannot_be_proven_goes_back_to_its_writer_once(samples: str) -> None:
    answers = {"write_section": with_claim(CLAIM), "repair_sentences": mend(lambda _: "")}
    report, requests = await reported(samples, answers)
    [sent] = [request for request in requests if task_of(request) == "repair_sentences"]
    assert [CLAIM in text for _, text in items_of(sent)] == [True]
    assert "1642" in sent.messages[1]["content"]
    assert "<source n=" in sent.messages[1]["content"]
    assert "sailors" not in get_sections(report)[0]["text"]
    assert report["audit"]["sentences_cut"] == 0


@pytest.mark.slow
async def test_what_is_mended_from_the_sources_stands(samples: str) -> None:
    def mended(said: str) -> str:
        number = re.findall(r"\[(\d+)\]", said)[0]
        return f"BM25 is a ranking function for search [{number}]."

    answers = {"write_section": with_claim(CLAIM), "repair_sentences": mend(mended)}
    report, _ = await reported(samples, answers)
    assert "BM25 is a ranking function for search [" in get_sections(report)[0]["text"]
    assert report["audit"]["sentences_repaired"] == 1


async def test_a_number_that_no_source_has_is_marked_and_never_supported(samples: str) -> None:
    report, _ = await reported(samples, {"write_section": with_claim(CLAIM)})
    text = get_sections(report)[0]["text"]
    verdicts = {one["verdict"] for one in report["citations"] if "1642" in one["sentence"]}
    assert "supported" not in verdicts
    assert "sailors" not in text or UNSUPPORTED_FLAG in text
    assert all(
        one["verdict"] != "supported"
        for one in report["citations"]
        if UNSUPPORTED_FLAG in one["sentence"]
    )


@pytest.mark.slow
async def test_what_no_source_speaks_of_is_visibly_marked(samples: str) -> None:
    report, _ = await reported(samples, {"write_section": with_claim(STRANGE)})
    assert re.search(rf"umbrellas \[\d+\] {UNSUPPORTED_FLAG}\.", get_sections(report)[0]["text"])
    assert report["audit"]["citations_absent"] == 1
    assert report["audit"]["precision"] < 1


@pytest.mark.slow
async def test_a_writer_that_does_not_mend_costs_no_report(samples: str) -> None:
    answers = {"write_section": with_claim(STRANGE), "repair_sentences": lambda _: "I will not."}
    report, _ = await reported(samples, answers)
    assert "not_repaired" in codes(report)
    assert UNSUPPORTED_FLAG in get_sections(report)[0]["text"]


def judge(verdict: Callable[[str], str]) -> Callable[[ChatRequest], str]:
    """A judge that gives each sentence a verdict."""

    def answer(request: ChatRequest) -> str:
        judged = [
            {"item": n, "verdict": verdict(said), "confidence": 0.9}
            for n, said in items_of(request)
        ]
        return json.dumps({"citations": judged})

    return answer


@pytest.mark.slow
async def test_a_judge_decides_what_words_cannot_with_one_call_a_section(samples: str) -> None:
    answers = {
        "write_section": with_claim(STRANGE),
        "judge_citations": judge(lambda _: "supported"),
    }
    report, requests = await reported(
        samples, answers, judge_model="openai:judge", research_mode="deep"
    )
    assert 1 <= [task_of(request) for request in requests].count("judge_citations") <= 3
    assert UNSUPPORTED_FLAG not in get_sections(report)[0]["text"]
    assert report["usage"]["judge"]["model"] == "openai:judge"


async def test_what_a_measured_judge_calls_contradicted_is_cut(
    samples: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Band(supported=0.9, unsupported=0.1, contradicted=0.8, source="this test")
    monkeypatch.setattr(bands, "MEASURED", {"openai:judge": row})
    verdict = judge(lambda said: "contradicted" if STRANGE in said else "supported")
    answers = {"write_section": with_claim(STRANGE), "judge_citations": verdict}
    report, _ = await reported(samples, answers, judge_model="openai:judge")
    assert STRANGE not in get_sections(report)[0]["text"]
    assert report["audit"]["sentences_cut"] == 1


@pytest.mark.slow
async def test_what_a_judge_that_was_not_measured_calls_contradicted_is_marked(
    samples: str,
) -> None:
    verdict = judge(lambda said: "contradicted" if STRANGE in said else "supported")
    answers = {"write_section": with_claim(STRANGE), "judge_citations": verdict}
    report, _ = await reported(samples, answers, judge_model="openai:judge")
    assert f"{STRANGE} [1] {UNSUPPORTED_FLAG}" in get_sections(report)[0]["text"]
    [told] = [one for one in report["citations"] if STRANGE in one["sentence"]]
    assert (told["verdict"], told["step"]) == ("absent", "model")
    steps = [one["step"] for one in report["citations"]]
    audit = report["audit"]
    assert audit["citations_by_model"] == steps.count("model") >= 1
    assert audit["citations_by_words"] == steps.count("words") == len(steps) - steps.count("model")


@pytest.mark.slow
async def test_a_judge_cannot_make_a_missing_number_supported(samples: str) -> None:
    claim = "BM25 is a ranking function for search of the year 1642"
    answers = {"write_section": with_claim(claim), "judge_citations": judge(lambda _: "supported")}
    report, _ = await reported(samples, answers, judge_model="openai:judge")
    verdicts = [one["verdict"] for one in report["citations"] if "1642" in one["sentence"]]
    assert "supported" not in verdicts


@pytest.mark.slow
async def test_the_pass_over_all_sections_rewords_and_keeps_citations(samples: str) -> None:
    def revise(request: ChatRequest) -> str:
        first = re.findall(r'<section n="(\d+)"[^>]*>\n1: (.*)', request.messages[1]["content"])
        edits = [
            {
                "section": int(section),
                "sentence": 1,
                "text": f"To go on, {said[0].lower()}{said[1:]}",
            }
            for section, said in first[1:]
        ]
        stolen = {"section": 1, "sentence": 1, "text": "A sentence without its citation."}
        unknown = {"section": 99, "sentence": 1, "text": "Nowhere [1]."}
        return json.dumps({"edits": [*edits, stolen, unknown]})

    report, requests = await reported(samples, {"revise_report": revise}, research_mode="deep")
    assert [task_of(request) for request in requests].count("revise_report") == 1
    assert all(one["text"].startswith("To go on, ") for one in get_sections(report)[1:])
    assert "without its citation" not in get_sections(report)[0]["text"]
    assert report["audit"]["sentences_revised"] == 2


@pytest.mark.slow
async def test_the_pass_over_all_sections_adds_what_two_of_them_tell_together(samples: str) -> None:
    added: list[str] = []

    def revise(request: ChatRequest) -> str:
        told = request.messages[1]["content"]
        cited = re.findall(r"^1: (.*?\[\d+\])", told, re.MULTILINE)
        added.append(f"{cited[1]}, and {cited[0]}.")
        conclusions = [
            {"section": 2, "sentence": 1, "text": added[0]},
            {"section": 1, "sentence": 1, "text": "A conclusion of 1642 sailors [99]."},
        ]
        return json.dumps({"conclusions": conclusions})

    report, _ = await reported(samples, {"revise_report": revise}, research_mode="deep")
    first, second = get_sections(report)[:2]
    assert strip_markers(added[0]) in strip_markers(second["text"])
    assert "sailors" not in first["text"]
    assert report["audit"]["sentences_revised"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(("sums", "sent"), [(["6 × 7 = 42"], False), ([], True)])
async def test_a_figure_of_a_conclusion_stands_on_the_sum_that_the_editor_gives(
    samples: str, sums: list[str], *, sent: bool
) -> None:
    def revise(request: ChatRequest) -> str:
        told = request.messages[1]["content"]
        cited = re.findall(r"^1: (.*?\[\d+\])", told, re.MULTILINE)
        text = f"{cited[1]}, and {cited[0]}, which makes 42."
        added = {"section": 2, "sentence": 1, "text": text, "sums": sums}
        return json.dumps({"conclusions": [added]})

    report, requests = await reported(samples, {"revise_report": revise}, research_mode="deep")
    assert "which makes 42" in get_sections(report)[1]["text"]
    repairs = [one for one in requests if task_of(one) == "repair_sentences"]
    marked = re.findall(r"<sentence .*?</sentence>", str(repairs), re.DOTALL)
    found = [one for one in marked if "which makes 42" in one]
    assert bool(found) == sent, found


@pytest.mark.slow
async def test_the_editor_is_told_figures_that_are_repeated_or_worked_out(samples: str) -> None:
    def write(request: ChatRequest) -> str:
        [first, *_] = re.findall(r'<source n="(\d+)"', request.messages[1]["content"])
        return (
            f"The archive holds 12,345 letters [{first}]. It opened late. "
            f"It closed early, after 5,250 days [{first}].\n```sums\n7 × 750 = 5,250\n```"
        )

    _, requests = await reported(samples, {"write_section": write}, research_mode="deep")
    [edit] = [one for one in requests if task_of(one) == "revise_report"]
    [repeats] = re.findall(r"<repeats>\n(.*?)</repeats>", edit.messages[1]["content"], re.DOTALL)
    assert "<item>12,345: 1.1, 2.1" in repeats
    assert "<worked_out>\n<item>5,250 days: 1.3</item>" in edit.messages[1]["content"]


@pytest.mark.slow
async def test_a_report_that_could_not_be_revised_says_so(samples: str) -> None:
    report, _ = await reported(samples, {"revise_report": lambda _: "No."}, research_mode="deep")
    assert "not_revised" in codes(report)


async def test_a_report_of_one_section_needs_no_pass_over_sections(samples: str) -> None:
    _, requests = await reported(samples, {})
    assert "revise_report" not in {task_of(request) for request in requests}


async def test_a_chart_of_cited_numbers_joins_the_report_and_an_invented_one_does_not(
    samples: str,
) -> None:
    def chart(number: str, value: int) -> str:
        values = [{"at": "first", "k": value, "source": int(number)}] * 2
        x, y = {"field": "at", "type": "ordinal"}, {"field": "k", "type": "quantitative"}
        drawn = {"mark": "bar", "encoding": {"x": x, "y": y}, "data": {"values": values}}
        return json.dumps({"title": "Wrong" if value == 987 else "Right", **drawn})

    def write(request: ChatRequest) -> str:
        found = re.search(
            r'<source n="(\d+)".*?\b(?P<figure>[1-9]\d+)\b(?![.,]\d)', request.text, re.DOTALL
        )
        text = Writer()(request)
        assert found is not None
        good, bad = chart(found[1], int(found["figure"])), chart(found[1], 987)
        return f"{text}\n\n```chart\n{good}\n```\n\n```chart\n{bad}\n```"

    report, _ = await reported(samples, {"write_section": write})
    [made] = report["charts"]
    assert made["title"] == "Right"
    assert made["rows"][1][-1] == f"[{made['numbers'][0]}]"
    assert f"![Right](chart:0) [{made['numbers'][0]}]" in get_sections(report)[0]["text"]
    assert "987" not in json.dumps(get_sections(report))
    assert "chart_dropped" in codes(report)
