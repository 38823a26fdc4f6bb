"""Send the sentences of a section that no source supports back to its writer, once."""

import asyncio
from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime

from citations.edits import find_repairable_sentences, replace_sentences
from citations.evidence_span import SourcePassages
from citations.markers import find_markers, normalise_markers, strip_markers
from citations.repairs import denies_answer, is_acceptable, may_replace
from models.structured import ask_structured
from nodes.common.citations import load_support_by_section
from nodes.common.run import get_context, get_library, make_degradation, make_role, make_source_text
from prompts.repair_sentences import (
    MarkedSentence,
    MarkedText,
    MissingPoint,
    RepairSentencesPrompt,
)
from prompts.template import SourceText
from retrieval.passages.context_window import group_by_document, pack_passages
from retrieval.search.word_ranker import WordRanker
from schema.context import Context
from schema.documents import Passage
from schema.editing import (
    FailingSentence,
    RepairedSection,
    RepairInput,
    Repairs,
    RepairsAndAdditions,
    Replacement,
)
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.report import Section
from schema.state import ReportUpdate
from text.sentences import Sentence, split_sentences

PASSAGES_EACH = 2
"""Passages of the sources that a sentence cites, and as many of the others, that a repair sees."""

MAX_TOKENS = 6_000
"""Of passages in one repair, estimated."""


async def fix_citations(state: RepairInput, runtime: Runtime[Context]) -> ReportUpdate:
    """Have each of them rewritten as the sources have it, weakened, removed, or kept for a reason.

    A sentence that says that the sources lack what they clearly tell is not kept.
    """
    draft, language = state["draft"], state["language"]
    held = find_repairable_sentences(draft["text"], language)
    prompt = RepairSentencesPrompt(
        language=language,
        title=draft["title"],
        draft=[_mark_failing(draft["text"], held, state["sentences"])],
        points=[MissingPoint(one["subject"]) for one in state["points"]],
        sources=await _load_sources(state, held, runtime),
    )
    role = make_role(state, runtime, "writer", get_context(runtime).writer_model)
    try:
        wanted = RepairsAndAdditions if state["points"] else Repairs
        made, calls = await ask_structured(role, prompt, wanted)
    except (ModelOutputError, ModelUnavailableError) as error:
        detail = f"Sentences of “{draft['title']}” were not mended: {error}"
        failure = make_degradation("not_repaired", detail)
        repaired = _repair(state, held, Repairs(), {})
        return {
            "repairs": [repaired],
            "calls": get_error_calls(error),
            "degraded": [failure],
        }
    library = await get_library(runtime)
    [support] = await load_support_by_section(library, [draft], language)
    repaired = await asyncio.to_thread(_repair, state, held, made, support)
    return {"repairs": [repaired], "calls": calls}


def _mark_failing(
    text: str, held: Sequence[Sentence], failing: Sequence[FailingSentence]
) -> MarkedText:
    places = [(one["sentence"], held[one["sentence"] - 1], one["reason"]) for one in failing]
    marked = [MarkedSentence(n, at.start, at.end, reason) for n, at, reason in places]
    return MarkedText(text, sorted(marked, key=lambda one: one.start))


async def _load_sources(
    state: RepairInput, held: Sequence[Sentence], runtime: Runtime[Context]
) -> list[SourceText]:
    """The passages that the failing sentences are to be mended from."""
    draft, library = state["draft"], await get_library(runtime)
    loaded = await library.load_passages(draft["passages"])
    passages = [loaded[chunk] for chunk in draft["passages"] if chunk in loaded]
    numbers = {source["document"]: source["number"] for source in draft["sources"]}
    chosen = await asyncio.to_thread(_choose_passages, state, held, passages, numbers)
    grouped = group_by_document(pack_passages(chosen, MAX_TOKENS))
    described = await library.load_documents(list(grouped))
    return [
        make_source_text(
            numbers[document],
            described[document],
            [one.text for one in found],
            [one.heading for one in found],
        )
        for document, found in grouped.items()
    ]


def _choose_passages(
    state: RepairInput,
    held: Sequence[Sentence],
    passages: Sequence[Passage],
    numbers: Mapping[int, int],
) -> list[Passage]:
    """For each sentence the best passages that it cites and the best others, one each at a time."""
    text, by_chunk = state["draft"]["text"], {one.chunk: one for one in passages}
    ranker = WordRanker([f"{one.heading}\n{one.text}" for one in passages])
    wanted = [
        [by_chunk[chunk] for chunk in one["chunks"] if chunk in by_chunk] for one in state["points"]
    ]
    for one in state["sentences"]:
        at = held[one["sentence"] - 1]
        said = text[at.start : at.end]
        scores = ranker.scores(strip_markers(said))
        order = sorted(range(len(passages)), key=lambda place: (-scores[place], place))
        ranked = [passages[place] for place in order if scores[place] > 0]
        cited = [one for one in ranked if numbers[one.document] in find_markers(said)]
        others = [one for one in ranked if one not in cited]
        wanted.append(
            [
                *(by_chunk[chunk] for chunk in one["chunks"] if chunk in by_chunk),
                *cited[:PASSAGES_EACH],
                *others[:PASSAGES_EACH],
            ]
        )
    longest = max(map(len, wanted), default=0)
    in_turn = [found[n] for n in range(longest) for found in wanted if n < len(found)]
    return list({one.chunk: one for one in in_turn}.values())


def _repair(
    state: RepairInput,
    held: Sequence[Sentence],
    made: Repairs,
    support: Mapping[int, SourcePassages],
) -> RepairedSection:
    """The section with what is taken of an answer."""
    draft, language = state["draft"], state["language"]
    text, known = draft["text"], {source["number"] for source in draft["sources"]}
    answers = {one.sentence: one for one in reversed(made.sentences)}
    changes: list[tuple[Sentence, str]] = []
    replaced: list[Replacement] = []
    for failing in state["sentences"]:
        at, answer = held[failing["sentence"] - 1], answers.get(failing["sentence"])
        before = text[at.start : at.end]
        wording = before
        if answer and not (answer.keep.strip() and not answer.text.strip()):
            wording, _ = normalise_markers(" ".join(answer.text.split()), known)
        if failing["answered"] and denies_answer(wording, language):
            wording = ""
        if wording == before or not may_replace(before, wording, at):
            continue
        if wording and not is_acceptable(text, at, wording, support, language, draft["title"]):
            continue
        changes.append((at, wording))
        if wording:
            stands = "" if failing["answered"] else before
            replaced.append(Replacement(before=stands, after=wording, point=0))
    repaired, _ = normalise_markers(replace_sentences(text, changes), known)
    if not find_markers(repaired):
        repaired, replaced = text, []
    additions = _collect_additions(state, made, known)
    repaired = "\n\n".join(
        [repaired, *(" ".join(one["after"] for one in found) for found in additions.values())]
    )
    told = {state["points"][number - 1]["sentence"] for number in additions}
    left_open = [one for one in draft.get("open", []) if one["sentence"] not in told]
    return RepairedSection(
        draft=Section(**{**draft, "text": repaired, "open": left_open}),
        replacements=[*replaced, *(one for found in additions.values() for one in found)],
    )


def _collect_additions(
    state: RepairInput, made: Repairs, known: set[int]
) -> dict[int, list[Replacement]]:
    """What was written on points that the section lacked: sentences that cite, by the point."""
    added: dict[int, list[Replacement]] = {}
    for one in made.added if isinstance(made, RepairsAndAdditions) else ():
        if not 0 < one.point <= len(state["points"]) or one.point in added:
            continue
        wording, _ = normalise_markers(" ".join(one.text.split()), known)
        said = [wording[at.start : at.end] for at in split_sentences(wording, state["language"])]
        point = state["points"][one.point - 1]["point"]
        added[one.point] = [
            Replacement(before="", after=sentence, point=point)
            for sentence in said
            if find_markers(sentence)
        ]
    return {number: found for number, found in added.items() if found}
