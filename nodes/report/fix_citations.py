"""Send the sentences of sections that no source supports back to their writer, once."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import count

from langgraph.runtime import Runtime

from citations.edits import find_repairable_sentences, replace_sentences
from citations.evidence_span import SourcePassages
from citations.grounds import shows_quote
from citations.markers import find_markers, normalise_markers, strip_markers
from citations.repair_view import choose_shown_paragraphs
from citations.repairs import denies_answer, is_acceptable, list_grounded, may_replace
from models.structured import ask_structured
from nodes.common.citations import load_support_by_section
from nodes.common.cited_sources import add_cited_sources, share_passages
from nodes.common.new_gaps import drop_told_gaps
from nodes.common.repair_additions import collect_additions, list_additions, place_additions
from nodes.common.repair_sources import load_repair_sources
from nodes.common.run import get_context, get_library, make_degradation, make_role
from nodes.common.search_events import make_request
from prompts.repair_sentences import (
    MarkedSentence,
    MarkedText,
    MissingPoint,
    RepairSentencesPrompt,
)
from prompts.template import SourceText
from schema.context import Context
from schema.editing import (
    RepairBatch,
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


async def fix_citations(state: RepairBatch, runtime: Runtime[Context]) -> ReportUpdate:
    """Have each of them rewritten as the sources have it, weakened, removed, or kept for a reason.

    A sentence that says that the sources lack what they clearly tell is not kept, nor one of which
    passages speak and its writer says nothing.
    """
    language, library = state["language"], await get_library(runtime)
    sections = [
        (given, find_repairable_sentences(given["draft"]["text"], language))
        for given in state["mended"]
    ]
    prompt = await asyncio.to_thread(
        _build_prompt, sections, language, await load_repair_sources(sections, library)
    )
    role = make_role(state, runtime, "writer", get_context(runtime).writer_model)
    try:
        wanted = RepairsAndAdditions if prompt.points else Repairs
        made, calls = await ask_structured(role, prompt, wanted)
    except (ModelOutputError, ModelUnavailableError) as error:
        titles = ", ".join(f"“{given['draft']['title']}”" for given, _ in sections)
        failure = make_degradation(
            "not_repaired", f"Sentences of {titles} were not mended: {error}"
        )
        return {
            "repairs": [_repair(given, held, Repairs(), {}, set()) for given, held in sections],
            "calls": get_error_calls(error),
            "degraded": [failure],
        }
    drafts = [given["draft"] for given, _ in sections]
    shared = await share_passages(drafts, library)
    support = await load_support_by_section(library, shared, language)
    answers = _split_answer(made, state["mended"])
    numbers = {one["number"] for draft in drafts for one in draft["sources"]}
    repaired = [
        await asyncio.to_thread(_repair, given, held, own, known, numbers)
        for (given, held), own, known in zip(sections, answers, support, strict=True)
    ]
    mended = await add_cited_sources([one["draft"] for one in repaired], drafts, library)
    repaired = [
        RepairedSection(**{**one, "draft": draft})
        for one, draft in zip(repaired, mended, strict=True)
    ]
    request = make_request(state, runtime, library)
    kept = await drop_told_gaps(state, repaired, request, get_context(runtime))
    return {"repairs": kept, "calls": calls}


def _build_prompt(
    sections: Sequence[tuple[RepairInput, Sequence[Sentence]]],
    language: str,
    sources: list[SourceText],
) -> RepairSentencesPrompt:
    """The prompt for sections; their sentences and points are numbered through, from 1."""
    drafts: list[MarkedText] = []
    points: list[MissingPoint] = []
    number = count(1)
    for place, (given, held) in enumerate(sections, start=1):
        text = given["draft"]["text"]
        marked = [
            MarkedSentence(next(number), at.start, at.end, one["reason"])
            for one in given["sentences"]
            for at in [held[one["sentence"] - 1]]
        ]
        marked.sort(key=lambda one: one.start)
        subjects = [one["subject"] for one in given["points"]]
        spans = [(one.start, one.end) for one in marked]
        shown = choose_shown_paragraphs(text, spans, subjects, language)
        drafts.append(MarkedText(given["draft"]["title"], text, marked, shown))
        points += [MissingPoint(one["subject"], place, one["told"]) for one in given["points"]]
    return RepairSentencesPrompt(language=language, drafts=drafts, points=points, sources=sources)


def _split_answer(made: Repairs, sections: Sequence[RepairInput]) -> list[Repairs]:
    """An answer by section, with the numbers that sentences and points have in each."""
    answers: list[Repairs] = []
    sentences = points = 0
    for given in sections:
        places = {n: one["sentence"] for n, one in enumerate(given["sentences"], sentences + 1)}
        own = [
            one.model_copy(update={"sentence": places[one.sentence]})
            for one in made.sentences
            if one.sentence in places
        ]
        added = [
            one.model_copy(update={"point": one.point - points})
            for one in (made.added if isinstance(made, RepairsAndAdditions) else ())
            if 0 < one.point - points <= len(given["points"])
        ]
        answers.append(RepairsAndAdditions(sentences=own, added=added))
        sentences += len(given["sentences"])
        points += len(given["points"])
    return answers


@dataclass
class _Taken:
    """What is taken of an answer for the sentences of a section, and the grounds given for them."""

    changes: list[tuple[Sentence, str]] = field(default_factory=list)
    replaced: list[Replacement] = field(default_factory=list)
    grounded: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)


def _repair(
    state: RepairInput,
    held: Sequence[Sentence],
    made: Repairs,
    support: Mapping[int, SourcePassages],
    others: Set[int],
) -> RepairedSection:
    """The section with what is taken of an answer; it may cite its own sources and the `others`."""
    draft, language, text = state["draft"], state["language"], state["draft"]["text"]
    known = {source["number"] for source in draft["sources"]} | others
    added = list_additions(made)
    sums = [one for given in made.sentences for one in given.sums]
    sums += [one for given in added.values() for one in given.sums]
    taken = _take_answers(state, held, made, support, known, sums)
    repaired, _ = normalise_markers(replace_sentences(text, taken.changes), known)
    if not find_markers(repaired):
        repaired, taken.replaced = text, []
    additions = collect_additions(state, added, known, support)
    for number, sentences in additions.items():
        for one in sentences if added[number].sums else ():
            taken.grounded += list_grounded(one["after"], added[number].sums, language)
    said = [(text[at.start : at.end], wording) for at, wording in taken.changes]
    repaired, left_open = place_additions(state, added, additions, repaired, said)
    return RepairedSection(
        draft=Section(
            **{
                **draft,
                "text": repaired,
                "open": left_open,
                "grounded": [*draft.get("grounded", []), *taken.grounded],
                "quoted": [*draft.get("quoted", []), *taken.quoted],
                "sums": [*draft.get("sums", []), *sums],
            }
        ),
        replacements=[*taken.replaced, *(one for found in additions.values() for one in found)],
    )


def _take_answers(
    state: RepairInput,
    held: Sequence[Sentence],
    made: Repairs,
    support: Mapping[int, SourcePassages],
    known: Set[int],
    sums: Sequence[str],
) -> _Taken:
    """What becomes of each sentence that was sent back."""
    language, text, taken = state["language"], state["draft"]["text"], _Taken()
    answers = {one.sentence: one for one in reversed(made.sentences)}
    for failing in state["sentences"]:
        at, answer = held[failing["sentence"] - 1], answers.get(failing["sentence"])
        before = wording = text[at.start : at.end]
        if answer and not (answer.keep.strip() and not answer.text.strip()):
            wording, _ = normalise_markers(" ".join(answer.text.split()), known)
        unread = answer is None and failing["spoken_of"]
        if (failing["answered"] or unread) and denies_answer(wording, language):
            wording = ""
        if answer and answer.keep.strip():
            taken.quoted += _list_quoted(wording, answer.keep, support, language)
            taken.grounded += [before] if wording == before else []
        if wording == before or not may_replace(before, wording, at):
            continue
        if wording and not is_acceptable(
            text, at, wording, support, language, state["subject"], sums
        ):
            continue
        taken.grounded += list_grounded(wording, answer.sums if answer else [], language)
        taken.changes.append((at, wording))
        if wording:
            stands = "" if failing["answered"] else before
            taken.replaced.append(Replacement(before=stands, after=wording, point=0, gap=""))
    return taken


def _list_quoted(
    wording: str, keep: str, support: Mapping[int, SourcePassages], language: str
) -> list[str]:
    """The sentences of a wording of which its writer shows the words in a source that they cite."""
    quoted: list[str] = []
    for at in split_sentences(wording, language):
        said = wording[at.start : at.end]
        cited = [support[n] for n in find_markers(said) if n in support]
        if shows_quote(keep, strip_markers(said), cited, language):
            quoted.append(said)
    return quoted
