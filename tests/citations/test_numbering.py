"""From the run's numbers to the reader's, and sentences said twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.markers import (
    drop_repeated_sentences,
    find_cited_sentences,
    find_markers,
    number_by_appearance,
    renumber_markers,
    strip_markers,
)

pieces = st.sampled_from(
    ["A fact [7]. ", "Cats sleep [3][12]. ", "Why? ", "你好[7]。", "`x[5]` ", "\n\n", "# Head\n",
     "- item [3]\n", "| a [9] |\n", "[4]", "A fact [3]. ", "Rats run. ", "\n"]
)  # fmt: skip
texts = st.lists(st.lists(pieces, max_size=8).map("".join), max_size=4)


@given(texts)
def test_renumbering_is_a_bijection_by_first_appearance(written: list[str]) -> None:
    order = number_by_appearance(written)
    renumbered = [renumber_markers(text, order) for text in written]
    assert sorted(order.values()) == list(range(1, len(order) + 1))
    assert list(number_by_appearance(renumbered)) == list(range(1, len(order) + 1))
    back = {new: old for old, new in order.items()}
    assert [renumber_markers(text, back) for text in renumbered] == written


def test_renumbering_leaves_code_alone() -> None:
    assert renumber_markers("A [7] `x[7]`.", {7: 1}) == "A [1] `x[7]`."


def test_a_mark_without_a_new_number_is_an_error() -> None:
    with pytest.raises(KeyError):
        renumber_markers("A [7].", {})


@given(texts)
def test_dropping_repeats_empties_no_text_says_nothing_new_and_forgets_nothing(
    written: list[str],
) -> None:
    kept, removed = drop_repeated_sentences(written, "en")
    for before, after in zip(written, kept, strict=True):
        assert bool(after.strip()) == bool(before.strip())
        assert set(find_markers(after)) <= set(find_markers(before))
    assert removed >= 0
    assert letters(kept) == letters(written)


def letters(written: list[str]) -> set[str]:
    words = ("fact", "Cats", "Why", "你好", "Head", "item", "| a", "Rats", "`x")
    return {word for word in words if any(word in text for text in written)}


def test_a_sentence_said_twice_is_said_once() -> None:
    kept, removed = drop_repeated_sentences(
        ["Cats sleep [1]. Dogs bark.", "cats  sleep [2]. Owls fly."], "en"
    )
    assert kept == ["Cats sleep [1]. Dogs bark.", "Owls fly."]
    assert removed == 1


def test_a_text_said_before_in_full_stays() -> None:
    assert drop_repeated_sentences(["Cats sleep.", "Cats sleep."], "en") == (["Cats sleep."] * 2, 0)


def test_items_and_headings_may_repeat() -> None:
    text = "# Head\n\n- item\n\nProse."
    assert drop_repeated_sentences(["# Head\n\n- item\n\nOther.", text], "en")[0][1] == text


@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        ("A fact [1][2].", "A fact."),
        ("事实[1]。", "事实。"),
        ("[1] leads", "leads"),
        ("None.", "None."),
    ],
)
def test_marks_are_taken_out(marked: str, bare: str) -> None:
    assert strip_markers(marked) == bare


def test_statements_come_with_the_numbers_they_cite() -> None:
    text = (
        "# Head [9]\n\nA fact [1][1][2]. No source.\n\n- item [3]\n\n| cell [4] |\n\n```\nx[5]\n```"
    )
    found = [(text[s.start : s.end], cited) for s, cited in find_cited_sentences(text, "en")]
    assert found == [
        ("A fact [1][1][2].", [1, 2]),
        ("No source.", []),
        ("item [3]", [3]),
        ("| cell [4] |", [4]),
    ]
