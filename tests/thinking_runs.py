"""Runs on the pages about machines and the loom, by writers who think, invent and name gaps."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from fakes.openai_chat import ChatRequest
from fakes.thinking_writer import DENIED, MACHINES, ThinkingWriter
from fakes.writer import Writer, task_of
from graph_runs import asked, check_report, speaking

from citations.markers import find_cited_sentences
from graphs.ingest import graph as ingest_graph
from graphs.report import graph
from schema.context import Context
from schema.report import Report

QUESTION = "What are the machines of the hall like?"

WEAVERS = ("weavers who are new to the loom, " * 6)[:190]
"""An audience so long that prompts keep off 2,048 tokens, which would be taken for a window."""


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


def keep_all(request: ChatRequest) -> str:
    marked = re.findall(r'<sentence n="(\d+)" reason', request.messages[1]["content"])
    kept = [{"sentence": int(n), "text": "", "keep": "I think so"} for n in marked]
    return json.dumps({"sentences": kept})


def find_number(request: ChatRequest, title: str) -> str:
    """The number of a source in a prompt, "" without it."""
    found = re.search(rf'<source n="(\d+)"[^>]*title="{title}"', request.messages[1]["content"])
    return found[1] if found else ""
