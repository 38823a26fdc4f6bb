"""What the steps of a deep search have in common: the budget, the diary, what was found so far."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from library.library import Library
from models.calls import Role
from models.extractive.model import EXTRACTIVE
from models.rerank import rerank
from models.structured import ask_structured
from nodes.run import brief, context_of, degraded, emit, library_of, source_text
from prompts.template import SourceText
from retrieval.packing import estimate_tokens
from retrieval.pool import number_sources
from schema.context import Context
from schema.deep_search import (
    Action,
    Budget,
    Choice,
    DeepSearchState,
    Evidence,
)
from schema.errors import ModelOutputError, ModelUnavailableError, calls_of
from schema.events import StepTaken
from schema.report import Degraded, ModelCall, Source

KEPT_FOR_WRITING = 0.15
"""Share of tokens and seconds that research leaves for the answer."""

MOST_EVIDENCE = 200
"""Spans; keeps a checkpoint small whatever is found."""

Schema = TypeVar("Schema", bound=BaseModel)


def left_for_research(state: DeepSearchState, context: Context) -> Budget:
    """What of the budget research may still spend; nothing in it is below 0."""
    budget, spent = state.get("budget") or context.deep_budget, state["spent"]
    share = 1 - KEPT_FOR_WRITING
    return Budget(
        tokens=max(0, int(budget["tokens"] * share) - spent["tokens"]),
        seconds=max(0.0, budget["seconds"] * share - spent["seconds"]),
        searches=max(0, budget["searches"] - spent["searches"]),
        pages=max(0, budget["pages"] - spent["pages"]),
    )


def known_so_far(state: DeepSearchState) -> int:
    """How much an answer could be written from: spans, and questions answered on the way."""
    return len(state["evidence"]) + len(state["findings"])


def is_over(left: Budget) -> bool:
    """Whether research has to end."""
    return left["tokens"] <= 0 or left["seconds"] <= 0


@dataclass
class Bill:
    """What a step costs while it is under way."""

    started: float = field(default_factory=time.perf_counter)
    calls: list[ModelCall] = field(default_factory=list)
    lost: list[Degraded] = field(default_factory=list)
    searches: int = 0
    pages: int = 0

    def budget(self) -> Budget:
        """The cost up to now."""
        return Budget(
            tokens=sum(call["input_tokens"] + call["output_tokens"] for call in self.calls),
            seconds=round(time.perf_counter() - self.started, 3),
            searches=self.searches,
            pages=self.pages,
        )

    def update(self) -> dict[str, Any]:
        """What the state is told of the cost."""
        return {"spent": self.budget(), "calls": self.calls, "degraded": self.lost}


def told(
    runtime: Runtime[Context],
    state: DeepSearchState,
    bill: Bill,
    action: Action | str,
    outcome: str,
) -> dict[str, Any]:
    """Stream a step as an event, write it into the diary, and bill it."""
    choice, cost = state["choice"], bill.budget()
    why = choice["why"] if action == choice["action"] else ""
    emit(
        runtime,
        StepTaken(
            type="step",
            action=action,  # type: ignore[typeddict-item]  # the nodes' own names
            question=at_hand(state),
            why=why,
            outcome=outcome,
            seconds=round(cost["seconds"] + (choice["seconds"] if why else 0), 3),
            tokens=cost["tokens"] + (choice["tokens"] if why else 0),
            searches=cost["searches"],
            pages=cost["pages"],
        ),
    )
    return {**bill.update(), "diary": [f"{why} {outcome}".strip()]}


def at_hand(state: DeepSearchState) -> str:
    """The question that the step works on."""
    choice: Choice = state["choice"]
    return state["question"] if choice["decisive"] else state["agenda"]["queue"][0]


async def decided(
    bill: Bill,
    role: Role,
    prompt: str,
    messages: list[BaseMessage],
    schema: type[Schema],
    seconds: float,
    check: Callable[[Schema], str | None] = lambda _: None,
) -> Schema:
    """Ask a model for a decision; where it gives none in time, the extractive model decides.

    It takes what `ask_structured` takes. The bill is charged for the calls, also for those that
    came to nothing; `seconds` is the deadline for all of it.
    """
    try:
        async with asyncio.timeout(seconds):
            made, calls = await ask_structured(role, prompt, messages, schema, check=check)
    except (ModelOutputError, ModelUnavailableError, TimeoutError) as error:
        bill.calls += calls_of(error)
        reason = str(error) or f"the model {role.model} did not answer within {seconds:.0f} s"
        bill.lost.append(degraded("step_without_model", f"{prompt}: {reason}"))
        stand_in = Role(role.name, EXTRACTIVE)
        made, calls = await ask_structured(stand_in, prompt, messages, schema, check=check)
    bill.calls += calls
    return made


@dataclass(frozen=True)
class Spoken:
    """A span of a document with its text."""

    document: int
    start: int
    end: int
    text: str


async def kept(
    state: DeepSearchState, library: Library, found: Sequence[Spoken]
) -> tuple[list[Evidence], list[Source]]:
    """All evidence with what was found, each text once, and the sources with their numbers."""
    evidence = list(state["evidence"])
    keys = {one["key"] for one in evidence}
    numbers = {source["document"]: source["number"] for source in state["sources"]}
    new: list[Spoken] = []
    for span in found:
        key = text_key(span.text)
        if key not in keys and len(evidence) + len(new) < MOST_EVIDENCE:
            keys.add(key)
            new.append(span)
    numbers = number_sources(numbers, [span.document for span in new])
    evidence += [
        Evidence(
            number=numbers[span.document],
            document=span.document,
            start=span.start,
            end=span.end,
            key=text_key(span.text),
        )
        for span in new
    ]
    unknown = list(numbers)[len(state["sources"]) :]
    described = await library.documents(unknown)
    sources = [*state["sources"], *(brief(numbers[d], described[d]) for d in unknown)]
    return evidence, sources


def text_key(text: str) -> str:
    """The same for the same words."""
    return blake2b(" ".join(text.casefold().split()).encode(), digest_size=6).hexdigest()


async def texts_of(library: Library, evidence: Sequence[Evidence]) -> list[str]:
    """The stored text of each span."""
    return await library.spans([(one["document"], one["start"], one["end"]) for one in evidence])


async def best_evidence(
    state: DeepSearchState, runtime: Runtime[Context], question: str, bill: Bill, tokens: int
) -> list[SourceText]:
    """The evidence that speaks most of a question and of the original, as much as fits `tokens`.

    Returns:
        The sources as a prompt shows them, the best one first.
    """
    library, evidence = await library_of(runtime), state["evidence"]
    texts = await texts_of(library, evidence)
    asked = "\n".join(dict.fromkeys([question, state["question"]]))
    ranking = await rerank(asked, texts, context_of(runtime).rerank_model)
    bill.lost += ranking.degraded
    chosen: list[int] = []
    for place in sorted(range(len(texts)), key=lambda i: (-ranking.scores[i], i)):
        cost = estimate_tokens(texts[place])
        if cost <= tokens or not chosen:
            chosen.append(place)
            tokens -= cost
    described = await library.documents([evidence[place]["document"] for place in chosen])
    by_number: dict[int, list[int]] = {}
    for place in chosen:
        by_number.setdefault(evidence[place]["number"], []).append(place)
    shown = []
    for number, places in by_number.items():
        info = described[evidence[places[0]]["document"]]
        in_order = sorted(places, key=lambda place: evidence[place]["start"])
        shown.append(source_text(number, info, [texts[place] for place in in_order]))
    return shown
