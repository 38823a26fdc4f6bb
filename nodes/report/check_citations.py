"""Check every citation: which facts do their sources support?"""

import asyncio
from collections.abc import Sequence

from langgraph.runtime import Runtime

from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.claim_facts import SentenceFacts
from citations.content_terms import count_common_terms
from citations.edits import find_repairable_sentences, split_editable_sentences
from citations.evidence_span import SourcePassages
from citations.failure_reasons import explain_failure
from citations.gap_phrases import speaks_of_absence
from citations.grounds import read_grounds
from citations.open_points import is_asked_for, is_later, merge_open_points
from citations.repairs import tell_repeated, undo_failed
from library.library import Library
from models.calls import Role
from nodes.common.citation_steps import judge_in_steps
from nodes.common.citations import apply_judgements, load_support_by_section, name_subject
from nodes.common.run import get_context, get_library, is_extractive, make_role
from schema.context import Context
from schema.editing import (
    FailingSentence,
    Lookup,
    RepairBatch,
    RepairedSection,
    RepairInput,
)
from schema.report import Section
from schema.state import ReportState, ReportUpdate

ANSWERED_REASON = "the sources do answer this"
FOUND_REASON = "passages speak of this that its writer did not see: look whether they answer it"
"""Why a sentence is sent back that says that the sources lack something."""

MIN_COMMON_TERMS = 2
"""Words of content that a sentence of absence shares with a point that it is about."""

MENDED_AT_ONCE = 16
"""Sentences and points of several sections that one call mends, so that it takes no longer than the
writing of a section does; a section with more has a call of its own."""

ABSENT_REASON = "it says what sources lack: if that is so, say it without a number"
"""Why one is sent back that cites a source for what it does not say."""


async def check_citations(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Judge the drafts, repaired sentences among them; name what has to go back to its writer.

    Sentences go back once, and not to the extractive model, which has only quotes to give. A
    repair whose new citation does not hold is undone: the old sentence stands, and is flagged.
    """
    context, language = get_context(runtime), state["question"]["language"]
    repairs = {one["draft"]["index"]: one for one in state["repairs"]}
    drafts = [
        repairs[draft["index"]]["draft"] if draft["index"] in repairs else draft
        for draft in state["drafts"]
    ]
    read = await load_support_by_section(await get_library(runtime), drafts, language)
    found = await asyncio.to_thread(_check_drafts, drafts, read, state)
    roles = [
        make_role(state, runtime, name, model)
        for name, model in (("checker", context.checker_model), ("judge", context.judge_model))
        if model
    ]
    judgements, calls, failures = await judge_in_steps(found, state["judgements"], roles)
    found = [apply_judgements(one, judgements) for one in found]
    drafts, added = await asyncio.to_thread(_undo_failed, drafts, found, repairs, state)
    last = state["citation_checks"] > 0 or is_extractive(
        Role.from_choice("writer", context.writer_model).model
    )
    failing = [] if last else _collect_failing(drafts, found, state)
    if not failing:
        drafts = await _select_open_points(drafts, state, await get_library(runtime))
    counts = state["counts"]
    return {
        "drafts": drafts,
        "citation_checks": state["citation_checks"] + 1,
        "judgements": judgements,
        "repair_inputs": _make_batches(failing, language, state["run"]),
        "counts": {
            **counts,
            "sentences_repaired": _count_repaired(state["drafts"], drafts, language),
            "points_covered": counts["points_covered"] + len(added),
        },
        "calls": calls,
        "degraded": failures,
    }


async def _select_open_points(
    drafts: Sequence[Section], state: ReportState, library: Library
) -> list[Section]:
    """Drafts that leave open what was asked for alone: it was looked for by now.

    What is open because it comes after all sources is kept as well.
    """
    question, outline = state["question"], state.get("outline")  # a revision has none
    language = question["language"]
    read = {one["document"] for draft in drafts for one in draft["sources"] if draft.get("open")}
    described = await library.load_documents(sorted(read))
    selected = []
    for draft in drafts:
        planned = outline["sections"][draft["index"]]["questions"] if outline else [draft["title"]]
        asked = [question["text"], *question.get("points", []), *planned]
        dates = [
            described[one["document"]].published
            for one in draft["sources"]
            if one["document"] in described
        ]
        left = [
            one
            for one in draft.get("open", [])
            if is_asked_for(one["sentence"], asked, language)
            or is_later(one["sentence"], dates, language)
        ]
        selected.append(Section(**{**draft, "open": left}))
    return selected


def _check_drafts(
    drafts: Sequence[Section], read: Sequence[dict[int, SourcePassages]], state: ReportState
) -> list[list[CheckedSentence]]:
    language = state["question"]["language"]
    return [
        check_sentences(
            draft["text"], sources, language, name_subject(state, draft), read_grounds(draft)
        )
        for draft, sources in zip(drafts, read, strict=True)
    ]


def _undo_failed(
    drafts: Sequence[Section],
    found: Sequence[Sequence[CheckedSentence]],
    repairs: dict[int, RepairedSection],
    state: ReportState,
) -> tuple[list[Section], set[int]]:
    """The drafts without repairs that do not hold or repeat, and the points that were added.

    What was left open stays so where nothing that was added on it holds.
    """
    before = {one["index"]: one.get("open", []) for one in state["drafts"]}
    replaced = [
        repairs[draft["index"]]["replacements"] if draft["index"] in repairs else []
        for draft in drafts
    ]
    language = state["question"]["language"]
    repeated = tell_repeated(replaced, found, language)
    left: list[Section] = []
    added: set[int] = set()
    for draft, sentences, own, again in zip(drafts, found, replaced, repeated, strict=True):
        text, kept = undo_failed(draft["text"], own, sentences, again)
        added |= {one["point"] for one in kept if one["point"]}
        gaps = {one["gap"] for one in own} - {one["gap"] for one in kept}
        stands = [one for one in before[draft["index"]] if one["sentence"] in gaps]
        left_open = [*stands, *draft.get("open", [])]
        if stands:
            left_open = merge_open_points(left_open, [], language)
        left.append(Section(**{**draft, "text": text, "open": left_open}))
    return left, added


def _collect_failing(
    drafts: Sequence[Section], found: Sequence[Sequence[CheckedSentence]], state: ReportState
) -> list[RepairInput]:
    """The sections that hold something to be mended, or lack something that was found."""
    language, inputs = state["question"]["language"], []
    for draft, sentences in zip(drafts, found, strict=True):
        lookups = [one for one in state.get("lookups", []) if one["section"] == draft["index"]]
        failing = _collect_unsupported(draft, sentences, lookups, language)
        left_open = {one["sentence"] for one in draft.get("open", [])}
        points = [one for one in lookups if one["point"] or one["sentence"] in left_open]
        if failing or points:
            inputs.append(
                RepairInput(
                    draft=draft,
                    subject=name_subject(state, draft),
                    sentences=failing,
                    points=points,
                    language=language,
                )
            )
    return inputs


def _make_batches(inputs: Sequence[RepairInput], language: str, run: str) -> list[RepairBatch]:
    """The sections by the call that mends them: neighbours that are small share one."""
    batches: list[list[RepairInput]] = []
    room = 0
    for one in inputs:
        count = len(one["sentences"]) + len(one["points"])
        if count > room:
            batches.append([])
            room = MENDED_AT_ONCE
        batches[-1].append(one)
        room -= count
    return [RepairBatch(mended=own, language=language, run=run) for own in batches]


def _collect_unsupported(
    draft: Section,
    found: Sequence[CheckedSentence],
    lookups: Sequence[Lookup],
    language: str,
) -> list[FailingSentence]:
    """The sentences of a section to be mended, by their place among those that may be.

    Of the rows of a table only those that say what sources lack.
    """
    places = {
        one.start: n
        for n, one in enumerate(find_repairable_sentences(draft["text"], language), start=1)
    }
    told = {one["sentence"]: one for one in lookups if one["sentence"]}
    points = [one for one in lookups if one["point"]]
    failing = []
    for one in found:
        place = places.get(one.sentence.start)
        lookup = told.get(one.text) or _find_point(one.text, points, language)
        if lookup and _is_told_absence(one, language):  # its writer may keep it
            lookup = Lookup(**{**lookup, "answered": False, "spoken_of": False})
        fails = one.fails and one.sentence.kind != "table"
        if place is None or not (fails or lookup):
            continue
        if lookup:
            reason = _explain_gap(lookup)
        elif one.verdicts and speaks_of_absence(one.text, language):
            reason = ABSENT_REASON
        else:
            reason = explain_failure(one, language)
        failing.append(
            FailingSentence(
                sentence=place,
                reason=reason,
                chunks=lookup["chunks"] if lookup else [],
                answered=bool(lookup and lookup["answered"]),
                spoken_of=bool(lookup and lookup["spoken_of"]),
            )
        )
    return failing


def _is_told_absence(one: CheckedSentence, language: str) -> bool:
    """Whether a source says itself, by a negation, what a sentence says is unknown or not there."""
    told = [v.span.quote for v in one.verdicts.values() if v.kind == "supported" and v.span]
    denied = (SentenceFacts(quote, language).polarity.negation_positions for quote in told)
    return not one.lacking_numbers and any(denied)


def _explain_gap(lookup: Lookup) -> str:
    """Why a sentence is sent back that says that the sources lack what was found."""
    reason = ANSWERED_REASON if lookup["answered"] else FOUND_REASON
    return f"{reason}; another section says: {lookup['told']}" if lookup["told"] else reason


def _find_point(said: str, points: Sequence[Lookup], language: str) -> Lookup | None:
    """The expected point that a sentence says the sources lack: what is added would deny it."""
    if not points or not speaks_of_absence(said, language):
        return None
    common = [count_common_terms(one["subject"], said, language) for one in points]
    return points[common.index(max(common))] if max(common) >= MIN_COMMON_TERMS else None


def _count_repaired(before: list[Section], after: list[Section], language: str) -> int:
    """How many sentences are no longer what they were."""
    return sum(
        len(
            {*split_editable_sentences(one["text"], language)}
            - {*split_editable_sentences(other["text"], language)}
        )
        for one, other in zip(before, after, strict=True)
    )
