"""Abstracts and overviews of folders: short enough, of their children's words, in any language."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages.folder_abstracts import (
    ABSTRACT_CHARACTERS,
    OVERVIEW_CHARACTERS,
    Child,
    Contents,
    find_common_terms,
    strip_counts,
    write_folder_abstract,
    write_folder_overview,
)

WORDS = st.text(st.characters(categories=["L", "M", "N"]), min_size=1, max_size=12)
SPEECH = st.lists(WORDS, max_size=30).map(" ".join) | st.text(max_size=400)
CHILDREN = st.lists(
    st.builds(
        Child,
        name=st.text(min_size=1, max_size=300),
        text=SPEECH,
        title=SPEECH,
        language=st.sampled_from(["en", "de", "zh", "ja", "hi", "ar", "xx", ""]),
        is_folder=st.booleans(),
    ),
    max_size=32,
)
NOTES = [
    Child("a.md", "# Wind\n\nThe wind turns the blades. It is strong.", "Wind"),
    Child("b.md", "Blades are long, and the winds are not.", "Blades"),
    Child("old", "old: coal, steam. Boilers", is_folder=True),
]


def told(children: list[Child], left_out: int = 0) -> tuple[str, str]:
    folders = sum(child.is_folder for child in children)
    contents = Contents(len(children) - folders + left_out, folders, children)
    return write_folder_abstract("notes", contents), write_folder_overview("notes", contents)


def words(text: str) -> list[str]:
    plain = (one if unicodedata.category(one)[0] in "LMN" else " " for one in text.casefold())
    return "".join(plain).split()


def test_a_folder_says_what_it_holds() -> None:
    abstract, overview = told(NOTES)
    assert abstract == (
        "notes: Blades, Wind, old, Boilers, coal, long, steam, strong, turns. old; Wind; Blades"
    )
    assert overview == (
        "# notes\n\nDocuments: 2, folders: 1.\n\n"
        "Blades (2), Wind (2), old (1), Boilers (1), coal (1), long (1), steam (1), strong (1), "
        "turns (1)\n\n"
        "- old: coal, steam. Boilers\n"
        "- Wind: The wind turns the blades. It is strong.\n"
        "- Blades: Blades are long, and the winds are not."
    )


@given(CHILDREN, st.text(min_size=1, max_size=1_000), st.randoms())
def test_whatever_the_children_are_bounds_hold_and_nothing_is_invented(
    children: list[Child], name: str, random: object
) -> None:
    contents = Contents(len(children), 0, children)
    assert len(write_folder_abstract(name, contents)) <= ABSTRACT_CHARACTERS
    assert len(write_folder_overview(name, contents)) <= OVERVIEW_CHARACTERS
    assert "\n" not in write_folder_abstract(name, contents)
    abstract, overview = told(children)
    held = " ".join(["notes", *(f"{one.name} {one.title} {one.text}" for one in children)])
    for word in words(abstract) + words(re.sub(r"\(\d+\)", "", strip_counts(overview))):
        assert word in held.casefold()
    shuffled = list(children)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert told(shuffled) == (abstract, overview)


def test_a_name_without_end_is_cut() -> None:
    contents = Contents(1, 0, [Child("x" * 1_000, "y" * 1_000)])
    assert len(write_folder_abstract("z" * 1_000, contents)) == ABSTRACT_CHARACTERS
    assert f"\n- {'x' * 100}" in write_folder_overview("z" * 1_000, contents)


def test_every_child_has_a_line_however_long_the_others_are() -> None:
    wordy = [Child(f"c{i}", "Many words follow here. " * 200, f"Title {i}") for i in range(32)]
    _, overview = told(wordy)
    assert all(f"\n- Title {i}: " in overview for i in range(32))
    assert len(overview) > OVERVIEW_CHARACTERS * 0.8


def test_children_that_are_left_out_are_counted() -> None:
    assert "\n\nDocuments: 49, folders: 1, left out here: 47.\n\n" in told(NOTES, 47)[1]
    assert "left out" not in told(NOTES)[1]
    assert "left out" not in strip_counts(told(NOTES, 47)[1])


@pytest.mark.parametrize(
    ("language", "text", "found", "not_found"),
    [
        ("de", "Die Häuser stehen und die Häuser brennen.", "häuser", "und"),
        ("zh", "信息检索系统把每个词存入倒排索引。", "检索", "把每"),
        ("hi", "यह पुस्तकालय किताबों की सूची रखता है।", "पुस्तकालय", "है"),
        ("ar", "يحفظ الفهرس كل كلمة في المجموعة.", "الفهرس", "في"),
        ("en", "It has been the readFile of theirs.", "readfile", "been"),
    ],
)
def test_content_words_are_named_in_any_language(
    language: str, text: str, found: str, not_found: str
) -> None:
    named = [word.casefold() for word, _ in find_common_terms([Child("x", text, "x", language)])]
    assert found in named
    assert not_found not in named


def test_a_key_or_an_address_is_no_word_and_code_speaks_where_there_is_no_prose() -> None:
    assert find_common_terms([Child("x", f"Wind {'ab1' * 40} 2024 b.", "x")]) == [("Wind", 1)]
    assert "turbine" in told([Child("x.py", "```\nturbine = 1\n```", "x.py")])[1]
    assert told([]) == ("notes", "# notes\n\nDocuments: 0, folders: 0.")  # its name alone
