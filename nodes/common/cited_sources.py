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
        chunks = [*one["passages"], *_list_chunks(named, passages)]
        added.append(
            Section(
                **{
                    **one,
                    "sources": [*one["sources"], *found],
                    "passages": list(dict.fromkeys(chunks)),
                }
            )
        )
    return added


async def share_passages(drafts: Sequence[Section], library: Library) -> list[Section]:
    """Sections that are mended together, each with what all were shown of its sources."""
    passages = await library.load_passages(sorted({c for one in drafts for c in one["passages"]}))
    return [
        Section(
            **{
                **one,
                "passages": list(
                    dict.fromkeys([*one["passages"], *_list_chunks(one["sources"], passages)])
                ),
            }
        )
        for one in drafts
    ]


def _list_chunks(sources: Iterable[Source], passages: Mapping[int, Passage]) -> list[int]:
    """The passages that are of these sources."""
    documents = {source["document"] for source in sources}
    return [chunk for chunk, told in passages.items() if told.document in documents]
