"""The texts of parts of a page, as a prompt shows them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from library.library import Library
from retrieval.passages.page_parts import PagePart, merge_parts
from retrieval.passages.part_ends import (
    HEADING,
    LONGEST_BLOCK,
    Block,
    find_code_blocks,
    mark_omissions,
    widen_part,
)
from retrieval.passages.tables import LONGEST_TABLE, begins_with_row, find_table_header
from schema.documents import ChunkPlace, DocumentInfo


async def load_part_texts(
    info: DocumentInfo, parts: Sequence[PagePart], places: Sequence[ChunkPlace], library: Library
) -> tuple[list[PagePart], list[str]]:
    """Parts of a page made whole, and their texts as they are stored.

    None begins or ends inside a sentence, a row or code; one that begins inside a table is under
    its header. One that begins within a chunk is under the last heading of that before it.

    Args:
        info: of the page.
        parts: of it, in order, one at least.
        places: all its chunks, in order.
        library: holds it.
    """
    offset = max(0, parts[0].start - LONGEST_TABLE)
    end = max(part.end for part in parts)
    [around] = await library.load_spans([(info.id, offset, end + 2 * LONGEST_BLOCK)])
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
    whole = [
        replace(part, heading=_find_heading(part, places, text, offset, blocks) or part.heading)
        for part in merge_parts(moved, places)
    ]
    texts = []
    for part in whole:
        start, end = part.start - offset, part.end - offset
        is_row = begins_with_row(text[start:end])
        header = find_table_header(text[:start], text[start:end]) if is_row else ""
        texts.append(mark_omissions(text, start, end, blocks, header))
    return whole, texts


def _find_heading(
    part: PagePart,
    places: Sequence[ChunkPlace],
    text: str,
    offset: int,
    blocks: Sequence[Block],
) -> str:
    """The last heading between the begin of a part's first chunk and its own; "" without one."""
    chunk = max((one.start for one in places if one.start <= part.start), default=part.start)
    above = [
        found[1].strip(" #")
        for found in HEADING.finditer(text, max(0, chunk - offset), part.start - offset)
        if not any(start <= found.start() < end for start, end in blocks)
    ]
    return above[-1] if above else ""
