"""Sections with what they cite since another section was read beside them."""

from collections.abc import Iterable, Mapping, Sequence

from citations.markers import find_markers
from library.library import Library
from schema.documents import Passage
from schema.report import Section, Source


async def add_cited_sources(
    changed: Sequence[Section], drafts: Sequence[Section], library: Library
) -> list[Section]:
    """The changed sections with the sources that they cite, and what any section was shown of them.

    A sentence that comes from another section, or was mended from what was shown for another one,
    stands on passages that its own section was not written from.

    Args:
        changed: after an edit or a repair.
        drafts: all sections whose text or passages were shown for it, as they were before.
        library: that holds the passages.
    """
    before = {one["index"]: one["text"] for one in drafts}
    sources = {one["number"]: one for draft in drafts for one in draft["sources"]}
    cited = [
        [] if one["text"] == before.get(one["index"]) else sorted({*find_markers(one["text"])})
        for one in changed
    ]
    if not any(cited):
        return list(changed)
    passages = await library.load_passages(sorted({c for one in drafts for c in one["passages"]}))
    added: list[Section] = []
    for one, numbers in zip(changed, cited, strict=True):
        own = {source["number"] for source in one["sources"]}
        named = [sources[number] for number in numbers if number in sources]
        found = [source for source in named if source["number"] not in own]
        whole = Section(**{**one, "sources": [*one["sources"], *found]})
        added.append(_add_passages(whole, named, passages))
    return added


async def share_passages(drafts: Sequence[Section], library: Library) -> list[Section]:
    """Sections that are mended together, each with what all were shown of its sources."""
    passages = await library.load_passages(sorted({c for one in drafts for c in one["passages"]}))
    return [_add_passages(one, one["sources"], passages) for one in drafts]


def _add_passages(
    section: Section, sources: Iterable[Source], passages: Mapping[int, Passage]
) -> Section:
    """A section with those of the passages that are of these sources, behind its own."""
    documents = {source["document"] for source in sources}
    chunks = [chunk for chunk, told in passages.items() if told.document in documents]
    return Section(**{**section, "passages": list(dict.fromkeys([*section["passages"], *chunks]))})
