"""Faults in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.error_text import end_sentence, is_text, join_sentences


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([], ""),
        (["It failed."], "It failed"),
        (["a is empty.", "b has no text.", "a is empty."], "a is empty; b has no text"),
        (["A 来源没有回答。", "no reader"], "A 来源没有回答; no reader"),
        (["", " . ", "waits..."], "waits"),
    ],
)
def test_sentences_are_joined_without_their_full_stops(parts: list[str], expected: str) -> None:
    assert join_sentences(parts) == expected


@given(st.lists(st.text()))
def test_no_full_stop_stands_before_a_semicolon(parts: list[str]) -> None:
    assert ".;" not in join_sentences(part.replace(";", ",") for part in parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It failed", "It failed."),
        ("It failed. ", "It failed."),
        ("失败。", "失败。"),
        ("Why?", "Why?"),
    ],
)
def test_a_sentence_ends_once(text: str, expected: str) -> None:
    assert end_sentence(text) == expected


def test_what_no_table_takes_is_no_text() -> None:
    assert is_text("résumé 资料\n\x1b")
    assert not any(is_text(text) for text in ("a\0", "\ud800", "x\udcff"))
