"""Chunks: exact offsets, bounded size, the heading they stand under."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.chunking import CHUNK_SIZE, split_chunks

pieces = st.sampled_from(
    ["# Head\n", "## Sub ##\n", "A sentence of some words. " * 9, "word " * 60, "你好世界。" * 80,
     "🙂" * 9, "\n", "\n\n", "\r\n", "- item\n", "```\n# not a heading\n", "```\n", "---\n",
     "x" * 1500, "\u2028", "e\u0301" * 40, "\0", "|a|b|\n"]
)  # fmt: skip
texts = st.one_of(st.lists(pieces, max_size=20).map("".join), st.text(max_size=300))


@given(texts)
def test_chunks_are_bounded_exact_stand_apart_and_leave_no_word_out(text: str) -> None:
    found, end = split_chunks(text), 0
    for chunk in found:
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.start >= end
        assert not any(map(str.isalnum, text[end : chunk.start]))
        assert any(map(str.isalnum, chunk.text))
        assert len(chunk.text) <= CHUNK_SIZE[1]
        end = chunk.end
    assert not any(map(str.isalnum, text[end:]))
    assert split_chunks(text) == found


def headings(text: str) -> list[str]:
    return [chunk.heading for chunk in split_chunks(text)]


def test_a_chunk_knows_its_heading() -> None:
    body = "Words about it fill a paragraph. " * 25
    text = f"Before. {body}\n\n# One\n\n{body}\n\n## Two ##\n\n{body}\n\n{body}"
    assert headings(text) == ["", "One", "Two", "Two"]


def test_a_chunk_that_opens_with_headings_takes_the_last() -> None:
    assert headings("# Book\n\n## Chapter\n\nIts text.") == ["Chapter"]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Title\r", "Title"),
        ("# C#", "C#"),
        ("### Closed ###  ", "Closed"),
        ("#\tTab", "Tab"),
        ("#hashtag", ""),
        ("    # indented code", ""),
    ],
)
def test_headings_are_read_as_markdown_says(line: str, heading: str) -> None:
    assert headings(f"{line}\n\nBody text.") == [heading]


def test_a_heading_in_a_fence_is_none() -> None:
    assert headings("```\n# comment\n```\n\nBody text.") == [""]


def test_a_heading_without_end_is_cut() -> None:
    assert max(map(len, headings("# " + "word " * 20_000))) <= 300


@pytest.mark.parametrize(
    "line",
    [
        "x" * 120_000,
        "no end of a sentence " * 6_000,
        "A sentence. " * 10_000,
        "风把叶片转动。" * 9_000,
    ],
    ids=["one word", "words", "sentences", "Chinese"],
)
def test_a_line_that_is_cut_loses_nothing(line: str) -> None:
    text = f"# Head\n\n{line}\n\nThe end."
    found = split_chunks(text)
    assert "".join("".join(one.text.split()) for one in found) == "".join(text.split())
    assert all(one.text == text[one.start : one.end] for one in found)
    assert {one.heading for one in found} == {"Head"}


def test_a_long_line_is_cut_after_a_sentence() -> None:
    text = "The turbine turns wind into power. " * 5_000
    assert all(one.text.startswith("The turbine") for one in split_chunks(text))
