"""Order the pool for one section."""

import asyncio
from collections.abc import Container, Mapping, Sequence
from itertools import chain, islice
from uuid import uuid4

from langgraph.runtime import Runtime

from connectors.registry import build_filters, choose_connectors
from library.library import Library
from models.rerank import rerank_texts
from nodes.common.run import emit, get_context, get_library, is_outermost
from retrieval.passages.better_places import find_places
from retrieval.passages.choose_passages import Candidates, choose_passages, take_turns
from retrieval.passages.context_window import estimate_tokens
from retrieval.passages.listings import select_answering
from retrieval.passages.main_part import choose_main_part
from retrieval.passages.page_coverage import MANY_PAGES
from retrieval.passages.pool import number_sources, select_relevant_hits
from retrieval.search.word_ranker import WordRanker
from schema.context import Context
from schema.documents import Passage
from schema.events import SectionRanked
from schema.search import SearchOptions
from schema.state import PoolEntry, SectionState, SectionUpdate

MAX_PASSAGES = 60
"""Passages that the writer may choose from."""

FEW_PASSAGES = 120
"""Of all pages of a pool together, up to which all are read, not only those that were found."""


async def rerank(state: SectionState, runtime: Runtime[Context]) -> SectionUpdate:
    """Put the passages that answer this section first: the best of each question, the next, ...

    Before all else comes what defines a setting, a column, ... that is asked for by name. Of many
    pages only those are heard that cover the section's questions or were found best, and next comes
    what the page that covers most says under its best headings, whole. Behind what answers come the
    best of each further source that the plan names for the section or its searches found, and then
    the rest of these: they are shown where there is room, last of all what another section asks for
    more. Of a small collection the other sources follow where these do not fill it. Lists of what
    stands elsewhere are left out, unless a text is rewritten: it may rest on them. What answers is
    told apart as well, with the next best of each question. Draws the run's id, unless the section
    is a part of a report.
    """
    context = get_context(runtime)
    library = await get_library(runtime)
    pool, passages = await _gather_pool(state, library, context)
    revised, questions = "revision" in state, _list_questions(state)
    if not revised:
        pool = await _drop_listings(pool, passages, [state["title"], *questions], library)
    texts = [_join_heading(passages[entry["chunk"]]) for entry in pool]
    query = "\n".join([state["title"], *questions])
    ranking = await rerank_texts(query, texts, context.rerank_model)
    budget, index = context.section_tokens, state.get("index", 0)
    candidates = await _describe(state, pool, passages, texts, ranking.scores, library, budget)
    searched = _list_searched(state)
    chosen = choose_passages(candidates, questions, searched, budget, revised=revised)
    ranked = _order_by_source(
        [pool[i] for i in chosen.answers],
        [pool[i] for i in chosen.rest],
        index,
        {entry["chunk"] for entry, place in zip(pool, candidates.places, strict=True) if place},
    )
    if chosen.pages > MANY_PAGES and not revised:
        shown = [entry for entry in ranked if passages[entry["chunk"]].document == chosen.main]
        part = await _load_main_part(shown, passages, library, budget)
        ranked = [*(pool[i] for i in chosen.defined), *part, *ranked]
    ranked = list({entry["chunk"]: entry for entry in ranked}.values())[:MAX_PASSAGES]
    emit(runtime, SectionRanked(type="ranked", section=index, passages=len(ranked)))
    run = uuid4().hex if is_outermost(runtime) else state.get("run", "")
    answering = [pool[i] for i in dict.fromkeys([*chosen.answers, *take_turns(chosen.worded)])]
    return {
        "run": run,
        "ranked": ranked,
        "answering": answering[:MAX_PASSAGES],
        "degraded": ranking.degraded,
    }


async def _gather_pool(
    state: SectionState, library: Library, context: Context
) -> tuple[list[PoolEntry], dict[int, Passage]]:
    """What the section may be written from, with the rest of its pages where they are few."""
    pool = state.get("pool")
    if pool is None:
        pool = await _search(state, library, context)
    passages = await library.load_passages([entry["chunk"] for entry in pool])
    further = await _list_further(pool, passages, library)
    passages |= await library.load_passages([entry["chunk"] for entry in further])
    return [entry for entry in [*pool, *further] if entry["chunk"] in passages], passages


async def _describe(
    state: SectionState,
    pool: Sequence[PoolEntry],
    passages: Mapping[int, Passage],
    texts: Sequence[str],
    reranked: Sequence[float],
    library: Library,
    budget: int,
) -> Candidates:
    """What is known of each passage of a pool, of which `texts` are read."""
    asked = [_list_questions(state), *_list_other_questions(state)]
    scored = iter(await _score_by_words([*chain.from_iterable(asked)], texts, library))
    worded, *others = [[*islice(scored, len(one))] for one in asked]
    sizes = [estimate_tokens(text) for text in texts]
    index = state.get("index", 0)
    looked_up = {one["chunk"] for one in state.get("found") or []}
    return Candidates(
        texts=texts,
        sizes=sizes,
        documents=[passages[entry["chunk"]].document for entry in pool],
        worded=worded,
        reranked=reranked,
        found=[entry["score"] for entry in pool],
        planned=[index in entry.get("sections", []) for entry in pool],
        looked_up=[entry["chunk"] in looked_up for entry in pool],
        places=find_places(worded, others, sizes, budget),
    )


async def _list_further(
    pool: Sequence[PoolEntry], passages: Mapping[int, Passage], library: Library
) -> list[PoolEntry]:
    """The other passages of the pages of a pool, if they are few: a search misses other words."""
    numbers = {
        passages[entry["chunk"]].document: entry["number"]
        for entry in pool
        if entry["chunk"] in passages
    }
    layouts = await library.load_layouts(list(numbers))
    if sum(map(len, layouts.values())) > FEW_PASSAGES:
        return []
    return [
        PoolEntry(chunk=place.chunk, number=numbers[document], score=0.0)
        for document, places in layouts.items()
        for place in places
        if place.chunk not in passages
    ]


async def _drop_listings(
    pool: list[PoolEntry],
    passages: Mapping[int, Passage],
    questions: Sequence[str],
    library: Library,
) -> list[PoolEntry]:
    """The passages that may answer; all of them where none does."""
    chunks = [passages[entry["chunk"]] for entry in pool]
    pages = await library.load_documents(list({one.document for one in chunks}))
    titled = [(one, pages[one.document].title) for one in chunks]
    answering = select_answering(titled, questions)
    return [entry for entry, is_text in zip(pool, answering, strict=True) if is_text] or pool


def _order_by_source(
    answering: Sequence[PoolEntry],
    rest: Sequence[PoolEntry],
    section: int,
    elsewhere: Container[int],
) -> list[PoolEntry]:
    """What answers, then the best of each further source, then the others, each passage once.

    Of the further ones those sources come first that the section's plan names, or of which its
    searches found something. The chunks `elsewhere`, which another section asks for more, are no
    such best.
    """
    own = {one["number"] for one in rest if section in one.get("sections", [section])}
    wanted = sorted(rest, key=lambda one: one["number"] not in own)
    heard = {one["number"] for one in answering}
    first = {
        one["number"]: one
        for one in reversed(wanted)
        if one["number"] not in heard and one["chunk"] not in elsewhere
    }
    further = [one for one in wanted if first.get(one["number"]) is one]
    return list({one["chunk"]: one for one in (*answering, *further, *wanted)}.values())


async def _load_main_part(
    own: Sequence[PoolEntry], passages: Mapping[int, Passage], library: Library, budget: int
) -> list[PoolEntry]:
    """What is shown first of the page whose passages `own` are, best first; none without them."""
    if not own:
        return []
    found = [passages[entry["chunk"]] for entry in own]
    layouts = await library.load_layouts([found[0].document])
    known = {entry["chunk"]: entry for entry in own}
    return [
        known.get(chunk) or PoolEntry(chunk=chunk, number=own[0]["number"], score=0.0)
        for places in layouts.values()
        for chunk in choose_main_part(found, places, budget)
    ]


async def _score_by_words(
    questions: Sequence[str], texts: Sequence[str], library: Library
) -> list[list[float]]:
    """For each question how well each text holds its words, rare ones of the library above all.

    The pool was found by the words of the subject: in it they are common, and tell nothing.
    """
    ranker = await asyncio.to_thread(WordRanker, texts)
    collection = await library.count_terms(ranker.list_terms(questions))
    return [ranker.scores(question, collection) for question in questions]


def _list_questions(state: SectionState) -> list[str]:
    """What the section answers: first the instruction that it is written anew by."""
    revision = state.get("revision")
    return [*([revision["instruction"]] if revision else []), *state["questions"]]


def _list_searched(state: SectionState) -> list[str]:
    """What was searched for the section: queries name what its questions only describe."""
    index = state.get("index", 0)
    plan = (state.get("plan") or [])[index : index + 1]
    return [query for one in plan for query in one.get("queries", [])]


def _list_other_questions(state: SectionState) -> list[list[str]]:
    """What each other section of the report answers; nothing where a text is rewritten."""
    index = state.get("index", 0)
    plan = [] if "revision" in state else state.get("plan") or []
    return [one["questions"] for n, one in enumerate(plan) if n != index]


def _join_heading(passage: Passage) -> str:
    return f"{passage.heading}\n{passage.text}"


async def _search(state: SectionState, library: Library, context: Context) -> list[PoolEntry]:
    """A pool of the section's own, from the library, where it runs without a report."""
    found: dict[int, PoolEntry] = {}
    numbers: dict[int, int] = {}
    filters = [
        await asyncio.to_thread(build_filters, connector, context.paths)
        for connector in choose_connectors(context.connectors, paths=bool(context.paths))
        if connector.kind == "indexed"
    ]
    for question in [state["title"], *state["questions"]]:
        for kept_to in filters:
            options = SearchOptions(limit=context.passages_per_question, filters=kept_to)
            hits = select_relevant_hits(await library.search(question, options))
            numbers = number_sources(numbers, [hit.document for hit in hits])
            for hit in hits:
                entry = PoolEntry(chunk=hit.chunk, number=numbers[hit.document], score=hit.score)
                found.setdefault(hit.chunk, entry)
    return sorted(found.values(), key=lambda entry: -entry["score"])
