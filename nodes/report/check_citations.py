"""Check every citation: which sentences do their sources support?"""

import asyncio

from langgraph.runtime import Runtime

from citations.check import CheckedSentence, check_sentences, is_undecided
from citations.edits import find_editable_sentences, split_editable_sentences
from models.calls import Role
from models.citation_judge import judge_citations
from nodes.common.citations import apply_judgements, hash_claim, load_support_by_section
from nodes.common.run import get_context, get_library, is_extractive, make_degradation, make_role
from schema.context import Context
from schema.editing import CitationJudgement, RepairInput, UnsupportedSentence
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.gather import run_concurrently
from schema.report import Degradation, ModelCall, Section
from schema.state import ReportState, ReportUpdate


async def check_citations(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Judge the drafts, repaired sentences among them; name what has to go back to its writer.

    Sentences go back once, and not to the extractive model, which has only quotes to give.
    """
    context, language = get_context(runtime), state["question"]["language"]
    repaired = {section["index"]: section for section in state["repairs"]}
    drafts = [repaired.get(draft["index"], draft) for draft in state["drafts"]]
    read = await load_support_by_section(await get_library(runtime), drafts, language)
    found = await asyncio.to_thread(
        lambda: [
            check_sentences(draft["text"], sources, language)
            for draft, sources in zip(drafts, read, strict=True)
        ]
    )
    judge = make_role(state, runtime, "judge", context.judge_model) if context.judge_model else None
    judgements, calls, failures = await _judge_drafts(found, state["judgements"], judge)
    found = [apply_judgements(one, judgements) for one in found]
    last = state["citation_checks"] > 0 or is_extractive(
        Role.from_choice("writer", context.writer_model).model
    )
    failing = (
        []
        if last
        else [
            _collect_unsupported(*one, language, state["run"])
            for one in zip(drafts, found, strict=True)
        ]
    )
    return {
        "drafts": drafts,
        "citation_checks": state["citation_checks"] + 1,
        "judgements": judgements,
        "repair_inputs": [one for one in failing if one["sentences"]],
        "counts": {
            **state["counts"],
            "sentences_repaired": _count_repaired(state["drafts"], drafts, language),
        },
        "calls": calls,
        "degraded": failures,
    }


def _collect_unsupported(
    draft: Section, found: list[CheckedSentence], language: str, run: str
) -> RepairInput:
    """The sentences of a section that are not supported, by their place among the editable ones."""
    places = {
        one.start: n
        for n, one in enumerate(find_editable_sentences(draft["text"], language), start=1)
    }
    failing = [
        UnsupportedSentence(sentence=places[one.sentence.start], reason=one.failure_reason)
        for one in found
        if not one.is_supported and one.sentence.start in places
    ]
    return RepairInput(draft=draft, sentences=failing, language=language, run=run)


def _count_repaired(before: list[Section], after: list[Section], language: str) -> int:
    """How many sentences are no longer what they were."""
    return sum(
        len(
            {*split_editable_sentences(one["text"], language)}
            - {*split_editable_sentences(other["text"], language)}
        )
        for one, other in zip(before, after, strict=True)
    )


async def _judge_drafts(
    found: list[list[CheckedSentence]], before: list[CitationJudgement], judge: Role | None
) -> tuple[list[CitationJudgement], list[ModelCall], list[Degradation]]:
    """The judge's verdicts on what words and numbers cannot decide, one call a section."""
    if judge is None:
        return before, [], []
    known = {(one["key"], one["number"]) for one in before}
    results = await run_concurrently(_judge_section(judge, section, known) for section in found)
    judgements = [*before, *(one for made, _, _ in results for one in made)]
    calls = [call for _, made, _ in results for call in made]
    return judgements, calls, [entry for _, _, failures in results for entry in failures]


async def _judge_section(
    role: Role, section: list[CheckedSentence], known: set[tuple[str, int]]
) -> tuple[list[CitationJudgement], list[ModelCall], list[Degradation]]:
    open_ones = [
        (one, number, verdict)
        for one in section
        for number, verdict in one.verdicts.items()
        if is_undecided(verdict) and (hash_claim(one.claim), number) not in known
    ]
    if not open_ones:
        return [], [], []
    asked = [
        (one.claim, verdict.span.quote if verdict.span else "") for one, _, verdict in open_ones
    ]
    try:
        verdicts, calls = await judge_citations(role, asked)
    except (ModelOutputError, ModelUnavailableError) as error:
        return [], get_error_calls(error), [make_degradation("citations_not_judged", error)]
    return (
        [
            CitationJudgement(
                key=hash_claim(one.claim),
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
