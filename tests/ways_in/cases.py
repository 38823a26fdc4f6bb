"""What is run in every way in: each graph, with what it is given and what must come out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graph_runs import CONCEPTS, asked

QUESTION = "BM25, dense vectors, reranking: differences?"
"""Few English function words, so that its language has to be guessed."""

MODELS: dict[str, dict[str, str]] = {
    "extractive": {"planner_model": "extractive", "writer_model": "extractive"},
    "openai": {},
}
"""What a run's context says to have one kind of model or the other, where there is a key.

The first one to be run loads what both of them need, the other what it alone needs: none of it has
been loaded before.
"""


@dataclass(frozen=True)
class World:
    """What another process has prepared: a space that holds the sample pages."""

    data_dir: Path
    space: str


@dataclass(frozen=True)
class Case:
    """A graph, with the inputs of its runs, one after the other, and the context of them all.

    `revises` has the inputs name a kept report, whose id they are given.
    """

    name: str
    graph: str
    inputs: list[dict[str, Any]]
    check: Callable[[Mapping[str, Any], "Case"], None]
    context: Mapping[str, Any] = field(default_factory=dict)
    revises: bool = False

    def context_in(self, world: World, model: str) -> dict[str, Any]:
        """The context of a run with a kind of model."""
        return {"space": world.space, **self.context, **MODELS[model]}


def _report(state: Mapping[str, Any], case: Case) -> None:
    sections = {"general": 1, "deep": 3, "deeper": 6}[case.context["research_mode"]]
    report = state["report"]
    assert len([one for one in report["sections"] if "kind" not in one]) == sections
    assert all("[" in section["text"] for section in report["sections"])
    assert report["citations"]
    assert state["question"]["language"] == "en"
    _nothing_lost(report["degraded"])


def _section(state: Mapping[str, Any], _: Case) -> None:
    [section] = state["sections"]
    assert "[" in section["text"]
    assert section["sources"]
    _nothing_lost(state["degraded"])


def _revision(state: Mapping[str, Any], _: Case) -> None:
    assert state["report"]["version"] > 1
    assert len(state["report"]["sections"]) == 4  # and the summary
    _nothing_lost(state["degraded"])


def _answer(state: Mapping[str, Any], _: Case) -> None:
    assert state["answer"]["citations"]
    _nothing_lost(state["degraded"])


def _ingested(state: Mapping[str, Any], _: Case) -> None:
    assert sum(state["counts"].values()) == 10
    assert not state["skipped"]


def _nothing_lost(degraded: list[dict[str, str]]) -> None:
    """No step failed; what is not configured is missing, and reviewers may want more."""
    known = {"no_language_model", "no_embedding_model", "not_answered", "revision_incomplete"}
    assert {one["code"] for one in degraded} <= known


CASES = [
    *(
        Case(f"report-{mode}", "report", [asked(QUESTION)], _report, {"research_mode": mode})
        for mode in ("general", "deep", "deeper")
    ),
    Case(
        "section",
        "section",
        [{"title": "HNSW", "questions": ["HNSW graph layers?", "ef_search recall?"]}],
        _section,
    ),
    Case(
        "revise_section",
        "revise_section",
        [{"section_numbers": [section], "instruction": "make it shorter"} for section in (1, 2, 3)],
        _revision,
        revises=True,
    ),
    Case(
        "deep_search",
        "deep_search",
        [{"question": "HNSW ef_search recall trade-off?"}],
        _answer,
    ),
    Case("ingest", "ingest", [{"sources": [str(CONCEPTS)]}], _ingested),
]
