"""Sentences: exact offsets, and no sentence across a block of Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.sentences import split_sentences

pieces = st.sampled_from(
    ["One. ", "Dr. Who came! ", "\n", "\n\n", "# Head\n", "- item\n", "1. first\n", "| a | b |\n",
     "```\n", "~~~\n", "> said\n", "---\n", "你好。", "شكرا؟ ", "🙂 ", "e\u0301 ", "\u2028",
     "\x0c", "[1]", " ", "\r\n", "    indented\n", "  | a |\n", "code()\n", "…", "\0", "\ud800"]
)  # fmt: skip
texts = st.one_of(st.lists(pieces, max_size=25).map("".join), st.text(st.characters()))
languages = st.sampled_from(["en", "de", "zh", "ar", "ja", "hi", "xx", ""])


def said(text: str, language: str = "en") -> list[tuple[str, str]]:
    return [(s.kind, text[s.start : s.end]) for s in split_sentences(text, language)]


@given(texts, languages)
def test_sentences_are_ordered_trimmed_and_apart(text: str, language: str) -> None:
    end = 0
    for sentence in split_sentences(text, language):
        assert end <= sentence.start < sentence.end <= len(text)
        held = text[sentence.start : sentence.end]
        assert held == held.strip()
        assert any(character.isalnum() for character in held)
        end = sentence.end


@given(st.lists(st.sampled_from(["Cats sleep.", "Why not?", "It is 3.5 m long!"]), max_size=8))
def test_prose_loses_no_word(parts: list[str]) -> None:
    text = " ".join(parts)
    assert [held for _, held in said(text)] == parts


def test_blocks_of_markdown_are_told_apart() -> None:
    text = "# Title\nIntro here.\n- first item\n- second\n\n| a | b |\n> quoted\n"
    text += "\n```\nx = 1\n```\nEnd."
    assert said(text) == [
        ("heading", "Title"), ("prose", "Intro here."), ("item", "first item"), ("item", "second"),
        ("table", "| a | b |"), ("item", "quoted"), ("code", "x = 1"), ("prose", "End."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "parts",
    [
        ["It goes\non here.", "Then ends."],
        ["Dr. Robertson wrote it.", "Zaragoza too."],
        ["Cut \ud83d here.", "Next one."],
    ],
    ids=["a line break", "an abbreviation", "half a surrogate pair"],
)
def test_what_ends_no_sentence(parts: list[str]) -> None:
    assert said(" ".join(parts)) == [("prose", part) for part in parts]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("zh", "索引保存词。查询找到段落！", 2),
        ("ar", "هذا فهرس. هل يعمل؟ نعم.", 3),
        ("hi", "यह सूची है। वह खोज है।", 2),
        ("de", "Das gilt z. B. heute. Morgen nicht.", 2),
    ],
)
def test_each_language_has_its_own_stops(language: str, text: str, count: int) -> None:
    assert len(split_sentences(text, language)) == count
