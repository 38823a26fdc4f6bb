"""The text of a PDF tells where its pages begin."""

from pathlib import Path

import typst
from hypothesis import given
from hypothesis import strategies as st

from connectors.files.extract import read_file
from connectors.files.pdf_pages import mark_pages
from schema.documents import PAGE_BREAK

blocks = st.lists(
    st.tuples(st.integers(0, 3), st.text("ab1*_ \\", min_size=30, max_size=90)), max_size=12
)


@given(blocks)
def test_marked_text_has_each_block_on_its_page_and_nothing_else_changed(
    given_blocks: list[tuple[int, str]],
) -> None:
    page, nodes, written = 1, [], []
    for number, (step, words) in enumerate(given_blocks):
        page += step
        text = f"Block number {number} of page {page}: {words.strip()}"
        nodes.append({"page": page, "content": {"text": text}})
        written.append(text.replace("*", "\\*").replace("_", "\\_"))
    plain = "\n\n".join(written)
    marked = mark_pages(plain, nodes)
    assert marked.replace(PAGE_BREAK + "\n", "").replace(PAGE_BREAK, "") == plain
    for number, node in enumerate(nodes):
        before, _, _ = marked.partition(f"Block number {number} of")
        assert before.count(PAGE_BREAK) + 1 == node["page"]


def test_a_block_that_is_not_in_the_text_costs_no_page() -> None:
    pages = ["The first page says this.", "What a picture says.", "The third page says that."]
    nodes = [{"page": n, "content": {"text": text}} for n, text in enumerate(pages, start=1)]
    assert mark_pages(f"{pages[0]}\n\n{pages[2]}", nodes) == f"{pages[0]}\n\n\f\f\n{pages[2]}"


def test_a_number_alone_is_no_mark_of_a_page() -> None:
    nodes = [{"page": 2, "content": {"text": "2"}}, {"content": {"node_type": "page_break"}}]
    assert mark_pages("Some 12 lamps of 2020.", nodes) == "Some 12 lamps of 2020."


async def test_a_pdf_is_read_with_its_page_breaks(tmp_path: Path) -> None:
    lamps = [f"Lamp number {n} of the hall burns for {n * 7} hours." for n in (1, 2, 3)]
    path = tmp_path / "lamps.pdf"
    path.write_bytes(typst.compile("\n#pagebreak()\n".join(["= Lamps", *lamps]).encode()))
    text = (await read_file(path)).text
    assert [part.strip() for part in text.split(PAGE_BREAK)] == ["# Lamps", *lamps]
