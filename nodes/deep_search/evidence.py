"""What the steps of a deep search have in common: the budget, the diary, what was found so far."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from citations.foreign_marks import drop_foreign_marks
from library.library import Library
from models.calls import Role
from models.extractive.chat_model import EXTRACTIVE
from models.rerank import rerank_texts
from models.structured import ask_structured
from nodes.common.run import (
    emit,
    get_context,
    get_library,
    make_degradation,
    make_source,
    make_source_text,
)
from prompts.template import Prompt, SourceText
from retrieval.passages.context_window import estimate_tokens
from retrieval.passages.pool import number_sources
from schema.context import Context
from schema.deep_search import (
    Budget,
    Choice,
    DeepSearchState,
    DeepSearchUpdate,
    Evidence,
)
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.events import StepName, StepTaken
from schema.report import Degradation, ModelCall, Source

WRITING_SHARE = 0.15
"""Share of tokens and seconds that research leaves for the answer."""

MAX_EVIDENCE = 200
"""Spans; keeps a checkpoint small whatever is found."""

Schema = TypeVar("Schema", bound=BaseModel)


def compute_research_budget(state: DeepSearchState, context: Context) -> Budget:
    """What of the budget research may still spend; nothing in it is below 0."""
    budget, spent = state.get("budget") or context.deep_budget, state["spent"]
    share = 1 - WRITING_SHARE
    return Budget(
        tokens=max(0, int(budget["tokens"] * share) - spent["tokens"]),
        seconds=max(0.0, budget["seconds"] * share - spent["seconds"]),
        searches=max(0, budget["searches"] - spent["searches"]),
        pages=max(0, budget["pages"] - spent["pages"]),
    )


def count_known(state: DeepSearchState) -> int:
    """How much an answer could be written from: spans, and questions answered on the way."""
    return len(state["evidence"]) + len(state["findings"])


def is_spent(left: Budget) -> bool:
    """Whether research has to end."""
    return left["tokens"] <= 0 or left["seconds"] <= 0


@dataclass
class StepCost:
    """What a step costs while it is under way."""

    started: float = field(default_factory=time.perf_counter)
    calls: list[ModelCall] = field(default_factory=list)
    failures: list[Degradation] = field(default_factory=list)
    searches: int = 0
    pages: int = 0

    def to_budget(self) -> Budget:
        """The cost up to now."""
        return Budget(
            tokens=sum(call["input_tokens"] + call["output_tokens"] for call in self.calls),
            seconds=round(time.perf_counter() - self.started, 3),
            searches=self.searches,
            pages=self.pages,
        )

    def to_update(self) -> DeepSearchUpdate:
        """The cost as an update of the state."""
        return {"spent": self.to_budget(), "calls": self.calls, "degraded": self.failures}


def record_step(
    runtime: Runtime[Context],
    state: DeepSearchState,
    bill: StepCost,
    action: StepName,
    outcome: str,
) -> DeepSearchUpdate:
    """Stream a step as an event, write it into the diary, and add up its cost."""
    choice, cost = state["choice"], bill.to_budget()
    why = choice["why"] if action == choice["action"] else ""
    emit(
        runtime,
        StepTaken(
            type="step",
            action=action,
            question=get_current_question(state),
            why=why,
            outcome=outcome,
            seconds=round(cost["seconds"] + (choice["seconds"] if why else 0), 3),
            tokens=cost["tokens"] + (choice["tokens"] if why else 0),
            searches=cost["searches"],
            pages=cost["pages"],
        ),
    )
    return {**bill.to_update(), "diary": [f"{why} {outcome}".strip()]}


def list_findings(state: DeepSearchState) -> list[str]:
    """What was answered on the way, as prompts show it."""
    return [f"{one['question']} {one['text']}" for one in state["findings"]]


def get_current_question(state: DeepSearchState) -> str:
    """The question that the step works on."""
    choice: Choice = state["choice"]
    return state["question"] if choice["decisive"] else state["task_queue"]["questions"][0]


async def decide(
    bill: StepCost,
    role: Role,
    prompt: Prompt,
    schema: type[Schema],
    seconds: float,
    check: Callable[[Schema], str | None] = lambda _: None,
) -> Schema:
    """Ask a model for a decision; where it gives none in time, the extractive model decides.

    It takes what `ask_structured` takes. The bill counts all calls, also those that
    failed; `seconds` is the deadline for all of it.
    """
    try:
        async with asyncio.timeout(seconds):
            made, calls = await ask_structured(role, prompt, schema, check=check)
    except (ModelOutputError, ModelUnavailableError, TimeoutError) as error:
        bill.calls += get_error_calls(error)
        reason = str(error) or f"the model {role.model} did not answer within {seconds:.0f} s"
        bill.failures.append(make_degradation("step_without_model", f"{prompt.name}: {reason}"))
        stand_in = Role(role.name, EXTRACTIVE)
        made, calls = await ask_structured(stand_in, prompt, schema, check=check)
    bill.calls += calls
    return made


@dataclass(frozen=True)
class TextSpan:
    """A span of a document with its text."""

    document: int
    start: int
    end: int
    text: str


async def add_evidence(
    state: DeepSearchState, library: Library, found: Sequence[TextSpan]
) -> tuple[list[Evidence], list[Source]]:
    """All evidence with what was found, each text once, and the sources with their numbers."""
    evidence = list(state["evidence"])
    keys = {one["key"] for one in evidence}
    numbers = {source["document"]: source["number"] for source in state["sources"]}
    new: list[TextSpan] = []
    for span in found:
        key = hash_text(span.text)
        if key not in keys and len(evidence) + len(new) < MAX_EVIDENCE:
            keys.add(key)
            new.append(span)
    numbers = number_sources(numbers, [span.document for span in new])
    evidence += [
        Evidence(
            number=numbers[span.document],
            document=span.document,
            start=span.start,
            end=span.end,
            key=hash_text(span.text),
        )
        for span in new
    ]
    unknown = list(numbers)[len(state["sources"]) :]
    described = await library.load_documents(unknown)
    sources = [*state["sources"], *(make_source(numbers[d], described[d]) for d in unknown)]
    return evidence, sources


def hash_text(text: str) -> str:
    """The same for the same words."""
    return blake2b(" ".join(text.casefold().split()).encode(), digest_size=6).hexdigest()


async def load_texts(library: Library, evidence: Sequence[Evidence]) -> list[str]:
    """The stored text of each span."""
    return await library.load_spans(
        [(one["document"], one["start"], one["end"]) for one in evidence]
    )


async def select_evidence(
    state: DeepSearchState, runtime: Runtime[Context], question: str, bill: StepCost, tokens: int
) -> list[SourceText]:
    """The evidence most relevant to a question and the original, as much as fits `tokens`.

    Returns:
        The sources as a prompt shows them, the best one first.
    """
    library, evidence = await get_library(runtime), state["evidence"]
    texts = await load_texts(library, evidence)
    asked = "\n".join(dict.fromkeys([question, state["question"]]))
    ranking = await rerank_texts(asked, texts, get_context(runtime).rerank_model)
    bill.failures += ranking.degraded
    chosen: list[int] = []
    for place in sorted(range(len(texts)), key=lambda i: (-ranking.scores[i], i)):
        cost = estimate_tokens(texts[place])
        if cost <= tokens or not chosen:
            chosen.append(place)
            tokens -= cost
    described = await library.load_documents([evidence[place]["document"] for place in chosen])
    by_number: dict[int, list[int]] = {}
    for place in chosen:
        by_number.setdefault(evidence[place]["number"], []).append(place)
    shown = []
    for number, places in by_number.items():
        info = described[evidence[places[0]]["document"]]
        in_order = sorted(places, key=lambda place: evidence[place]["start"])
        passages = drop_foreign_marks([texts[place] for place in in_order])
        shown.append(make_source_text(number, info, passages))
    return shown
