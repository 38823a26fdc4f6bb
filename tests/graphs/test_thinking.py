"""What becomes of a writer's thoughts, and of what it invents."""

import json
import re
from pathlib import Path

import pytest
from fakes.thinking_writer import MACHINES, ThinkingWriter
from fakes.writer import Writer, task_of
from graph_runs import asked, speaking
from thinking_runs import (
    keep_all,
    list_sentences,
    write_report,
)

from graphs.ingest import graph as ingest_graph
from graphs.report import graph
from schema.context import Context
from schema.report import UNSUPPORTED_FLAG


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
async def test_a_summary_is_told_nothing_of_dates_that_are_not_known(machines: str) -> None:
    _, requests = await write_report(machines, ThinkingWriter(MACHINES[:3]))
    [sent] = [one.messages[1]["content"] for one in requests if task_of(one) == "summarise"]
    notes = sent.split("<notes>\n")[1].split("\n</notes>")[0].split("\n")
    assert {re.sub(r"\[\d+\]", "[n]", one) for one in notes} == {
        f"<item>[n] The {machine}</item>" for machine in MACHINES[:3]
    }


@pytest.mark.parametrize(
    ("sums", "stands"), [("40 × 27 = 1,080", True), ("41 × 27 = 1,107", False)]
)
async def test_a_figure_whose_sum_is_told_behind_the_section_is_not_sent_back(
    space: str, tmp_path: Path, sums: str, *, stands: bool
) -> None:
    (tmp_path / "lamp.md").write_text(
        "# The lamp\n\nThe lamp of Ferrow burns 40 litres of oil a day, and burns for 27 days."
    )
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    result = sums.rpartition("= ")[2]
    text = (
        "The lamp of Ferrow burns 40 litres of oil a day, for 27 days [1]. So it needs "
        f"{result} litres in all.\n\n```sums\n{sums}\n```"
    )
    writer = Writer({"write_section": lambda _: text, "repair_sentences": keep_all})
    with speaking(writer) as api:
        asking = asked("What does the lamp of Ferrow burn?")
        context = Context(space=space, remember=False)
        report = (await graph.ainvoke(asking, context=context))["report"]
        sent = [one for one in api.requests if task_of(one) == "repair_sentences"]
    whole = "\n".join(one["text"] for one in report["sections"])
    assert bool(sent) is not stands
    assert "sums" not in whole
    assert "×" not in whole
    assert (UNSUPPORTED_FLAG not in whole) is stands
