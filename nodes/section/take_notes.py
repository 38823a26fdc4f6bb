"""Have the long pages of a section read, where its writer cannot be shown all that answers it."""

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from langgraph.runtime import Runtime

from library.library import Library
from models.calls import Role, ask
from nodes.common.part_texts import load_part_texts
from nodes.common.run import (
    get_context,
    get_library,
    is_extractive,
    make_degradation,
    make_role,
    make_source_text,
)
from nodes.common.shown_sources import compute_budget, show_sources
from prompts.take_notes import NOTHING, TakeNotesPrompt
from prompts.template import SourceText
from retrieval.passages.context_window import estimate_tokens, pack_passages
from retrieval.passages.page_parts import (
    SOURCE_TOKENS,
    PagePart,
    choose_near_chunks,
    join_parts,
    make_part,
)
from retrieval.passages.repeats import drop_copies
from schema.context import Context
from schema.documents import ChunkPlace, DocumentInfo
from schema.errors import InputError, ModelUnavailableError
from schema.gather import run_concurrently
from schema.report import ModelCall
from schema.settings import get_settings
from schema.state import Note, SectionState, SectionUpdate
from text.quotations import locate_quotations

MOST_PAGES = 8
"""Of a section that are read, and that share its writer's budget."""

LEAST_TOKENS = 400
"""Of that budget for each page that shares it."""

HIDDEN_CHARACTERS = 3_000
"""Of a page that the writer is not shown, from which on it is read."""

READ_CHARACTERS, READ_TOKENS = 24_000, 8_000
"""Of one page that its reader is shown, what was found and what stands around it."""

PROMPT_TOKENS = 800
"""What the reader's prompt takes beside the page."""

LINE_TOKENS = 40
"""Of a line that is copied out, about."""

MOST_LINES = 30

PART_TOKENS = 20
"""Tags and marks around a stretch of a page."""

NEAR_CHARACTERS = 200
"""Between two lines that are shown as one stretch, with what stands between."""

CHARACTERS_PER_TOKEN = 4

BETWEEN = "\n…\n"
"""What stands between two parts of a page where lines are looked for."""

Span = tuple[int, int]
"""Start and end of a stretch of a page."""


@dataclass(frozen=True)
class _Page:
    """A page to read: the number of its source, its layout, and the chunks found, best first."""

    number: int
    info: DocumentInfo
    places: Sequence[ChunkPlace]
    found: Sequence[int]


@dataclass(frozen=True)
class _Reading:
    """The notes of a page, the calls that they took, and why there are none where that failed."""

    notes: Sequence[Note]
    calls: Sequence[ModelCall]
    error: str = ""


async def take_notes(state: SectionState, runtime: Runtime[Context]) -> SectionUpdate:
    """Let the reader copy out of each long page what the section's writer is shown first.

    It does so where passages that answer the section are not among those that the writer is shown
    without notes. Each page has an equal share of the writer's budget. Without a reader, or of a
    text that is rewritten, none is read.
    """
    context = get_context(runtime)
    chosen = context.reader_model or get_settings().reader_model
    if not chosen or is_extractive(chosen) or "revision" in state:
        return {"notes": []}
    library = await get_library(runtime)
    budget = await compute_budget(
        make_role(state, runtime, "writer", context.writer_model), context
    )
    most = max(1, min(MOST_PAGES, budget // LEAST_TOKENS))
    pages, count = await _choose_pages(state, library, budget, most)
    if not pages:
        return {"notes": []}
    role, share = make_role(state, runtime, "reader", chosen), budget // count
    readings = await run_concurrently(
        _read_page(page, state, role, library, share) for page in pages
    )
    errors = [one.error for one in readings if one.error]
    failed = [make_degradation("notes_not_taken", errors[0])] if len(errors) == len(pages) else []
    return {
        "notes": [note for one in readings for note in one.notes],
        "calls": [call for one in readings for call in one.calls],
        "degraded": failed,
    }


async def _choose_pages(
    state: SectionState, library: Library, budget: int, most: int
) -> tuple[list[_Page], int]:
    """The long ones among the best pages, and how many pages these are.

    None where the writer is shown every passage that answers.
    """
    ranked, entries = state["ranked"], state.get("answering") or []
    passages = await library.load_passages([entry["chunk"] for entry in entries])
    shown = {one.info.id: set(one.chunks) for one in await show_sources(ranked, library, budget)}
    seen = {chunk for chunks in shown.values() for chunk in chunks}
    ordered = [passages[e["chunk"]] for e in entries if e["chunk"] in passages]
    shown_first = sorted(ordered, key=lambda one: one.chunk not in seen)
    if all(one.chunk in seen for one in await asyncio.to_thread(drop_copies, shown_first)):
        return [], 0
    layouts = await library.load_layouts(list({one.document for one in ordered}))
    held = {place.chunk for places in layouts.values() for place in places}
    found: dict[int, list[int]] = {}
    for one in ordered:
        if one.chunk in held:
            found.setdefault(one.document, []).append(one.chunk)
    best = dict(list(found.items())[:most])
    numbers = {passages[e["chunk"]].document: e["number"] for e in entries if e["chunk"] in held}
    described = await library.load_documents(list(best))
    pages = [
        _Page(numbers[document], described[document], layouts[document], chunks)
        for document, chunks in best.items()
        if document in described
        and _count_hidden(layouts[document], shown.get(document, set())) >= HIDDEN_CHARACTERS
    ]
    return pages, len(best)


def _count_hidden(places: Sequence[ChunkPlace], shown: set[int]) -> int:
    """The characters of a page that are in no chunk that is shown."""
    return sum(place.end - place.start for place in places if place.chunk not in shown)


async def _read_page(
    page: _Page, state: SectionState, role: Role, library: Library, share: int
) -> _Reading:
    """Ask for lines of a page, and keep those that stand in it, in `share` tokens of the writer."""
    try:
        parts, text = await _load_page(page, role, library)
        prompt = TakeNotesPrompt(
            count=min(MOST_LINES, max(1, (share - SOURCE_TOKENS) // LINE_TOKENS)),
            question=state.get("report_question") or state["title"],
            title=state["title"],
            questions=state["questions"],
            sources=[text],
        )
        answer = await ask(role, prompt, streamed="never")
    except (InputError, ModelUnavailableError) as error:
        return _Reading([], [], str(error))
    texts = await library.load_spans([(page.info.id, one.start, one.end) for one in parts])
    lines = answer.text.splitlines()
    spans = await asyncio.to_thread(_locate_lines, lines, parts, texts)
    if not spans and answer.text != NOTHING:
        fault = f"None of the lines that {role.model} copied out stands in “{page.info.title}”."
        return _Reading([], answer.calls, fault)
    return _Reading(await _make_notes(page, spans, library, share), answer.calls)


async def _load_page(
    page: _Page, role: Role, library: Library
) -> tuple[list[PagePart], SourceText]:
    """What the reader is shown of a page: all of it, or what stands near the passages found."""
    room = await role.find_room(TakeNotesPrompt.answer_tokens)
    tokens = READ_TOKENS if room is None else min(READ_TOKENS, room.wanted - PROMPT_TOKENS)
    near = choose_near_chunks(page.found, page.places, READ_CHARACTERS)
    passages = await library.load_passages(near)
    packed = pack_passages([passages[chunk] for chunk in near if chunk in passages], tokens)
    wanted = join_parts([one.chunk for one in packed] or near, page.places)
    parts, texts = await load_part_texts(page.info, wanted, page.places, library)
    headings = [part.heading for part in parts]
    return parts, make_source_text(page.number, page.info, texts, headings)


def _locate_lines(
    lines: Sequence[str], parts: Sequence[PagePart], texts: Sequence[str]
) -> list[Span]:
    """Where lines stand in a page, in its order.

    Args:
        lines: as they were copied out.
        parts: of the page, in order.
        texts: of the parts, as they are stored.
    """
    starts = list(accumulate((len(text) + len(BETWEEN) for text in texts[:-1]), initial=0))
    spans: list[Span] = []
    for start, end in locate_quotations(BETWEEN.join(texts), lines):
        at = bisect_right(starts, start) - 1
        if end <= starts[at] + len(texts[at]):  # else it goes from one part into the next
            moved = parts[at].start - starts[at]
            spans.append((start + moved, end + moved))
    return spans


async def _make_notes(
    page: _Page, spans: Sequence[Span], library: Library, share: int
) -> list[Note]:
    """The stretches of a page that hold its first lines, made whole, in its share of tokens."""
    left = share - SOURCE_TOKENS
    spans = [one for one in spans if one[1] - one[0] <= left * CHARACTERS_PER_TOKEN]
    while spans:
        wanted = [make_part(start, end, page.places) for start, end in _join_near(spans)]
        parts, texts = await load_part_texts(page.info, wanted, page.places, library)
        tokens = [
            estimate_tokens(f"{part.heading}\n{text}") + PART_TOKENS
            for part, text in zip(parts, texts, strict=True)
        ]
        if sum(tokens) <= left:
            return [
                Note(
                    number=page.number,
                    document=page.info.id,
                    start=part.start,
                    end=part.end,
                    tokens=cost,
                )
                for part, cost in zip(parts, tokens, strict=True)
            ]
        fitting = int(len(spans) * left / sum(tokens))
        spans = spans[: min(len(spans) - 1, max(1, fitting))]
    return []


def _join_near(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, those that stand near each other as one."""
    joined: list[Span] = []
    for start, end in spans:
        near = joined and start - joined[-1][1] <= NEAR_CHARACTERS
        joined.append((joined.pop()[0] if near else start, end))
    return joined
