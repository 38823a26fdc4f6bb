"""Send the sentences of a section that no source supports back to its writer, once."""

import asyncio
from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime

from citations.additions import find_block, follow_repair, insert_addition, is_copied
from citations.content_terms import count_common_terms, find_content_terms
from citations.edits import find_repairable_sentences, replace_sentences
from citations.evidence_span import SourcePassages
from citations.foreign_marks import drop_foreign_marks
from citations.markers import find_markers, normalise_markers, strip_markers
from citations.repairs import denies_answer, is_acceptable, may_replace
from models.structured import ask_structured
from nodes.common.citations import load_support_by_section
from nodes.common.part_texts import load_part_texts
from nodes.common.run import get_context, get_library, make_degradation, make_role, make_source_text
from prompts.repair_sentences import (
    MarkedSentence,
    MarkedText,
    MissingPoint,
    RepairSentencesPrompt,
)
from prompts.template import SourceText
from retrieval.passages.context_window import group_by_document, pack_passages
from retrieval.passages.page_parts import join_parts
from retrieval.search.word_ranker import WordRanker
from schema.context import Context
from schema.documents import Passage
from schema.editing import (
    AddedText,
    FailingSentence,
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

CITED_EACH, OTHERS_EACH = 2, 1
"""Passages that a repair sees for a sentence: of the sources that it cites, and of the others."""

MIN_COMMON_SHARE = 0.5
"""Share of a sentence's words of content that a passage of another source has that is shown."""

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
        points=[MissingPoint(one["subject"], one["told"]) for one in state["points"]],
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
    layouts = await library.load_layouts(list(grouped))
    sources = []
    for document, found in grouped.items():
        info, places = described[document], layouts[document]
        parts = join_parts([one.chunk for one in found], places)
        parts, texts = await load_part_texts(info, parts, places, library)
        headings = [one.heading for one in parts]
        texts = drop_foreign_marks(texts)
        sources.append(make_source_text(numbers[document], info, texts, headings))
    return sources


def _choose_passages(
    state: RepairInput,
    held: Sequence[Sentence],
    passages: Sequence[Passage],
    numbers: Mapping[int, int],
) -> list[Passage]:
    """The best passage that each sentence cites, what was looked up, then more, one each in turn.

    For a sentence that was looked up there is nothing but what was found.
    """
    text, by_chunk = state["draft"]["text"], {one.chunk: one for one in passages}
    ranker = WordRanker([f"{one.heading}\n{one.text}" for one in passages])
    looked_up = [
        [by_chunk[chunk] for chunk in one["chunks"] if chunk in by_chunk]
        for one in (*state["points"], *state["sentences"])
    ]
    cited: list[list[Passage]] = []
    others: list[list[Passage]] = []
    for one in state["sentences"]:
        at = held[one["sentence"] - 1]
        said = text[at.start : at.end]
        if one["chunks"]:
            continue
        scores = ranker.scores(strip_markers(said))
        order = sorted(range(len(passages)), key=lambda place: (-scores[place], place))
        ranked = [passages[place] for place in order if scores[place] > 0]
        called = find_markers(said)
        own = [one for one in ranked if numbers[one.document] in called]
        cited.append(own[:CITED_EACH])
        near = [one for one in ranked if one not in own][:OTHERS_EACH]
        others.append([one for one in near if _speaks_of(one, said, state["language"])])
    best = [own[:1] for own in cited]
    chosen = [one for kind in (best, looked_up, cited, others) for one in _take_in_turn(kind)]
    return list({one.chunk: one for one in chosen}.values())


def _speaks_of(passage: Passage, said: str, language: str) -> bool:
    common = count_common_terms(said, f"{passage.heading}\n{passage.text}", language)
    return common >= MIN_COMMON_SHARE * len(find_content_terms(said, language))


def _take_in_turn(found: Sequence[Sequence[Passage]]) -> list[Passage]:
    longest = max(map(len, found), default=0)
    return [each[n] for n in range(longest) for each in found if n < len(each)]


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
        if wording and not is_acceptable(text, at, wording, support, language, state["subject"]):
            continue
        changes.append((at, wording))
        if wording:
            stands = "" if failing["answered"] else before
            replaced.append(Replacement(before=stands, after=wording, point=0, gap=""))
    repaired, _ = normalise_markers(replace_sentences(text, changes), known)
    if not find_markers(repaired):
        repaired, replaced = text, []
    additions = _collect_additions(state, made, known, support)
    said = [(text[at.start : at.end], wording) for at, wording in changes]
    repaired, left_open = _add_points(state, made, additions, repaired, said)
    return RepairedSection(
        draft=Section(**{**draft, "text": repaired, "open": left_open}),
        replacements=[*replaced, *(one for found in additions.values() for one in found)],
    )


def _add_points(
    state: RepairInput,
    made: Repairs,
    additions: Mapping[int, Sequence[Replacement]],
    text: str,
    repaired: Sequence[tuple[str, str]],
) -> tuple[str, list[OpenPoint]]:
    """The section with what was added on its points, each in its place, and what it leaves open.

    What words are sure that the sources tell does not stay open.
    """
    language = state["language"]
    known: dict[int, AddedText] = {}
    for one in made.added if isinstance(made, RepairsAndAdditions) else ():
        known.setdefault(one.point, one)
    rests: dict[str, str] = {}
    for number, found in additions.items():
        said = " ".join(one["after"] for one in found)
        after = follow_repair(known[number].after, repaired, language)
        text = insert_addition(text, said, after, language)
        rest = " ".join(strip_markers(known[number].rest).split())
        is_open = denies_answer(rest, language)
        rests[state["points"][number - 1]["sentence"]] = rest if is_open else ""
    answered = {one["sentence"] for one in state["points"] if one["answered"]}
    left_open = []
    for point in state["draft"].get("open", []):
        said = rests.get(
            point["sentence"], "" if point["sentence"] in answered else point["sentence"]
        )
        if said:
            left_open.append(OpenPoint(**{**point, "sentence": said}))
    return text, left_open


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
