"""What a changed section stands on: all that any section was shown of what it cites."""

from pathlib import Path

from stored_pages import store_pages

from library.library import Library
from nodes.common.cited_sources import add_cited_sources, share_passages
from schema.report import Section, Source

FILLER = "The hall is wide and the clerk sings of wool. " * 60


async def store(space: str, folder: Path) -> tuple[Library, list[int], Source]:
    """A page of several passages: the library, its chunks and the source that it is."""
    (folder / "loom.md").write_text(f"# Loom\n\n## Belts\n\n{FILLER}\n\n## Oil\n\n{FILLER}\n")
    library, [document] = await store_pages(space, folder)
    chunks = [place.chunk for place in (await library.load_layouts([document]))[document]]
    return library, chunks, Source(number=2, document=document, title="Loom", url="")


async def test_a_changed_section_stands_on_what_another_was_shown_of_a_source_of_its_own(
    space: str, tmp_path: Path
) -> None:
    library, chunks, source = await store(space, tmp_path)
    one, other = (
        Section(index=n, title="", text=f"Part {n} [2].", sources=[source], passages=[chunk])
        for n, chunk in enumerate(chunks[:2])
    )
    changed = Section(**{**one, "text": "Part 0 and 1 [2]."})
    made, same = await add_cited_sources([changed, other], [one, other], library)
    assert made["passages"] == chunks[:2]
    assert same == other
    shared = await share_passages([one, other], library)
    assert [sorted(each["passages"]) for each in shared] == [chunks[:2], chunks[:2]]


async def test_a_source_that_is_new_to_a_section_comes_with_its_passages(
    space: str, tmp_path: Path
) -> None:
    library, chunks, source = await store(space, tmp_path)
    one = Section(index=0, title="", text="A part.", sources=[], passages=[])
    other = Section(index=1, title="", text="B [2].", sources=[source], passages=chunks[:1])
    changed = Section(**{**one, "text": "A part, and B [2]."})
    [made] = await add_cited_sources([changed], [one, other], library)
    assert (made["sources"], made["passages"]) == ([source], chunks[:1])
    assert await add_cited_sources([one, other], [one, other], library) == [one, other]
