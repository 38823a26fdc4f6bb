"""What the writer of a section is shown of each source, within its budget."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from library.library import Library
from nodes.common.run import make_source_text
from prompts.template import SourceText
from retrieval.passages.context_window import group_by_document, pack_passages
from retrieval.passages.listings import tell_listing
from retrieval.passages.page_parts import (
    Layouts,
    PagePart,
    choose_passages,
    join_parts,
    list_hidden_headings,
    list_wanted_chunks,
    merge_parts,
    pack_parts,
)
from retrieval.passages.part_ends import (
    LONGEST_BLOCK,
    find_code_blocks,
    mark_omissions,
    widen_part,
)
from retrieval.passages.tables import LONGEST_TABLE, begins_with_row, find_table_header
from retrieval.web.source_kinds import describe_source_kind, name_source_kind, rank_source_kind
from schema.documents import ChunkPlace, DocumentInfo, Passage
from schema.state import PoolEntry

REST_OF_EXCERPT = "(the page itself: only an excerpt of it was found)"
"""What stands for all that a search engine's excerpt leaves out of its page."""

RECENT_YEARS = 3
"""Years that a source counts as recent."""


@dataclass(frozen=True)
class ShownSource:
    """A source with the chunks that are shown of it, and the text that a prompt has of them."""

    info: DocumentInfo
    chunks: tuple[int, ...]
    text: SourceText


async def show_sources(
    ranked: Sequence[PoolEntry], library: Library, budget: int, *, alone: bool = False
) -> list[ShownSource]:
    """The best passages with what stands around them, by source, as far as they fit.

    Args:
        ranked: passages, best first.
        library: holds them.
        budget: tokens, the headers of sources included.
        alone: show the passages and nothing around them.

    Returns:
        Sources, primary and recent ones first, then that of the better passage; none where no
        passage is there any more.
    """
    passages = await library.load_passages([entry["chunk"] for entry in ranked])
    layouts = await library.load_layouts(list({one.document for one in passages.values()}))
    held = {place.chunk for places in layouts.values() for place in places}
    ordered = [passages[e["chunk"]] for e in ranked if e["chunk"] in held & passages.keys()]
    if alone:
        packed = pack_passages(ordered, budget)
    else:
        chosen = await asyncio.to_thread(choose_passages, ordered, budget)
        around = list_wanted_chunks(chosen, layouts)
        further = list_wanted_chunks(ordered, layouts)
        found = await _load_around([*around, *further], library)
        near, rest = ([found[one] for one in each if one in found] for each in (around, further))
        packed = await asyncio.to_thread(pack_parts, ordered, near, budget, rest)
    numbers = {entry["chunk"]: entry["number"] for entry in ranked}
    return await _describe(packed, numbers, layouts, library)


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
    packed: Sequence[Passage], numbers: Mapping[int, int], layouts: Layouts, library: Library
) -> list[ShownSource]:
    """The passages by source, neighbours joined, with the headings of what is not shown."""
    grouped = group_by_document(packed)
    described = await library.load_documents(list(grouped))
    shown: list[ShownSource] = []
    for document, info in ((d, described[d]) for d in grouped if d in described):
        chunks = tuple(passage.chunk for passage in grouped[document])
        number = next(numbers[chunk] for chunk in chunks if chunk in numbers)
        parts, texts = await _load_parts(info, chunks, layouts[document], library)
        text = make_source_text(number, info, texts, [part.heading for part in parts])
        hidden = [REST_OF_EXCERPT] if info.excerpt else []
        hidden += list_hidden_headings(chunks, layouts[document])
        kind = describe_source_kind(info.url or info.uri, info.site)
        text = replace(text, kind=kind, not_shown=tuple(hidden))
        read = tuple(dict.fromkeys(chunk for part in parts for chunk in part.chunks))
        shown.append(ShownSource(info, read, text))
    recent = str(datetime.now(UTC).year - RECENT_YEARS)
    return sorted(shown, key=lambda one: _rank_source(one.info, recent))


async def _load_parts(
    info: DocumentInfo, chunks: Sequence[int], places: Sequence[ChunkPlace], library: Library
) -> tuple[list[PagePart], list[str]]:
    """The parts of a page that hold chunks, and their texts as they are stored.

    None begins or ends inside a sentence, a row or code; one that begins inside a table is under
    its header.
    """
    parts = join_parts(chunks, places)
    offset = max(0, parts[0].start - LONGEST_TABLE)
    [around] = await library.load_spans([(info.id, offset, parts[-1].end + 2 * LONGEST_BLOCK)])
    return await asyncio.to_thread(_cut_parts, parts, places, around, offset, info.language)


def _cut_parts(
    parts: Sequence[PagePart],
    places: Sequence[ChunkPlace],
    text: str,
    offset: int,
    language: str,
) -> tuple[list[PagePart], list[str]]:
    """Parts made whole, and their texts; `text` begins at `offset` of the page."""
    blocks = find_code_blocks(text)
    spans = [
        widen_part(text, part.start - offset, part.end - offset, blocks, language) for part in parts
    ]
    moved = [
        replace(part, start=start + offset, end=end + offset)
        for part, (start, end) in zip(parts, spans, strict=True)
    ]
    whole = merge_parts(moved, places)
    texts = []
    for part in whole:
        start, end = part.start - offset, part.end - offset
        is_row = begins_with_row(text[start:end])
        header = find_table_header(text[:start], text[start:end]) if is_row else ""
        texts.append(mark_omissions(text, start, end, blocks, header))
    return whole, texts


def _rank_source(info: DocumentInfo, recent: str) -> tuple[int, bool]:
    """What a writer reads first: primary before others, of these what is not known to be old."""
    kind = name_source_kind(info.url or info.uri)
    return rank_source_kind(kind), "" < info.published < recent
