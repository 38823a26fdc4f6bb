"""Snippets of a long page: where they stand, what they hold, what they never do."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.passages.snippets import SnippetPicker
from text.sentences import split_sentences

FILLER = "The committee met in the old hall and spoke of many things that day. "
ANSWER = "The gearbox of the turbine was replaced in 2023 because its bearings wore out."
QUESTION = "When was the gearbox of the turbine replaced?"

words = st.sampled_from(["gearbox", "turbine", "bearings", "hall", "and", "the", "2023", "風", "—"])
texts = st.lists(
    st.lists(words, min_size=1, max_size=60).map(" ".join), min_size=0, max_size=40
).map(lambda lines: ". ".join(lines) + "\n\n# End\n")


@given(texts, st.integers(0, 3_000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_snippets_are_apart_in_order_and_within_the_budget(
    text: str, budget: int, with_meaning: bool
) -> None:
    picker = SnippetPicker(text, "en")
    meaning = [len(text[a:b]) / 400 for a, b in picker.embedding_units] if with_meaning else None
    found = picker.pick("turbine bearings 2023", budget, meaning)
    assert sum(one.end - one.start for one in found) <= budget
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(a.end < b.start for a, b in pairwise(found))
    assert all(0 < one.score <= 1 for one in found)
    assert found == picker.pick("turbine bearings 2023", budget, meaning)


@given(texts)
@settings(max_examples=30, deadline=None)
def test_units_cover_every_sentence_once_and_in_order(text: str) -> None:
    units = SnippetPicker(text, "en").embedding_units
    assert all(a[1] <= b[0] for a, b in pairwise(units))
    held = [s for s in split_sentences(text, "en") if any(a <= s.start < b for a, b in units)]
    assert held == split_sentences(text, "en")


def test_a_snippet_begins_and_ends_with_a_sentence() -> None:
    text = FILLER * 40 + ANSWER + " " + FILLER * 40
    (snippet,) = SnippetPicker(text).pick(QUESTION, 300)
    edges = split_sentences(text, "en")
    assert snippet.start in {one.start for one in edges}
    assert snippet.end in {one.end for one in edges}
    assert ANSWER in text[snippet.start : snippet.end]


@pytest.mark.parametrize("place", [0, 1, 83, 84, 166])
def test_no_stretch_comes_twice_wherever_the_best_one_stands(place: int) -> None:
    """The published picker returns the same window twice where the best one is in the middle."""
    lines = [FILLER] * 167
    lines[place] = f"{ANSWER} "
    text = "".join(lines)
    found = SnippetPicker(text).pick(QUESTION, 6_000)
    covered = [i for one in found for i in range(one.start, one.end)]
    assert len(covered) == len(set(covered))
    assert any(ANSWER in text[one.start : one.end] for one in found)


def test_signs_without_words_shift_nothing() -> None:
    """The published picker leaves such pieces out and counts their offsets all the same."""
    text = "-" * 9_000 + "\n\n" + FILLER * 20 + ANSWER + "\n\n" + "* * *\n" * 500 + FILLER * 20
    found = SnippetPicker(text).pick(QUESTION, 600)
    assert any(ANSWER in text[one.start : one.end] for one in found)


def test_what_speaks_of_nothing_gives_nothing() -> None:
    assert SnippetPicker(FILLER * 50).pick("quantum chromodynamics", 2_000) == []
    assert SnippetPicker("").pick(QUESTION, 2_000) == []
    assert SnippetPicker("--- ***").pick(QUESTION, 2_000) == []
    assert SnippetPicker(FILLER).pick("", 2_000) == []


def test_meaning_finds_what_shares_no_word() -> None:
    text = FILLER * 60 + "Its cogs were swapped for new ones. " + FILLER * 60
    picker = SnippetPicker(text)
    near = [0.9 if "cogs" in text[a:b] else 0.1 for a, b in picker.embedding_units]
    found = picker.pick(QUESTION, 1_000, near)
    assert any("cogs" in text[one.start : one.end] for one in found)
    assert not any("cogs" in text[one.start : one.end] for one in picker.pick(QUESTION, 1_000))


def test_meaning_counts_as_much_as_the_words_of_one_size() -> None:
    """A model that is wrong does not outvote windows of three sizes that hold every word."""
    text = FILLER * 60 + ANSWER + " " + FILLER * 60
    picker = SnippetPicker(text)
    near = [0.1 if ANSWER in text[a:b] else 0.9 for a, b in picker.embedding_units]
    found = picker.pick(QUESTION, 700, near)
    assert any(ANSWER in text[one.start : one.end] for one in found)


def test_a_table_without_full_stops_is_cut_to_the_budget() -> None:
    text = "x " * 4_000 + "gearbox replaced 2023 " + "y " * 4_000
    found = SnippetPicker(text, "en").pick(QUESTION, 700)
    assert any("gearbox" in text[one.start : one.end] for one in found)
    assert sum(one.end - one.start for one in found) <= 700


@pytest.mark.parametrize("budget", [400, 650, 1_200])
@pytest.mark.parametrize("best_first", [True, False])
def test_what_stands_between_two_snippets_that_touch_counts_too(
    budget: int, best_first: bool
) -> None:
    best, other = f"{ANSWER} " * 3, "The turbine had a gearbox then, as everybody knew. " * 5
    parts = [best, other] if best_first else [other, best]
    text = f"\n\n{' ' * 500}\n\n".join(parts)
    found = SnippetPicker(text).pick(QUESTION, budget)
    assert 0 < sum(one.end - one.start for one in found) <= budget


def test_the_page_is_read_in_its_own_language() -> None:
    filler = "委员会在旧大厅里讨论了许多事情。" * 40
    text = filler + "涡轮机的齿轮箱在2023年被更换。" + filler
    found = SnippetPicker(text).pick("齿轮箱什么时候更换的？", 400)
    assert any("齿轮箱" in text[one.start : one.end] for one in found)
