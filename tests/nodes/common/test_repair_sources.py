"""What a repair is shown of the passages that were looked up."""

from pathlib import Path

from stored_pages import store_pages

from nodes.common.repair_sources import FEWEST_TOKENS, load_repair_sources
from schema.editing import Lookup, RepairInput
from schema.report import Section, Source

FILLER = "A belt hums in the wind of the hall, and nobody minds the sound of it at all. " * 12
ANSWER = "A spare belt costs 9 crowns."


async def test_of_a_part_that_does_not_fit_what_speaks_of_the_point_is_shown(
    space: str, tmp_path: Path
) -> None:
    (tmp_path / "loom.md").write_text("# Loom\n\n" + f"{FILLER}\n\n" * 12 + f"{ANSWER} {FILLER}\n")
    library, [document] = await store_pages(space, tmp_path)
    chunks = [one.chunk for one in (await library.load_layouts([document]))[document]]
    assert len(chunks) * 200 > FEWEST_TOKENS
    point = Lookup(
        section=0,
        sentence="",
        point=1,
        subject="what a spare belt costs",
        chunks=chunks,
        answered=False,
        spoken_of=True,
        told="",
    )
    source = Source(number=1, document=document, title="Loom", url="")
    draft = Section(index=0, title="", text="It runs [1].", sources=[source], passages=chunks)
    given = RepairInput(draft=draft, subject="", sentences=[], points=[point], language="en")
    [shown] = await load_repair_sources([(given, [])], library)
    assert any(ANSWER in text for text in shown.passages)
