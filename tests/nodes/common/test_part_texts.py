"""Stretches of a page as a prompt shows them."""

from pathlib import Path

from stored_pages import store_pages

from library.document_texts import LONGEST_TEXT
from nodes.common.part_texts import load_part_texts
from retrieval.passages.page_parts import make_part

NOTES = (
    "# Releases\n\n## 2.4.1\n\nThe drain waits.\n\n```\n# no heading\n```\n\n"
    "## 2.4.0\n\nThe range is new.\n\n## 2.3.2\n\nThe sweep goes on.\n"
)


async def test_each_part_is_under_the_heading_right_above_it(space: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(NOTES)
    library, [document] = await store_pages(space, tmp_path)
    places = (await library.load_layouts([document]))[document]
    info = (await library.load_documents([document]))[document]
    [text] = await library.load_spans([(document, 0, LONGEST_TEXT)])
    said = ["The drain waits.", "The range is new.", "The sweep goes on."]
    starts = [text.index(one) for one in said]
    parts = [make_part(a, a + len(one), places) for a, one in zip(starts, said, strict=True)]
    shown, texts = await load_part_texts(info, parts, places, library)
    assert [one.heading for one in shown] == ["2.4.1", "2.4.0", "2.3.2"]
    assert all(one in each for one, each in zip(said, texts, strict=True))
