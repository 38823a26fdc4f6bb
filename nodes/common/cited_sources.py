"""Sections with the sources that they cite since another section was read beside them."""

from collections.abc import Sequence

from citations.markers import find_markers
from library.library import Library
from schema.report import Section


async def add_cited_sources(
    changed: Sequence[Section], drafts: Sequence[Section], library: Library
) -> list[Section]:
    """The changed sections with what they cite now and another one was written from.

    Args:
        changed: after an edit or a repair.
        drafts: all sections whose text or passages were shown for it.
        library: that holds the passages.
    """
    sources = {one["number"]: one for draft in drafts for one in draft["sources"]}
    new = [
        sorted(set(find_markers(one["text"])) - {s["number"] for s in one["sources"]})
        for one in changed
    ]
    if not any(new):
        return list(changed)
    passages = await library.load_passages(sorted({c for one in drafts for c in one["passages"]}))
    added: list[Section] = []
    for one, numbers in zip(changed, new, strict=True):
        found = [sources[number] for number in numbers if number in sources]
        documents = {source["document"] for source in found}
        chunks = [chunk for chunk, told in passages.items() if told.document in documents]
        passages_of_one = list(dict.fromkeys([*one["passages"], *chunks]))
        added.append(
            Section(**{**one, "sources": [*one["sources"], *found], "passages": passages_of_one})
        )
    return added
