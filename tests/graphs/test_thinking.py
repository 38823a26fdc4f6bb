"""What becomes of a writer's thoughts, of what it invents, and of what it says is missing."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from fakes.openai_chat import ChatRequest
from fakes.thinking_writer import DENIED, MACHINES, ThinkingWriter, tell, write_pages
from fakes.writer import Writer, section_of, task_of
from graph_runs import asked, check_report, speaking

from citations.failure_reasons import UNCITED
from citations.markers import find_cited_sentences
from graphs.ingest import graph as ingest_graph
from graphs.report import graph
from schema.context import Context
from schema.report import UNSUPPORTED_FLAG, Report

QUESTION = "What are the machines of the hall like?"

WEAVERS = ("weavers who are new to the loom, " * 6)[:190]
"""An audience so long that prompts keep off 2,048 tokens, which would be taken for a window."""


@pytest.fixture
async def machines(space: str, tmp_path: Path) -> str:
    """A space that holds the pages on machines."""
    write_pages(tmp_path)
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    return space


async def write_report(space: str, writer: ThinkingWriter) -> tuple[Report, list[ChatRequest]]:
    """A report by a writer who is shown a small part of each page."""
    with speaking(writer) as api:
        context = Context(space=space, research_mode="deep", section_tokens=900)
        state = await graph.ainvoke(asked(QUESTION), context=context)
        requests = list(api.requests)
    report: Report = state["report"]
    await check_report(report, space)
    return report, requests


def list_sentences(report: Report) -> list[tuple[int, str, list[int]]]:
    return [
        (place, section["text"][at.start : at.end], numbers)
        for place, section in enumerate(report["sections"])
        for at, numbers in find_cited_sentences(section["text"], "en")
    ]


def list_false_denials(report: Report) -> list[str]:
    text = "\n".join(section["text"] for section in report["sections"])
    every = [DENIED[about].format(m=machine) for machine in MACHINES for about in DENIED]
    return [one for one in every if one in text]


@pytest.mark.slow
async def test_thoughts_stand_without_citations_and_inventions_fall(machines: str) -> None:
    writer = ThinkingWriter(MACHINES[:3])
    report, _ = await write_report(machines, writer)
    said = {sentence: numbers for _, sentence, numbers in list_sentences(report)}
    thoughts = [one for found in writer.thoughts.values() for one in found]
    assert len(thoughts) == 18
    assert [one for one in thoughts if said.get(one) != []] == []
    assert [one for one in writer.invented if any(one[:30] in text for text in said)] == []
    kinds = {(one["sentence"], one["kind"]) for one in report["remarks"]}
    assert {kind for _, kind in kinds} == {"synthesis", "gap", "structure"}
    assert {one for one, _ in kinds} >= {*thoughts}


@pytest.mark.slow
async def test_what_is_not_mended_is_flagged_and_thoughts_are_not(machines: str) -> None:
    writer = ThinkingWriter(MACHINES[:3], {"repair_sentences": lambda _: '{"sentences": []}'})
    report, _ = await write_report(machines, writer)
    flagged = [text for _, text, _ in list_sentences(report) if UNSUPPORTED_FLAG in text]
    assert len(flagged) == report["audit"]["facts_unsupported"] == len(set(writer.invented)) == 7
    assert all(any(one[:25] in text for one in writer.invented) for text in flagged)


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["{}", "No.", None])
async def test_the_counts_of_an_audit_are_those_of_its_text(
    answer: str | None, machines: str
) -> None:
    instead = {"repair_sentences": lambda _: answer} if answer else {}
    writer = ThinkingWriter(MACHINES[3:6], instead)  # type: ignore[arg-type]
    report, _ = await write_report(machines, writer)
    audit, remarks, said = report["audit"], report["remarks"], list_sentences(report)
    kinds = [one["kind"] for one in remarks]
    assert audit["sentences"] == len(said) == audit["facts"] + len(remarks)
    assert [audit["synthesis"], audit["gaps"], audit["structure"]] == [
        kinds.count("synthesis"), kinds.count("gap"), kinds.count("structure"),
    ]  # fmt: skip
    assert audit["sentences_cited"] == sum(bool(numbers) for *_, numbers in said)
    assert audit["facts_unsupported"] == sum(UNSUPPORTED_FLAG in text for _, text, _ in said)
    assert audit["coverage"] == round(audit["sentences_cited"] / audit["facts"], 3)
    listed = {one["number"] for one in report["references"]}
    places = {(place, text) for place, text, numbers in said if not numbers}
    for one in remarks:
        assert (one["section"], one["sentence"]) in places
        assert one["numbers"]
        assert {*one["numbers"]} <= listed
    without = {(place, text) for place, text in places if UNSUPPORTED_FLAG not in text}
    assert without == {(one["section"], one["sentence"]) for one in remarks}


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


@pytest.mark.slow
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


def keep_all(request: ChatRequest) -> str:
    marked = re.findall(r'<sentence n="(\d+)" reason', request.messages[1]["content"])
    kept = [{"sentence": int(n), "text": "", "keep": "I think so"} for n in marked]
    return json.dumps({"sentences": kept})


@pytest.mark.slow
async def test_an_invention_is_flagged_though_its_writer_keeps_it(machines: str) -> None:
    writer = ThinkingWriter(MACHINES[:3], {"repair_sentences": keep_all})
    report, _ = await write_report(machines, writer)
    flagged = [text for _, text, _ in list_sentences(report) if UNSUPPORTED_FLAG in text]
    assert len(flagged) == report["audit"]["facts_unsupported"] == len(set(writer.invented)) == 7


@pytest.mark.slow
async def test_a_conclusion_stands_on_the_grounds_that_its_writer_gives(
    space: str, tmp_path: Path
) -> None:
    (tmp_path / "lamp.md").write_text(
        "# The lamp\n\nThe lamp of Ferrow burns 40 litres of oil a day."
    )
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    thought = "The lamp of Ferrow is a luxury that thrifty harbours avoid."
    text = f"The lamp of Ferrow burns 40 litres of oil a day [1]. {thought}"
    for repair, stands in ((keep_all, True), (lambda _: '{"sentences": []}', False)):
        writer = Writer({"write_section": lambda _: text, "repair_sentences": repair})
        with speaking(writer):
            context = Context(space=space, remember=False)
            asking = asked("What does the lamp of Ferrow burn?")
            report = (await graph.ainvoke(asking, context=context))["report"]
        [said] = [one for _, one, _ in list_sentences(report) if "luxury" in one]
        assert (UNSUPPORTED_FLAG not in said) is stands
        kinds = {one["sentence"]: one["kind"] for one in report["remarks"]}
        assert (kinds.get(thought) == "synthesis") is stands


@pytest.mark.parametrize(
    ("rewritten", "stands"),
    [
        ("So the lamp of Ferrow is a luxury that thrifty harbours avoid.", True),
        ("So the lamp of Ferrow is a luxury that costs harbours 9,000 crowns.", False),
    ],
)
async def test_a_conclusion_that_its_writer_words_anew_stands_unless_it_brings_facts(
    space: str, tmp_path: Path, rewritten: str, stands: bool
) -> None:
    (tmp_path / "lamp.md").write_text(
        "# The lamp\n\nThe lamp of Ferrow burns 40 litres of oil a day."
    )
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    thought = "The lamp of Ferrow is what 30 thrifty harbours call a luxury."
    text = f"The lamp of Ferrow burns 40 litres of oil a day [1]. {thought}"
    answer = json.dumps({"sentences": [{"sentence": 1, "text": rewritten, "keep": ""}]})
    writer = Writer({"write_section": lambda _: text, "repair_sentences": lambda _: answer})
    with speaking(writer):
        context = Context(space=space, remember=False)
        asking = asked("What does the lamp of Ferrow burn?")
        report = (await graph.ainvoke(asking, context=context))["report"]
    kinds = {one["sentence"]: one["kind"] for one in report["remarks"]}
    assert (kinds.get(rewritten) == "synthesis") is stands
    flagged = [one for _, one, _ in list_sentences(report) if UNSUPPORTED_FLAG in one]
    assert bool(flagged) is not stands


async def test_what_a_source_itself_calls_unknown_stays_where_its_writer_keeps_it(
    space: str, tmp_path: Path
) -> None:
    page = (
        "# The lamp\n\nThe lamp of Ferrow burns 40 litres of oil a day. "
        "We know of no oil that the lamp of Ferrow burned elsewhere."
    )
    (tmp_path / "lamp.md").write_text(page)
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    unknown = "Oil that the lamp of Ferrow burned elsewhere is not known [1]."
    text = f"The lamp of Ferrow burns 40 litres of oil a day [1]. {unknown}"
    writer = Writer({"write_section": lambda _: text, "repair_sentences": keep_all})
    with speaking(writer):
        context = Context(space=space, remember=False)
        state = await graph.ainvoke(asked("What does the lamp of Ferrow burn?"), context=context)
    assert unknown in [one for _, one, _ in list_sentences(state["report"])]


@pytest.mark.slow
async def test_a_denial_that_its_writer_keeps_though_pages_answer_it_is_cut(machines: str) -> None:
    writer = ThinkingWriter(MACHINES[:3], {"repair_sentences": keep_all}, gaps=1)
    report, _ = await write_report(machines, writer)
    assert writer.denied
    assert list_false_denials(report) == []
    assert report["audit"]["gaps"] == 3


@pytest.mark.slow
async def test_a_summary_is_told_nothing_of_dates_that_are_not_known(machines: str) -> None:
    _, requests = await write_report(machines, ThinkingWriter(MACHINES[:3]))
    [sent] = [one.messages[1]["content"] for one in requests if task_of(one) == "summarise"]
    notes = sent.split("<notes>\n")[1].split("\n</notes>")[0].split("\n")
    assert {re.sub(r"\[\d+\]", "[n]", one) for one in notes} == {
        f"<item>[n] The {machine}</item>" for machine in MACHINES[:3]
    }


@pytest.mark.slow
async def test_a_repair_sees_its_section_and_the_passages_of_what_failed(machines: str) -> None:
    writer = ThinkingWriter(MACHINES[:4])
    _, requests = await write_report(machines, writer)
    sent = [one for one in requests if task_of(one) == "repair_sentences"]
    drafts = [
        draft
        for request in sent
        for draft in re.findall(
            r"<draft.*?</draft>", request.messages[1]["content"], flags=re.DOTALL
        )
    ]
    assert (len(sent), len(drafts)) == (2, 4)
    for given in drafts:
        assert "So whether" in given
        assert f'reason="{UNCITED}"' in given
        assert not re.search(r'<sentence n="\d+"[^>]*>So whether', given)


@pytest.mark.slow
async def test_a_citation_that_a_repair_adds_must_hold(machines: str) -> None:
    def staple(request: ChatRequest) -> str:
        marked = re.findall(
            r'<sentence n="(\d+)" reason="it cites[^"]*">(.*?)</sentence>',
            request.messages[1]["content"],
        )
        stapled = [{"sentence": int(n), "text": f"{said[:-1]} [1]."} for n, said in marked]
        return json.dumps({"sentences": stapled})

    writer = ThinkingWriter(MACHINES[:3], {"repair_sentences": staple})
    report, _ = await write_report(machines, writer)
    said = [text for _, text, _ in list_sentences(report)]
    assert "Pigeons prefer nesting near harbours ⚠." in said
    invented = [text for text in said if any(one[:25] in text for one in writer.invented)]
    assert len(invented) == 7
    assert all(UNSUPPORTED_FLAG in text for text in invented)
    assert [text for text in invented if "[" in text and "medals" not in text] == []


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


def answer_with_added(added: dict[str, object]) -> str:
    return json.dumps({"sentences": [], "added": [{"point": 1, **added}]})


async def write_on_loom(
    space: str, folder: Path, write: Callable[[ChatRequest], str], added: Mapping[str, object]
) -> tuple[str, list[str]]:
    """The text of a report on a loom whose manual is long, and what its repairs were sent."""
    filler = "The hall is wide and the clerk sings of wool. " * 25
    parts = "\n\n".join(f"{filler} Belt {n} has notch {n}." for n in range(6))
    (folder / "loom.md").write_text(
        f"# Loom Manual\n\nThe loom weaves linen.\n\nThe loom needs oil.\n\n{filler}\n\n"
        f"{filler}\n\n## Belts\n\n{parts}\n\n## Frame\n\n{filler}\n"
    )
    await ingest_graph.ainvoke({"sources": [str(folder)]}, context=Context(space=space))
    writer = Writer(
        {"write_section": write, "repair_sentences": lambda _: answer_with_added(dict(added))}
    )
    with speaking(writer) as api:
        context = Context(space=space, research_mode="deep", section_tokens=900, audience=WEAVERS)
        state = await graph.ainvoke(
            asked("What does the loom weave, and how wide is the notch?"), context=context
        )
        sent = [
            one.messages[1]["content"] for one in api.requests if task_of(one) == "repair_sentences"
        ]
    return "\n".join(one["text"] for one in state["report"]["sections"]), sent


LOOM = "The loom weaves linen [1]. The loom needs oil [1].\n\nSo it is a quiet machine."
NOTCHES = "Which notch belt {n} of the loom has remains open. | Loom Manual, Belts"


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
async def test_what_is_added_stands_beside_its_subject_and_names_the_rest(
    space: str, tmp_path: Path
) -> None:
    added = {
        "text": "Belt 1 has notch 1 [1].",
        "after": "The loom weaves",
        "rest": "How wide the notch is remains open.",
    }
    text, _ = await write_on_loom(
        space, tmp_path, lambda _: f"{LOOM}\n\n```open\n{NOTCHES.format(n=1)}\n```", added
    )
    assert re.search(r"weaves linen \[1\]\. Belt 1 has notch 1 \[1\]\. The loom needs", text)
    assert "How wide the notch is remains open." in text
    assert "Which notch belt 1" not in text


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


def find_number(request: ChatRequest, title: str) -> str:
    """The number of a source in a prompt, "" without it."""
    found = re.search(rf'<source n="(\d+)"[^>]*title="{title}"', request.messages[1]["content"])
    return found[1] if found else ""


@pytest.mark.slow
@pytest.mark.parametrize(("code", "stands"), [("Belt 1 has notch 1.", True), ("rm belt", False)])
async def test_code_that_is_added_stands_where_a_source_has_it(
    space: str, tmp_path: Path, code: str, *, stands: bool
) -> None:
    added = {"text": f"Belt 1 has notch 1 [1]:\n\n```\n{code}\n```", "after": "The loom weaves"}
    text, _ = await write_on_loom(
        space, tmp_path, lambda _: f"{LOOM}\n\n```open\n{NOTCHES.format(n=1)}\n```", added
    )
    assert (f"Belt 1 has notch 1 [1]:\n\n```\n{code}\n```" in text) == stands
    assert "Belt 1 has notch 1 [1]:" in text


@pytest.mark.slow
async def test_code_goes_with_the_sentence_that_does_not_hold(space: str, tmp_path: Path) -> None:
    added = {
        "text": "Bears weave on Mars [1]:\n\n```\nBelt 1 has notch 1.\n```",
        "after": "The loom",
    }
    text, _ = await write_on_loom(
        space, tmp_path, lambda _: f"{LOOM}\n\n```open\n{NOTCHES.format(n=1)}\n```", added
    )
    assert "Bears" not in text
    assert "```" not in text


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


@pytest.mark.slow
async def test_a_repair_may_cite_what_another_section_was_written_from(
    space: str, tmp_path: Path
) -> None:
    machines = {"Loom": "The loom weaves linen of flax.", "Oven": "The oven bakes rye at noon."}
    for name, told in machines.items():
        filler = f"A mason sings of the {name.lower()} and of the hall in which he was born. " * 12
        for n in range(6):
            (tmp_path / f"{name}{n}.md").write_text(f"# {name} {n}\n\n{told} {n} {filler}\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    sections = [
        {"title": name, "questions": [told[:-1]], "queries": [told[:-1]]}
        for name, told in machines.items()
    ]
    shown: dict[str, str] = {}

    def write(request: ChatRequest) -> str:
        name = section_of(request)
        shown[name] = find_number(request, r"Oven \d")
        number = find_number(request, rf"{name} \d")
        return f"{machines[name][:-1]} [{number}]. The {name.lower()} drinks milk [{number}]."

    def repair(request: ChatRequest) -> str:
        number = find_number(request, r"Oven \d")
        text = f"The oven bakes rye at noon, too [{number}]."
        return json.dumps({"sentences": [{"sentence": 1, "text": text}]})

    outline = json.dumps({"title": "Machines", "sections": sections})
    writer = Writer(
        {"outline": lambda _: outline, "write_section": write, "repair_sentences": repair}
    )
    with speaking(writer):
        context = Context(space=space, research_mode="deep", section_tokens=500)
        state = await graph.ainvoke(asked("What do the loom and the oven make?"), context=context)
    assert not shown["Loom"]
    [loom] = [one for one in state["report"]["sections"] if one["title"] == "Loom"]
    assert re.search(r"The oven bakes rye at noon, too \[\d\]\.$", loom["text"])
    await check_report(state["report"], space)
