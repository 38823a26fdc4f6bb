"""What tests that run graphs share."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.sites.little_web import LittleWeb

from library.library import Library, open_library
from schema.context import Context
from schema.report import Report, ReportSection

CONCEPTS = Path(__file__).parents[1] / "samples"
QUESTION = "How do BM25, dense vectors and reranking work together?"


def asked(question: str) -> dict[str, Any]:
    """The input of a run."""
    return {"messages": [{"role": "user", "content": question}]}


@contextmanager
def speaking(answer: Callable[[ChatRequest], str], **how: Any) -> Iterator[FakeOpenAI]:
    """A fake provider that is the configured one; `how` is as of `FakeOpenAI`."""
    with FakeOpenAI(answer, **how) as api, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", api.base_url)
        patch.setenv("OPENAI_API_KEY", "key-of-a-test")
        yield api


@contextmanager
def searching(*given: Any) -> Iterator[LittleWeb]:
    """A little web that the real search connector is set up for; `given` is as of `LittleWeb`."""
    with LittleWeb(*given) as web, pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIRE_SEARXNG_BASE_URL", web.url)
        patch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
        yield web


async def run_report(space: str, question: str = QUESTION, **settings: Any) -> dict[str, Any]:
    """The state at the end of a run of the report graph, whose citations hold."""
    from graphs.report import graph

    context = Context(space=space, **settings)
    state: dict[str, Any] = await graph.ainvoke(asked(question), context=context)
    if state["report"]:
        await check_report(state["report"], space)
    return state


def codes(state: dict[str, Any]) -> set[str]:
    """What made a run's report, or an answer, less than it could be."""
    return {entry["code"] for entry in state["degraded"]}


def get_sections(report: Report) -> list[ReportSection]:
    """The sections of a report without its summary."""
    return [one for one in report["sections"] if one.get("kind") != "summary"]


async def stored_text(library: Library, uri: str) -> str:
    """The text of a document of a space, or of what was found on the web for it."""
    return await library.load_text(uri) or await library.open_part("web").load_text(uri) or ""


async def check_report(report: Report, space: str) -> None:
    """What must hold for the citations of every report."""
    assert report["citations"]
    numbers = [reference["number"] for reference in report["references"]]
    assert numbers == list(range(1, len(numbers) + 1))
    text = "\n\n".join(section["text"] for section in report["sections"])
    marks = [int(number) for number in re.findall(r"\[(\d+)\]", text)]
    assert list(dict.fromkeys(marks)) == numbers  # each is cited, in order of first appearance
    assert {citation["number"] for citation in report["citations"]} == set(numbers)
    library = await open_library(space)
    for citation in report["citations"]:
        assert citation["sentence"] in report["sections"][citation["section"]]["text"]
        assert f"[{citation['number']}]" in citation["sentence"]
        stored = await stored_text(library, citation["document"])
        assert stored[citation["start"] : citation["end"]] == citation["quote"] != ""
        assert f"{citation['before']}{citation['quote']}{citation['after']}" in stored
