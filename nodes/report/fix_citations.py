"""Send the sentences of sections that no source supports back to their writer, once."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from itertools import count

from langgraph.runtime import Runtime

from citations.additions import find_block, follow_repair, insert_addition, is_copied, put_in_place
from citations.edits import find_repairable_sentences, replace_sentences
from citations.evidence_span import SourcePassages
from citations.grounds import shows_quote
from citations.markers import find_markers, normalise_markers, strip_markers
from citations.repair_view import choose_shown_paragraphs
from citations.repairs import denies_answer, is_acceptable, list_grounded, may_replace
from models.structured import ask_structured
from nodes.common.citations import load_support_by_section
from nodes.common.cited_sources import add_cited_sources
from nodes.common.new_gaps import drop_told_gaps
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
    AddedText,
    RepairBatch,
    RepairedSection,
    RepairInput,
    Repairs,
    RepairsAndAdditions,
    Replacement,
)
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.report import OpenPoint, Section
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
    support = await load_support_by_section(library, drafts, language)
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


def _repair(
    state: RepairInput,
    held: Sequence[Sentence],
    made: Repairs,
    support: Mapping[int, SourcePassages],
    others: Set[int],
) -> RepairedSection:
    """The section with what is taken of an answer; it may cite its own sources and the `others`."""
    draft, language = state["draft"], state["language"]
    text, known = draft["text"], {source["number"] for source in draft["sources"]} | others
    answers = {one.sentence: one for one in reversed(made.sentences)}
    changes: list[tuple[Sentence, str]] = []
    replaced: list[Replacement] = []
    grounded, quoted = list(draft.get("grounded", [])), list(draft.get("quoted", []))
    added = made.added if isinstance(made, RepairsAndAdditions) else []
    sums = list(draft.get("sums", []))
    for given in (*(one.sums for one in made.sentences), *(one.sums for one in added)):
        sums += given
    for failing in state["sentences"]:
        at, answer = held[failing["sentence"] - 1], answers.get(failing["sentence"])
        before = text[at.start : at.end]
        wording = before
        if answer and not (answer.keep.strip() and not answer.text.strip()):
            wording, _ = normalise_markers(" ".join(answer.text.split()), known)
        unread = answer is None and failing["spoken_of"]
        if (failing["answered"] or unread) and denies_answer(wording, language):
            wording = ""
        if answer and answer.keep.strip():
            quoted += _list_quoted(wording, answer.keep, support, language)
        if wording == before and answer and answer.keep.strip():
            grounded.append(before)
        if wording == before or not may_replace(before, wording, at):
            continue
        if wording and not is_acceptable(
            text, at, wording, support, language, state["subject"], sums
        ):
            continue
        grounded += list_grounded(wording, answer.sums if answer else [], language)
        changes.append((at, wording))
        if wording:
            stands = "" if failing["answered"] else before
            replaced.append(Replacement(before=stands, after=wording, point=0, gap=""))
    repaired, _ = normalise_markers(replace_sentences(text, changes), known)
    if not find_markers(repaired):
        repaired, replaced = text, []
    additions = _collect_additions(state, made, known, support)
    grounded += [
        sentence
        for one in added
        if one.sums
        for replacement in additions.get(one.point, [])
        for sentence in list_grounded(replacement["after"], one.sums, language)
    ]
    said = [(text[at.start : at.end], wording) for at, wording in changes]
    repaired, left_open = _add_points(state, made, additions, repaired, said)
    return RepairedSection(
        draft=Section(
            **{
                **draft,
                "text": repaired,
                "open": left_open,
                "grounded": grounded,
                "quoted": quoted,
                "sums": sums,
            }
        ),
        replacements=[*replaced, *(one for found in additions.values() for one in found)],
    )


def _list_quoted(
    wording: str, keep: str, support: Mapping[int, SourcePassages], language: str
) -> list[str]:
    """The sentences of a wording of which its writer shows the words in a source that they cite."""
    return [
        said
        for said in list_grounded(wording, [keep], language)
        if shows_quote(
            keep,
            strip_markers(said),
            [support[n] for n in find_markers(said) if n in support],
            language,
        )
    ]


def _add_points(
    state: RepairInput,
    made: Repairs,
    additions: Mapping[int, list[Replacement]],
    text: str,
    repaired: Sequence[tuple[str, str]],
) -> tuple[str, list[OpenPoint]]:
    """The section with what was added on its points, each in its place, and what it leaves open.

    An addition that takes the place of a sentence has that in its first replacement.

    What words are sure that the sources tell does not stay open, nor what they speak of where the
    answer passes over it: it was cut short, or the point did not fit into the prompt.
    """
    language = state["language"]
    known: dict[int, AddedText] = {}
    for one in made.added if isinstance(made, RepairsAndAdditions) else ():
        known.setdefault(one.point, one)
    rests: dict[str, str] = {}
    for number, found in additions.items():
        said = " ".join(one["after"] for one in found)
        after = follow_repair(known[number].after, repaired, language)
        placed = put_in_place(text, said, after, language) if known[number].instead else None
        if placed:
            text, found[0]["before"] = placed
        else:
            text = insert_addition(text, said, after, language)
        rest = " ".join(strip_markers(known[number].rest).split())
        is_open = denies_answer(rest, language)
        rests[state["points"][number - 1]["sentence"]] = rest if is_open else ""
    told = {
        one["sentence"]
        for number, one in enumerate(state["points"], start=1)
        if one["answered"] or (one["spoken_of"] and not _leaves_open(known.get(number), language))
    }
    left_open = []
    for point in state["draft"].get("open", []):
        said = rests.get(point["sentence"], "" if point["sentence"] in told else point["sentence"])
        if said:
            left_open.append(OpenPoint(**{**point, "sentence": said}))
    return text, left_open


def _leaves_open(one: AddedText | None, language: str) -> bool:
    """Whether an answer says of a point that it remains open."""
    said = [one.rest, one.text] if one else []
    return any(denies_answer(strip_markers(text), language) for text in said)


def _collect_additions(
    state: RepairInput,
    made: Repairs,
    known: set[int],
    support: Mapping[int, SourcePassages],
) -> dict[int, list[Replacement]]:
    """What was written on points that the section lacked: sentences that cite, by the point.

    Behind the last one stands the code that it leads to, where a source has it line by line.
    """
    texts = [" ".join(u.facts.text for u in one.sentences) for one in support.values()]
    added: dict[int, list[Replacement]] = {}
    for one in made.added if isinstance(made, RepairsAndAdditions) else ():
        if not 0 < one.point <= len(state["points"]) or one.point in added:
            continue
        blocks, prose = find_block(one.text), one.text
        for block in blocks:
            prose = prose.replace(block, "")
        wording, _ = normalise_markers(" ".join(prose.split()), known)
        said = [wording[at.start : at.end] for at in split_sentences(wording, state["language"])]
        cited = [sentence for sentence in said if find_markers(sentence)]
        if cited and blocks and is_copied(blocks[0], texts):
            cited[-1] = f"{cited[-1]}\n\n{blocks[0]}"
        lookup = state["points"][one.point - 1]
        gap = "" if lookup["answered"] else lookup["sentence"]
        added[one.point] = [
            Replacement(before="", after=sentence, point=lookup["point"], gap=gap)
            for sentence in cited
        ]
    return {number: found for number, found in added.items() if found}
