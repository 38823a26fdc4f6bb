"""What a planner is shown of sources."""

from pathlib import Path

import pytest

from graphs.ingest import graph as ingest_graph
from library.library import Library, open_library
from nodes.common.brief_sources import load_brief_sources
from schema.context import Context

ABOUT = "A filter lasts 2,000 hours, and a belt lasts for three winters. " * 30
CHANGES = "\n".join(f"- Fixed the valve of model {n}, which leaked." for n in range(40))
QUESTION = "How long does a filter last?"


@pytest.fixture
async def pages(space: str, tmp_path: Path) -> tuple[Library, dict[str, list[int]]]:
    """A library with a manual and a list of changes, and the chunks of each, by title."""
    (tmp_path / "manual.md").write_text(f"# Manual\n\n{ABOUT}\n\n## Changes\n\n{CHANGES}\n")
    (tmp_path / "news.md").write_text(f"# News\n\n{CHANGES}\n")
    await ingest_graph.ainvoke({"sources": [str(tmp_path)]}, context=Context(space=space))
    library = await open_library(space)
    found = await library.fetch(
        "SELECT d.title, array_agg(c.id ORDER BY c.id DESC) FROM quire.chunks c "
        "JOIN quire.documents d ON d.id = c.document_id "
        "JOIN quire.spaces s ON s.id = d.space_id WHERE s.name = %(name)s GROUP BY d.title",
        name=library.space,
    )
    return library, dict(found)


async def test_openings_stand_in_the_order_of_the_text_without_listings(
    pages: tuple[Library, dict[str, list[int]]],
) -> None:
    library, chunks = pages
    [manual] = await load_brief_sources(library, {7: chunks["Manual"]}, QUESTION, 100)
    assert (manual.number, manual.title) == (7, "Manual")
    assert len(chunks["Manual"]) > len(manual.passages) > 0
    assert all(one.startswith("A filter lasts 2,000 hours") for one in manual.passages)
    assert "Changes" not in manual.headings


async def test_of_what_is_not_shown_the_headings_are_named(
    pages: tuple[Library, dict[str, list[int]]],
) -> None:
    library, chunks = pages
    [manual] = await load_brief_sources(library, {7: chunks["Manual"][-2:]}, QUESTION, 100)
    assert manual.headings == ("Manual",)
    assert manual.not_shown == ("Changes",)


async def test_a_listing_is_shown_where_the_question_asks_for_it(
    pages: tuple[Library, dict[str, list[int]]],
) -> None:
    library, chunks = pages
    asked = "What changed in the new version?"
    [manual] = await load_brief_sources(library, {7: chunks["Manual"]}, asked, 100)
    assert manual.headings[-1].endswith("Changes")
    assert "Fixed the valve" in manual.passages[-1]


async def test_a_source_of_listings_keeps_its_title_and_one_that_is_gone_is_left_out(
    pages: tuple[Library, dict[str, list[int]]],
) -> None:
    library, chunks = pages
    found = {1: [2**31 - 1], 2: chunks["News"], 3: chunks["Manual"]}
    shown = await load_brief_sources(library, found, QUESTION, 100)
    assert [(one.number, one.title, bool(one.passages)) for one in shown] == [
        (2, "News", False),
        (3, "Manual", True),
    ]
