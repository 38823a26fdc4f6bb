"""What tests that run graphs share."""

import re
from pathlib import Path
from typing import Any

from library.library import Library
from schema.report import Report, ReportSection

CONCEPTS = Path(__file__).parents[1] / "samples"
QUESTION = "How do BM25, dense vectors and reranking work together?"


def asked(question: str) -> dict[str, Any]:
    """The input of a run."""
    return {"messages": [{"role": "user", "content": question}]}


def get_sections(report: Report) -> list[ReportSection]:
    """The sections of a report without its summary."""
    return [one for one in report["sections"] if one.get("kind") != "summary"]


async def stored_text(library: Library, uri: str) -> str:
    """The text of a document of a space, or of what was found on the web for it."""
    return await library.load_text(uri) or await library.open_part("web").load_text(uri) or ""


async def check_report(report: Report, library: Library) -> None:
    """What must hold for the citations of every report."""
    assert report["citations"]
    numbers = [reference["number"] for reference in report["references"]]
    assert numbers == list(range(1, len(numbers) + 1))
    text = "\n\n".join(section["text"] for section in report["sections"])
    marks = [int(number) for number in re.findall(r"\[(\d+)\]", text)]
    assert list(dict.fromkeys(marks)) == numbers  # each is cited, in order of first appearance
    assert {citation["number"] for citation in report["citations"]} == set(numbers)
    for citation in report["citations"]:
        assert citation["sentence"] in report["sections"][citation["section"]]["text"]
        assert f"[{citation['number']}]" in citation["sentence"]
        stored = await stored_text(library, citation["document"])
        assert stored[citation["start"] : citation["end"]] == citation["quote"] != ""
