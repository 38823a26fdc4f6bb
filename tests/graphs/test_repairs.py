"""What goes back to a writer, and what of its answer is taken."""

import json
import re
from pathlib import Path

import pytest
from fakes.openai_chat import ChatRequest
from fakes.thinking_writer import MACHINES, ThinkingWriter
from fakes.writer import Writer, section_of, task_of
from graph_runs import asked, check_report, speaking
from thinking_runs import (
    LOOM,
    NOTCHES,
    find_number,
    list_sentences,
    write_on_loom,
    write_report,
)

from citations.failure_reasons import UNCITED
from graphs.ingest import graph as ingest_graph
from graphs.report import graph
from schema.context import Context
from schema.report import UNSUPPORTED_FLAG


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
