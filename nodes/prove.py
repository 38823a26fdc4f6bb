"""Prove every citation: which sentences do their sources bear out?"""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from models.calls import Role
from models.judge import judged
from nodes.citing import claim_key, read_by_section, with_judgements
from nodes.run import context_of, degraded, is_extractive, library_of, role_of
from retrieval.proof import Proven, is_open, proven
from retrieval.revision import editable
from schema.context import Context
from schema.errors import ModelOutputError, ModelUnavailableError, calls_of
from schema.report import Degraded, ModelCall, Section
from schema.revising import Failing, Judged, RepairInput
from schema.state import ReportState
from schema.together import together


async def prove(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Judge the drafts, repaired sentences among them; name what has to go back to its writer.

    Sentences go back once, and not to the extractive model, which has only quotes to give.
    """
    context, language = context_of(runtime), state["question"]["language"]
    mended = {section["index"]: section for section in state["repairs"]}
    drafts = [mended.get(draft["index"], draft) for draft in state["drafts"]]
    read = await read_by_section(await library_of(runtime), drafts, language)
    found = await asyncio.to_thread(
        lambda: [
            proven(draft["text"], sources, language)
            for draft, sources in zip(drafts, read, strict=True)
        ]
    )
    judge = role_of(state, runtime, "judge", context.judge_model) if context.judge_model else None
    said, calls, lost = await _judged(found, state["judged"], judge)
    found = [with_judgements(one, said) for one in found]
    last = state["proofs"] > 0 or is_extractive(Role.of("writer", context.writer_model).model)
    failing = (
        []
        if last
        else [_failing(*one, language, state["run"]) for one in zip(drafts, found, strict=True)]
    )
    return {
        "drafts": drafts,
        "proofs": state["proofs"] + 1,
        "judged": said,
        "failing": [one for one in failing if one["sentences"]],
        "counts": {
            **state["counts"],
            "sentences_repaired": _repaired(state["drafts"], drafts, language),
        },
        "calls": calls,
        "degraded": lost,
    }


def _failing(draft: Section, found: list[Proven], language: str, run: str) -> RepairInput:
    """The sentences of a section that do not stand, by their place among all that can be edited."""
    places = {one.start: n for n, one in enumerate(editable(draft["text"], language), start=1)}
    failing = [
        Failing(sentence=places[one.sentence.start], reason=one.worst)
        for one in found
        if not one.stands and one.sentence.start in places
    ]
    return RepairInput(draft=draft, sentences=failing, language=language, run=run)


def _repaired(before: list[Section], after: list[Section], language: str) -> int:
    """How many sentences are no longer what they were."""
    return sum(
        len(_sentences(one["text"], language) - _sentences(other["text"], language))
        for one, other in zip(before, after, strict=True)
    )


def _sentences(text: str, language: str) -> set[str]:
    return {text[one.start : one.end] for one in editable(text, language)}


async def _judged(
    found: list[list[Proven]], before: list[Judged], judge: Role | None
) -> tuple[list[Judged], list[ModelCall], list[Degraded]]:
    """What the judge says of what words and numbers cannot decide, one call a section."""
    if judge is None:
        return before, [], []
    known = {(one["key"], one["number"]) for one in before}
    results = await together(_asked(judge, section, known) for section in found)
    said = [*before, *(one for made, _, _ in results for one in made)]
    calls = [call for _, made, _ in results for call in made]
    return said, calls, [entry for _, _, lost in results for entry in lost]


async def _asked(
    role: Role, section: list[Proven], known: set[tuple[str, int]]
) -> tuple[list[Judged], list[ModelCall], list[Degraded]]:
    open_ones = [
        (one, number, verdict)
        for one in section
        for number, verdict in one.verdicts.items()
        if is_open(verdict) and (claim_key(one.claim), number) not in known
    ]
    if not open_ones:
        return [], [], []
    asked = [(one.claim, said.span.quote if said.span else "") for one, _, said in open_ones]
    try:
        verdicts, calls = await judged(role, asked)
    except (ModelOutputError, ModelUnavailableError) as error:
        return [], calls_of(error), [degraded("citations_not_judged", error)]
    return (
        [
            Judged(
                key=claim_key(one.claim),
                number=number,
                verdict=found.verdict,
                confidence=found.confidence,
            )
            for (one, number, _), found in zip(open_ones, verdicts, strict=True)
            if found
        ],
        calls,
        [],
    )
