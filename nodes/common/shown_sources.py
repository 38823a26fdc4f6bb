"""What the writer of a section is shown of each source, within its budget."""

import asyncio
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from citations.foreign_marks import drop_foreign_marks
from library.library import Library
from models.calls import Role
from nodes.common.ceiling import fit_section_tokens
from nodes.common.part_texts import load_part_texts
from nodes.common.run import make_source_text
from prompts.template import SourceText
from retrieval.passages.context_window import group_by_document, pack_passages
from retrieval.passages.listings import tell_listing
from retrieval.passages.page_parts import (
    SOURCE_TOKENS,
    Layouts,
    choose_passages,
    join_parts,
    list_hidden_headings,
    list_wanted_chunks,
    make_part,
    pack_parts,
)
from retrieval.web.source_kinds import describe_source_kind, name_source_kind, rank_source_kind
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from schema.state import Note, PoolEntry

REST_OF_EXCERPT = "(the page itself: only an excerpt of it was found)"
"""What stands for all that a search engine's excerpt leaves out of its page."""

PROMPT_TOKENS = 1_500
"""What a writer's prompt takes beside the sources."""

RECENT_YEARS = 3
"""Years that a source counts as recent."""


@dataclass(frozen=True)
class ShownSource:
    """A source with the chunks that are shown of it, and the text that a prompt has of them."""

    info: DocumentInfo
    chunks: tuple[int, ...]
    text: SourceText


async def compute_budget(writer: Role, context: Context) -> int:
    """Tokens for sources: the run's choice, or less where the model's window is known.

    No more than the run's ceiling pays for.
    """
    most = fit_section_tokens(context)
    room = await writer.find_room(context.answer_tokens)
    return most if room is None else max(500, min(most, room.wanted - PROMPT_TOKENS))


async def show_sources(
    ranked: Sequence[PoolEntry],
    library: Library,
    budget: int,
    notes: Sequence[Note] = (),
    *,
    alone: bool = False,
) -> list[ShownSource]:
    """The best passages with what stands around them, by source, as far as they fit.

    Args:
        ranked: passages, best first.
        library: holds them.
        budget: tokens, the headers of sources included.
        notes: stretches of pages that are shown before all else; they fit the budget.
        alone: show the passages and nothing around them.

    Returns:
        Sources, primary and recent ones first, then that of the better passage; none where no
        passage is there any more.
    """
    passages = await library.load_passages([entry["chunk"] for entry in ranked])
    numbers = {passages[e["chunk"]].document: e["number"] for e in ranked if e["chunk"] in passages}
    numbers |= {note["document"]: note["number"] for note in notes}
    layouts = await library.load_layouts(list(numbers))
    held = {place.chunk for places in layouts.values() for place in places}
    ordered = [passages[e["chunk"]] for e in ranked if e["chunk"] in held & passages.keys()]
    if alone:
        packed = pack_passages(ordered, budget)
    else:
        taken = _count_tokens(notes)
        chosen = await asyncio.to_thread(choose_passages, ordered, budget, taken)
        around = _list_around(chosen, layouts, taken)
        further = _list_around(ordered, layouts, taken)
        found = await _load_around([*around, *further], library)
        near, rest = ([found[one] for one in each if one in found] for each in (around, further))
        packed = await asyncio.to_thread(pack_parts, ordered, near, budget, rest, taken)
    return await _describe(packed, notes, numbers, layouts, library)


def _count_tokens(notes: Sequence[Note]) -> dict[int, int]:
    """The tokens that notes take, by document, its header included."""
    tokens: dict[int, int] = {}
    for note in notes:
        before = tokens.get(note["document"], SOURCE_TOKENS)
        tokens[note["document"]] = before + note["tokens"]
    return tokens


def _list_around(passages: Sequence[Passage], layouts: Layouts, noted: Container[int]) -> list[int]:
    """What is wanted around passages, but for the pages whose reader chose of them."""
    return list_wanted_chunks([one for one in passages if one.document not in noted], layouts)


async def _load_around(wanted: Sequence[int], library: Library) -> dict[int, Passage]:
    """What stands around passages and is no list of what stands elsewhere, by chunk."""
    found = await library.load_passages(wanted)
    pages = await library.load_documents(list({one.document for one in found.values()}))
    return {
        chunk: one
        for chunk, one in found.items()
        if one.document in pages and tell_listing(one, pages[one.document].title) is None
    }


async def _describe(
    packed: Sequence[Passage],
    notes: Sequence[Note],
    numbers: Mapping[int, int],
    layouts: Layouts,
    library: Library,
) -> list[ShownSource]:
    """Passages and notes by source, neighbours joined, with the headings of what is not shown.

    `numbers` are those of documents. Those with notes come first, in their order.
    """
    grouped = group_by_document(packed)
    noted: dict[int, list[Note]] = {}
    for note in notes:
        noted.setdefault(note["document"], []).append(note)
    wanted = [d for d in dict.fromkeys([*noted, *grouped]) if layouts.get(d)]
    described = await library.load_documents(wanted)
    shown: list[ShownSource] = []
    for document, info in ((d, described[d]) for d in wanted if d in described):
        chunks, places = [one.chunk for one in grouped.get(document, [])], layouts[document]
        parts = join_parts(chunks, places)
        parts += [make_part(one["start"], one["end"], places) for one in noted.get(document, [])]
        parts.sort(key=lambda part: part.start)
        parts, texts = await load_part_texts(info, parts, places, library)
        texts = drop_foreign_marks(texts)
        text = make_source_text(numbers[document], info, texts, [one.heading for one in parts])
        hidden = [REST_OF_EXCERPT] if info.excerpt else []
        hidden += list_hidden_headings(chunks, places)
        kind = describe_source_kind(info.url or info.uri, info.site)
        text = replace(text, kind=kind, not_shown=tuple(hidden))
        read = tuple(dict.fromkeys(chunk for part in parts for chunk in part.chunks))
        shown.append(ShownSource(info, read, text))
    recent = str(datetime.now(UTC).year - RECENT_YEARS)
    return sorted(shown, key=lambda one: _rank_source(one.info, recent))


def _rank_source(info: DocumentInfo, recent: str) -> tuple[int, bool]:
    """What a writer reads first: primary before others, of these what is not known to be old."""
    kind = name_source_kind(info.url or info.uri)
    return rank_source_kind(kind), "" < info.published < recent
