"""What the golden benchmark measures: points, sources, gaps, traps, phrases, chains of calls."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableLambda, RunnableParallel
from small_reports import citation, made_report

from benchmarks.measures.answering import Answering, find_answering
from benchmarks.measures.call_chain import find_longest_chain, record_calls
from benchmarks.measures.golden_rows import make_row, print_side_by_side, sum_up
from benchmarks.measures.judging import compare, judge_points
from benchmarks.measures.phrases import find_glue, says_absence
from benchmarks.measures.reading import from_json
from benchmarks.measures.rubric import Gap, Point, Question, Trap, compile_all

HEIGHT = Point(
    "It is 62 m high.", compile_all(["62 m"]), compile_all(["how high|height"]), ["dam.md"], ""
)
COST = Point(
    "It cost 9 and then 11 million.",
    compile_all(["9 million", "11 million"]),
    compile_all(["costs?"]),
    ["costs.html", "dam.md"],
    "",
)
QUESTION = Question(
    name="dam",
    text="How high is the dam, and what did it cost?",
    language="en",
    shape="facts",
    sources=Path("nowhere"),
    points=[HEIGHT, COST],
    gaps=[Gap("Who built it.", compile_all(["who built|builder"]))],
    traps=[Trap("70 m, of old", compile_all(["70 m"]), compile_all(["was planned"]), "", "")],
)


def found(*texts: str, **more: Any) -> Answering:
    sections = [{"title": "The dam", "text": text} for text in texts]
    return find_answering(from_json(made_report(sections=sections, **more)), QUESTION)


def cited(**documents: str) -> dict[str, Any]:
    return {
        "citations": [
            citation(number=int(name[1:]), document=f"file:///a/{document}")
            for name, document in documents.items()
        ]
    }


def test_a_point_is_made_where_all_its_patterns_meet() -> None:
    assert found("It is **62 m** high [1].").made == [HEIGHT.says]
    assert found("It is 162 m high [1].").made == []
    apart = "It cost 9 million [1]. A. B. C. It cost 11 million [1]."
    assert found(apart.replace("A. B. C.", "This is one. This is two. This is three.")).made == []
    assert found("It cost 9 million [1]. This is one. Later 11 million [1].").made == [COST.says]


def test_a_table_and_a_list_below_its_lead_in_are_one_block() -> None:
    table = "| year | cost |\n| --- | --- |\n| 1960 | 9 million |\n| 1961 | - |\n| 1962 | - |\n"
    assert found(f"{table}| 1963 | - |\n| 1964 | 11 million |").made == [COST.says]
    assert found("It cost 9 million at first, and then:\n\n- 11 million [1]").made == [COST.says]
    assert found("## From 9 million up\n\nTo 11 million [1].").made == [COST.says]


def test_a_point_is_well_cited_by_a_document_that_holds_it() -> None:
    text = "It is 62 m high [1].\n\nIt cost 9 million, then 11 million [2]."
    assert found(text, **cited(n1="dam.md", n2="costs.html")).well_cited == [HEIGHT.says, COST.says]
    assert found(text, **cited(n1="other.md", n2="dam.md")).well_cited == [COST.says]


def test_absence_is_a_named_gap_or_a_false_one() -> None:
    named = found("The sources do not say who built it.")
    assert (named.gaps_named, named.false_absences) == (["Who built it."], [])
    wrong = found("No source gives its height.", "The builder is not mentioned.")
    assert wrong.false_absences == ["No source gives its height."]
    both = found("No source says who built it to that height.")
    assert (both.gaps_named, both.false_absences) == (["Who built it."], [])
    assert found("Its height was not reached in 1962 [1].").false_absences == []


def test_a_trap_is_not_fallen_into_by_what_puts_it_right() -> None:
    assert found("It is 70 m high [1].").fallen == ["70 m, of old"]
    assert found("A height of 70 m was planned [1].").fallen == []


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("No source names a price.", "en"),
        ("The sources reviewed do not state a run time.", "en"),
        ("How long it lasts remains unclear.", "en"),
        ("There is no published data on its age.", "en"),
        ("Die Quellen nennen dazu keine Zahl.", "de"),
        ("Wie lange sie hält, ist nicht bekannt.", "de"),
        ("Offen bleibt die Frage nicht: Es fehlen keine Belege, doch dazu gibt es keine Angaben.",
         "de"),
    ],
)  # fmt: skip
def test_statements_of_absence_are_told(sentence: str, language: str) -> None:
    assert says_absence(sentence, language)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("The landlord may not object without a reason.", "en"),
        ("Consent is not needed.", "en"),
        ("Die Frist ist nicht zu kurz.", "de"),
        ("Eine längere Frist wird nicht empfohlen.", "de"),
    ],
)
def test_a_negation_is_no_absence(sentence: str, language: str) -> None:
    assert not says_absence(sentence, language)


def test_glue_is_counted_in_both_languages() -> None:
    text = "As noted above, speed has its price. It is important to note this. The price is 3 euro."
    assert len(find_glue(text, "en")) == 3
    text = "Wie oben erwähnt, hat das seinen Preis. Der Preis ist 3 Euro."
    assert len(find_glue(text, "de")) == 2


async def test_calls_side_by_side_are_one_link_of_the_chain() -> None:
    def slow(_: object) -> FakeListChatModel:
        return FakeListChatModel(responses=["a"], sleep=0.02)

    async def two_calls(_: object) -> str:
        await slow(0).ainvoke("one")
        return str((await slow(0).ainvoke("two")).content)

    async def one_call(_: object) -> str:
        return str((await slow(0).ainvoke("one")).content)

    branches = RunnableParallel(a=RunnableLambda(two_calls), b=RunnableLambda(one_call))
    with record_calls() as recorder:
        await (RunnableLambda(one_call) | branches | RunnableLambda(one_call)).ainvoke("x")
        await asyncio.create_task(RunnableLambda(one_call).ainvoke("x"))
    assert find_longest_chain(recorder.trees) == 5
    await RunnableLambda(one_call).ainvoke("x")
    assert len(recorder.trees) == 2, "what runs later is not recorded"


USAGE = {
    "writer": {"model": "m", "calls": 3, "input_tokens": 900, "output_tokens": 100, "seconds": 1.0}
}


def row(**changes: Any) -> dict[str, Any]:
    audit = {"tokens": 1000, "seconds": 1.0, "coverage": 0.5} | changes.pop("audit", {})
    return make_row(QUESTION, made_report(usage=USAGE, audit=audit, **changes), {"chain": 4})


def test_a_row_has_what_the_report_says_of_itself() -> None:
    made = row(audit={"facts": 7})
    assert (made["calls"], made["tokens"], made["chain"], made["facts"]) == (3, 1000, 4, 7)
    assert (made["coverage"], made["supported"], made["cited"]) == (0, 1, 0.5)
    assert (made["synthesis"], made["judged"]) == (None, None)
    assert made["tokens/1,000 words"] == round(1_000_000 / made["words"])
    assert made["missed"] == [HEIGHT.says, COST.says]


def test_the_row_of_all_averages_shares_and_adds_the_rest() -> None:
    first, second = row() | {"coverage": 1.0, "traps": 2}, row() | {"supported": None}
    total = sum_up([first, second])
    assert (total["coverage"], total["supported"], total["chain"]) == (0.5, 1, 4)
    assert (total["traps"], total["calls"], total["synthesis"]) == (2, 6, None)
    assert total["tokens/1,000 words"] == first["tokens/1,000 words"]


def test_two_runs_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    print_side_by_side([row() | {"coverage": 1.0}, row() | {"question": "new"}], [row()])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["before", "→", "now", "dam"]
    assert lines[1].split() == ["coverage", "0.00", "→", "1.00"]


@pytest.mark.slow
async def test_a_judge_marks_points_and_compares_in_both_orders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def answer(request: ChatRequest) -> str:
        asked.append(request.text)
        if "<task>judge_points</task>" in request.text:
            return '{"made": [2]}'
        return (
            '{"better": "first"}'
            if "GOOD" in request.text.split("</draft>")[0]
            else ('{"better": "second"}' if "GOOD" in request.text else '{"better": "first"}')
        )

    with FakeOpenAI(answer) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        judge = "openai:gpt-4o-mini"
        assert await judge_points(judge, "Q?", ["a", "b"], "R") == [1]
        assert await compare(judge, "Q?", "GOOD", "BAD") == 1
        assert await compare(judge, "Q?", "BAD", "GOOD") == 0
        assert await compare(judge, "Q?", "SAME", "SAME") == 0.5, "the first place says nothing"
    assert "<item>b</item>" in asked[0]


def test_a_question_without_gaps_has_no_share_of_them() -> None:
    made = make_row(replace(QUESTION, gaps=[]), made_report(usage={}), {})
    assert (made["gaps"], made["right source"], made["seconds"]) == (None, None, None)
