"""Revise the outline by what was found: its sections, their sources, the questions left open."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from models.embeddings import get_embedder
from models.structured import ask_structured
from nodes.common.brief_sources import load_brief_sources
from nodes.common.ceiling import fit_section_limits
from nodes.common.outlines import find_miscount, fit_outline
from nodes.common.query_novelty import find_new
from nodes.common.run import (
    emit,
    get_context,
    get_library,
    is_extractive,
    make_degradation,
    make_role,
)
from nodes.common.search_events import list_queries
from prompts.revise_outline import PlannedSection, ReviseOutlinePrompt
from prompts.template import SourceText
from retrieval.passages.pool import deduplicate_questions, normalise_question
from retrieval.search.query_dedup import find_new_by_words
from retrieval.search.word_ranker import score_by_words
from schema.context import Context
from schema.errors import ModelOutputError, ModelUnavailableError, get_error_calls
from schema.events import OutlineRevised
from schema.outline_revision import MissingAnswer, OutlineRevision
from schema.plan import MOST_QUESTIONS, Outline, SectionPlan
from schema.state import OpenQuestion, PoolEntry, ReportState, ReportUpdate

SHOWN_PASSAGES = 6
"""Of those found for a section; as many again of those that no section's searches found."""

SHOWN_CHARACTERS = 200
"""Of a passage."""

GROWTH = 1.7
"""Times that a report is as long as it was planned where more was found than its planner knew."""

KNOWN_SHARE = 0.5
"""Of the passages found, from which on a planner that was shown them has nothing new to plan by."""

FEW_SOURCES = 12
"""Of so many found, each is shown with one passage at least."""


async def revise_outline(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Have the sections split, merged, dropped, added and ordered, and bound to their sources.

    An outline that the reader approved stays, as do a brief one, one that no language model can
    revise, and one whose planner had seen before what was found; where a model fails to, a code
    says so.
    """
    context, question = get_context(runtime), state["question"]
    role = make_role(state, runtime, "planner", context.planner_model)
    if context.research_mode == "general" or context.approve_outline or is_extractive(role.model):
        return {}
    if any(one["code"] == "answered_briefly" for one in state["degraded"]) or not _has_news(state):
        return {}
    shown = _select_shown(state)
    fewest, most = fit_section_limits(context)
    prompt = ReviseOutlinePrompt(
        date=datetime.now(UTC).date().isoformat(),
        language=question["language"],
        question=question["text"],
        points=question.get("points", []),
        outline=_show_sections(state, shown),
        sources=await _load_sources(state, shown, runtime),
        fewest=fewest,
        most=most,
        words=context.words or round(GROWTH * context.words_in_all),
        shape=state["outline"]["shape"],
        style=context.style,
        audience=context.audience,
    )
    try:
        made, calls = await ask_structured(
            role, prompt, OutlineRevision, check=lambda one: find_miscount(one.sections, context)
        )
    except (ModelOutputError, ModelUnavailableError) as error:
        problem = make_degradation("outline_not_revised", error)
        return {"calls": get_error_calls(error), "degraded": [problem]}
    open_questions = await _choose_open_questions(made, state)
    outline = _build_outline(made, open_questions, state, context)
    emit(
        runtime,
        OutlineRevised(
            type="outline_revised",
            title=outline.title,
            sections=[section.title for section in outline.sections],
            open_questions=[one["question"] for one in open_questions],
        ),
    )
    return {
        "outline": outline.model_dump(),
        "pool": _bind_pool(state, made, {entry["number"] for entry in shown}),
        "open_questions": [one for one in open_questions if one["queries"]],
        "calls": calls,
    }


def _has_news(state: ReportState) -> bool:
    """Whether the searches found more than the planner was shown before."""
    seen = set(state["outlined"])
    known = sum(entry["chunk"] in seen for entry in state["pool"])
    return known < KNOWN_SHARE * len(state["pool"])


def _select_shown(state: ReportState) -> list[PoolEntry]:
    """The best passages of each section, and the best of what no section's searches found.

    Of few sources none is left out: the planner may know one by its title.
    """
    by_section: defaultdict[int, list[PoolEntry]] = defaultdict(list)
    for entry in state["pool"]:
        for index in entry.get("sections") or [-1]:
            by_section[index].append(entry)
    chosen = {
        entry["chunk"] for entries in by_section.values() for entry in entries[:SHOWN_PASSAGES]
    }
    best = {entry["number"]: entry["chunk"] for entry in reversed(state["pool"])}
    if len(best) <= FEW_SOURCES:
        chosen |= set(best.values())
    return [entry for entry in state["pool"] if entry["chunk"] in chosen]


def _show_sections(state: ReportState, shown: Sequence[PoolEntry]) -> list[PlannedSection]:
    return [
        PlannedSection(
            title=section["title"],
            questions=section["questions"],
            form=section["form"],
            words=section["words"],
            sources=list(
                dict.fromkeys(e["number"] for e in shown if index in e.get("sections", []))
            ),
        )
        for index, section in enumerate(state["outline"]["sections"])
    ]


async def _load_sources(
    state: ReportState, shown: Sequence[PoolEntry], runtime: Runtime[Context]
) -> list[SourceText]:
    """What a planner sees of the shown passages, by source."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for entry in shown:
        found[entry["number"]].append(entry["chunk"])
    library = await get_library(runtime)
    return await load_brief_sources(library, found, state["question"]["text"], SHOWN_CHARACTERS)


async def _choose_open_questions(made: OutlineRevision, state: ReportState) -> list[OpenQuestion]:
    """What is missing, each with the queries that were not asked before; some have none left."""
    sections = state["outline"]["sections"]
    tried = [*list_queries(state["question"])]
    tried += [query for one in sections for query in one["queries"] or one["questions"]]
    chosen = []
    for one in made.missing:
        queries = one.queries or [one.question[:300]]
        new = [queries[place] for place in await find_new(queries, tried, get_embedder())]
        tried += new
        place = _find_section(one, made)
        chosen.append(OpenQuestion(question=one.question, section=place, queries=new))
    return chosen


def _find_section(missing: MissingAnswer, made: OutlineRevision) -> int:
    """The section that a question belongs to: the named one, else the likest by words."""
    if 1 <= missing.section <= len(made.sections):
        return missing.section - 1
    texts = ["\n".join([one.title, *one.questions]) for one in made.sections]
    scores = score_by_words(missing.question, texts)
    return scores.index(max(scores))


def _build_outline(
    made: OutlineRevision,
    open_questions: Sequence[OpenQuestion],
    state: ReportState,
    context: Context,
) -> Outline:
    """The revised outline: its sections ask their open questions, too, where they have room.

    Not those that a section asks already in other words.
    """
    planned = state["outline"]
    searched = _list_searched(planned["sections"], made)
    texts = [one["question"] for one in open_questions]
    known = [question for one in made.sections for question in one.questions]
    new = {texts[place] for place in find_new_by_words(texts, known)}
    sections = []
    for index, one in enumerate(made.sections):
        missing = [question for question in open_questions if question["section"] == index]
        added = [each["question"] for each in missing if each["question"] in new]
        asked = deduplicate_questions([*one.questions, *added])
        section = SectionPlan(
            title=one.title,
            questions=(asked or one.questions)[:MOST_QUESTIONS],
            form=one.form,
            words=one.words,
        )
        new_queries = [query for each in missing for query in each["queries"]]
        queries = [*searched[index], *new_queries]  # more than a planner may ask for at once
        sections.append(section.model_copy(update={"queries": queries}))
    title = made.title.strip() or planned["title"]
    return fit_outline(Outline(title=title, shape=planned["shape"], sections=sections), context)


def _bind_pool(
    state: ReportState, made: OutlineRevision, shown: Collection[int]
) -> list[PoolEntry]:
    """The pool with each passage's sections by the revised outline.

    A source that the planner saw belongs to the sections that name it. A passage of any other
    source stays with the sections that still ask what found it, as all do where a section names
    no source. None is lost: what belongs to no section is read behind what does.
    """
    bound: defaultdict[int, set[int]] = defaultdict(set)
    for index, section in enumerate(made.sections):
        for number in section.sources:
            bound[number].add(index)
    heirs = _map_heirs(state["outline"]["sections"], made)
    pool = []
    for entry in state["pool"]:
        number = entry["number"]
        inherited = {new for old in entry.get("sections", []) for new in heirs[old]}
        free = {new for new in inherited if number not in shown or not made.sections[new].sources}
        pool.append(PoolEntry(**{**entry, "sections": sorted(bound[number] | free)}))
    return pool


def _list_searched(
    before: Sequence[Mapping[str, Any]], made: OutlineRevision
) -> defaultdict[int, list[str]]:
    """What was searched for each section of the revised outline before it was revised."""
    searched = defaultdict[int, list[str]](list)
    for old, new in _map_heirs(before, made).items():
        for index in sorted(new):
            searched[index] += before[old]["queries"]
    return searched


def _map_heirs(
    before: Sequence[Mapping[str, Any]], made: OutlineRevision
) -> defaultdict[int, set[int]]:
    """For each section of the outline, those of the revised one with its title or its questions."""
    heirs: defaultdict[int, set[int]] = defaultdict(set)
    for old, planned in enumerate(before):
        texts = {normalise_question(one) for one in (planned["title"], *planned["questions"])}
        for new, section in enumerate(made.sections):
            if texts & {normalise_question(one) for one in (section.title, *section.questions)}:
                heirs[old].add(new)
    return heirs
