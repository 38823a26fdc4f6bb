"""What becomes of what a writer says is missing: it is looked for before it stands."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from fakes.openai_chat import ChatRequest
from fakes.thinking_writer import MACHINES, ThinkingWriter, tell
from fakes.writer import Writer, section_of, task_of
from graph_runs import asked, speaking
from thinking_runs import (
    LOOM,
    NOTCHES,
    QUESTION,
    WEAVERS,
    answer_with_added,
    find_number,
    keep_all,
    list_false_denials,
    write_on_loom,
    write_report,
)

from graphs.ingest import graph as ingest_graph
from graphs.report import graph
from schema.context import Context
from schema.report import Report


def list_unfilled(report: Report, writer: ThinkingWriter) -> list[tuple[str, str]]:
    """What the writer denied that the report does not tell."""
    text = "\n".join(section["text"] for section in report["sections"])
    return [
        one
        for one in writer.denied
        if not re.search(re.escape(tell(*one)[:-1]) + r" \[\d+\]\.", text)
    ]


@pytest.mark.slow
async def test_what_the_rest_of_the_pages_tells_is_told_in_place_of_its_absence(
    machines: str,
) -> None:
    writer = ThinkingWriter(MACHINES[:3], gaps=1)
    report, _ = await write_report(machines, writer)
    assert len(writer.denied) == 3
    assert list_unfilled(report, writer) == []
    assert list_false_denials(report) == []
    assert report["audit"]["gaps"] == 3  # what no page tells


@pytest.mark.weekly
async def test_of_many_denials_nearly_all_are_replaced_and_no_false_one_stands(
    machines: str,
) -> None:
    denied = unfilled = 0
    for seed in range(10):
        writer = ThinkingWriter(MACHINES[3 * (seed % 2) :][:3], gaps=1, seed=seed)
        report, _ = await write_report(machines, writer)
        denied += len(writer.denied)
        unfilled += len(list_unfilled(report, writer))
        assert list_false_denials(report) == []
        assert report["audit"]["gaps"] == 3
    assert denied == 30
    assert unfilled <= 0.05 * denied


@pytest.mark.slow
async def test_a_denial_that_its_writer_keeps_though_pages_answer_it_is_cut(machines: str) -> None:
    writer = ThinkingWriter(MACHINES[:3], {"repair_sentences": keep_all}, gaps=1)
    report, _ = await write_report(machines, writer)
    assert writer.denied
    assert list_false_denials(report) == []
    assert report["audit"]["gaps"] == 3


@pytest.mark.slow
async def test_an_expected_point_that_is_not_covered_is_told_where_pages_hold_it(
    machines: str,
) -> None:
    points = [f"{about} of the {MACHINES[0]}" for about in ("price", "colour of the lid")]

    def reformulate(_: ChatRequest) -> str:
        query = {"query": QUESTION, "type": "resource"}
        return json.dumps(
            {"question": QUESTION, "language": "en", "queries": [query], "points": points}
        )

    def add(request: ChatRequest) -> str:
        given = request.messages[1]["content"]
        told = tell(MACHINES[0], "price")
        bodies = re.findall(r'<source n="(\d+)"[^>]*>(.*?)</source>', given, re.DOTALL)
        numbers = [number for number, body in bodies if told in body]
        if not re.search(r'<point n="1" draft="\d">price', given) or not numbers:
            return "{}"
        added = [{"point": 1, "text": f"{told[:-1]} [{numbers[0]}]. Bears like it [{numbers[0]}]."}]
        return json.dumps({"sentences": [], "added": added})

    writer = ThinkingWriter(
        MACHINES[:3],
        {
            "reformulate": reformulate,
            "repair_sentences": add,
            "revise_report": lambda _: '{"edits": [], "uncovered": [1, 2, 7]}',
        },
        gaps=0,
        passed_over="price",
    )
    report, _ = await write_report(machines, writer)
    text = "\n".join(section["text"] for section in report["sections"])
    assert re.search(re.escape(tell(MACHINES[0], "price")[:-1]) + r" \[\d+\]\.", text)
    assert "Bears" not in text
    assert (report["audit"]["points_expected"], report["audit"]["points_covered"]) == (2, 1)


@pytest.mark.slow
async def test_what_a_gap_points_to_is_read_though_a_search_finds_other_pages_first(
    space: str, tmp_path: Path
) -> None:
    days = "".join(
        f"## Day {day} of the price of a belt\n\n"
        + f"On day {day} they ask for the price of a belt, and a belt has a price. " * 8
        + "\n\n"
        for day in range(60)
    )
    (tmp_path / "loom.md").write_text(
        f"# Loom Manual\n\nThe loom weaves linen.\n\n{days}"
        f"## Belts\n\n{'The clerk sings. ' * 80}\n\n"
        f"{'The hall is wide. ' * 30}Each costs 9 crowns.\n"
    )
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    gap = "The price of a belt remains open here; it may stand under “Belts” in the Loom Manual."
    writer = Writer({"write_section": lambda _: f"The loom weaves linen [1]. {gap}"})
    with speaking(writer) as api:
        context = Context(space=space, research_mode="deep", section_tokens=900)
        await graph.ainvoke(
            asked("What does the loom weave, and how wide is the notch?"), context=context
        )
        repairs = [one for one in api.requests if task_of(one) == "repair_sentences"]
    assert any("Each costs 9 crowns" in one.messages[1]["content"] for one in repairs)


@pytest.mark.slow
async def test_a_gap_goes_back_with_the_page_that_tells_it_in_other_words(
    space: str, tmp_path: Path
) -> None:
    filler = "The hall is wide and the clerk sings of wool. " * 40
    (tmp_path / "loom.md").write_text(f"# Loom Manual\n\nThe loom weaves linen.\n\n{filler}\n")
    (tmp_path / "crew.md").write_text(
        f"# Handbook of the crew\n\n{filler}\n\n## Oiling\n\nThe loom gets oil on the fourth day.\n"
    )
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    gap = "Crews have to oil the loom again; after how many hours remains open here."
    table = "| Part | Day of oil |\n| --- | --- |\n| Loom | open here |"
    text = f"The loom weaves linen [1]. {gap}\n\n{table}"

    def mend(request: ChatRequest) -> str:
        given = request.messages[1]["content"]
        [number] = re.findall(r'<source n="(\d+)"[^>]*title="Handbook of the crew"', given)
        marked = re.findall(r'<sentence n="(\d+)"[^>]*>(.*?)</sentence>', given)
        told = f"The loom gets oil on the fourth day [{number}]."
        row = f"| Loom | oil on the fourth day [{number}] |"
        made = [{"sentence": int(n), "text": row if "|" in said else told} for n, said in marked]
        return json.dumps({"sentences": made})

    writer = Writer({"write_section": lambda _: text, "repair_sentences": mend})
    with speaking(writer) as api:
        context = Context(space=space, research_mode="deep", section_tokens=900)
        state = await graph.ainvoke(
            asked("What does the loom weave, and how wide is the notch?"), context=context
        )
        repairs = [one for one in api.requests if task_of(one) == "repair_sentences"]
    assert repairs
    assert not any("added" in (one.schema or {})["properties"] for one in repairs)
    report = "\n".join(one["text"] for one in state["report"]["sections"])
    assert "open here" not in report
    assert re.search(r"\| Loom \| oil on the fourth day \[\d+\] \|", report)


@pytest.mark.slow
async def test_what_is_called_disputed_goes_back_with_the_page_that_settles_it(
    space: str, tmp_path: Path
) -> None:
    filler = "The hall is wide and the clerk sings of wool. " * 40
    (tmp_path / "loom.md").write_text(f"# Loom Manual\n\nThe loom weaves linen.\n\n{filler}\n")
    told = "A laboratory found that moths spoilt the linen of the loom, and no damp."
    (tmp_path / "lab.md").write_text(f"# Letters\n\n{filler}\n\n## From the town\n\n{told}\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    said = "Whether moths or damp spoilt the linen of the loom is disputed [1]."

    def mend(request: ChatRequest) -> str:
        given = request.messages[1]["content"]
        marked = re.findall(r'<sentence n="(\d+)" reason="passages speak of this.*?disputed', given)
        number = find_number(request, "Letters") if told in given else ""
        text = f"Moths spoilt the linen of the loom [{number}]."
        return json.dumps({"sentences": [{"sentence": int(n), "text": text} for n in marked]})

    writer = Writer(
        {"write_section": lambda _: f"The loom weaves linen [1]. {said}", "repair_sentences": mend}
    )
    with speaking(writer):
        context = Context(space=space, research_mode="deep", section_tokens=900)
        state = await graph.ainvoke(
            asked("What does the loom weave, and how wide is the notch?"), context=context
        )
    report = "\n".join(one["text"] for one in state["report"]["sections"][1:])
    assert "disputed" not in report
    assert re.search(r"Moths spoilt the linen of the loom \[\d\]\.", report)


@pytest.mark.slow
async def test_what_a_writer_names_below_its_section_is_looked_up_and_told(
    space: str, tmp_path: Path
) -> None:
    filler = "The hall is wide and the clerk sings of wool. " * 40
    (tmp_path / "loom.md").write_text(f"# Loom Manual\n\nThe loom weaves linen.\n\n{filler}\n")
    told = "The loom gets oil on the fourth day"
    (tmp_path / "crew.md").write_text(f"# Crew\n\n{filler}\n\n## Oiling\n\n{told}.\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    below = "When the loom gets oil again remains open here."

    def add(request: ChatRequest) -> str:
        given = request.messages[1]["content"]
        numbers = re.findall(r'<source n="(\d+)"[^>]*title="Crew"', given)
        points = re.findall(r'<point n="(\d+)"', given)
        added = [{"point": int(p), "text": f"{told} [{n}]."} for n in numbers for p in points]
        return json.dumps({"sentences": [], "added": added})

    text = f"The loom weaves linen [1].\n\n```open\n{below} | Oiling\n```"
    writer = Writer({"write_section": lambda _: text, "repair_sentences": add})
    with speaking(writer):
        context = Context(space=space, research_mode="deep", section_tokens=900, audience=WEAVERS)
        state = await graph.ainvoke(
            asked("What does the loom weave, and how wide is the notch?"), context=context
        )
    report = "\n".join(one["text"] for one in state["report"]["sections"])
    assert re.search(re.escape(told) + r" \[\d+\]\.", report)
    assert below not in report


@pytest.mark.slow
async def test_a_part_that_two_gaps_point_to_is_handed_over_once_and_in_one_piece(
    space: str, tmp_path: Path
) -> None:
    points = "\n".join(NOTCHES.format(n=n) for n in (1, 4))
    _, sent = await write_on_loom(
        space, tmp_path, lambda _: f"{LOOM}\n\n```open\n{points}\n```", {"text": ""}
    )
    assert sent
    for given in sent:
        [part] = re.findall(r"<passage>\n## Belts(.*?)</passage>", given, re.DOTALL)
        assert [part.count(f"Belt {n} has notch {n}.") for n in range(6)] == [1] * 6


@pytest.mark.slow
async def test_a_point_stays_open_where_nothing_that_was_added_on_it_holds(
    space: str, tmp_path: Path
) -> None:
    added = {"text": "Bears weave on Mars [1].", "after": "The loom weaves"}
    gap = "How wide the notch of a loom of oak is remains open."
    text, sent = await write_on_loom(
        space, tmp_path, lambda _: f"{LOOM}\n\n```open\n{gap} | Loom Manual, Belts\n```", added
    )
    assert sent
    assert "Bears" not in text
    assert gap in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answered", "stands"),
    [({"point": 9}, False), ({}, False), ({"rest": "It remains open."}, True)],
    ids=["passed over", "nothing said", "looked for"],
)
async def test_what_pages_may_tell_stays_open_where_its_writer_says_so_alone(
    space: str, tmp_path: Path, answered: Mapping[str, object], *, stands: bool
) -> None:
    gap = "How wide the notch of a loom of oak is remains open."
    text, sent = await write_on_loom(
        space,
        tmp_path,
        lambda _: f"{LOOM}\n\n```open\n{gap} | Loom Manual, Belts\n```",
        {"text": "", **answered},
    )
    assert any("## Belts" in given for given in sent)
    assert (gap in text) == stands
    assert "It remains open" not in text


@pytest.mark.slow
@pytest.mark.parametrize("told", [True, False])
async def test_a_rest_of_which_other_pages_speak_does_not_stay_open(
    space: str, tmp_path: Path, *, told: bool
) -> None:
    filler = "The hall is wide and the clerk sings of wool. " * 40
    weft = "The wefts of looms are combed by the smith." if told else "Eels swim."
    pages = {"loom": "The loom weaves linen.", "crew": f"## Belts\n\nBelts get oil.\n\n{filler}"}
    for name, said in {**pages, "wefts": weft}.items():
        (tmp_path / f"{name}.md").write_text(f"# The {name}\n\n{said}\n\n{filler}\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    gap = "What belts get, and how wide the notch is, remains open. | The crew, Belts"
    rest = "Who combs the notch and wefts of looms remains open."

    def add(request: ChatRequest) -> str:
        number = find_number(request, "The crew")
        text = f"Belts get oil [{number}]." if number else ""
        return answer_with_added({"text": text, "rest": rest})

    text = f"The loom weaves linen [1].\n\n```open\n{gap}\n```"
    writer = Writer({"write_section": lambda _: text, "repair_sentences": add})
    with speaking(writer):
        context = Context(space=space, research_mode="deep", section_tokens=900)
        state = await graph.ainvoke(
            asked("What does the loom weave, and who combs the wefts and the notch?"),
            context=context,
        )
    report = "\n".join(one["text"] for one in state["report"]["sections"])
    assert "Belts get oil" in report
    assert (rest in report) != told


@pytest.mark.slow
@pytest.mark.parametrize("teller", ["About BM25", "About dense vectors", "About reranking"])
async def test_what_another_section_tells_with_a_source_does_not_stand_as_open(
    space: str, tmp_path: Path, teller: str
) -> None:
    def write(request: ChatRequest) -> str:
        if section_of(request) == teller:
            return "Each day the loom takes oil of whales [1]."
        return f"{LOOM}\n\n```open\nWhich oil of whales the loom takes remains open.\n```"

    text, sent = await write_on_loom(space, tmp_path, write, {"text": ""})
    assert any('told="Each day the loom takes oil of whales [1]."' in given for given in sent)
    assert "remains open" not in text
