"""Lines that were copied out of a text, found in it again."""

from hypothesis import given
from hypothesis import strategies as st

from text.quotations import LEAST_CHARACTERS, locate_quotations

TEXT = (
    "# Filters\n\nA  filter lasts\n2,000 hours. In dust it lasts 1,500.\n\n"
    "| size | price |\n| M    | 40 crowns |\n\nIn dust it lasts 1,500.\n"
)

words = st.lists(st.sampled_from(["pump", "filter", "2,000", "**hours**", "|", "é"]), min_size=1)
gaps = st.sampled_from([" ", "\n", "  ", "\t\n "])


def said(*lines: str) -> list[str]:
    return [TEXT[start:end] for start, end in locate_quotations(TEXT, lines)]


def test_white_space_counts_as_one_space_and_an_invented_line_is_left_out() -> None:
    copied = ["A filter lasts 2,000 hours.", "| M | 40 crowns |", "A filter lasts 9,000 hours."]
    assert said(*copied) == ["A  filter lasts\n2,000 hours.", "| M    | 40 crowns |"]


def test_list_marks_and_quotation_marks_around_a_line_are_left_away() -> None:
    for line in ("- {}", "3. {}", "“{}”", '> "{}"'):
        assert said(line.format("A filter lasts 2,000 hours.")) == ["A  filter lasts\n2,000 hours."]


def test_a_line_that_stands_twice_is_taken_behind_the_line_before() -> None:
    line = "In dust it lasts 1,500."
    assert locate_quotations(TEXT, [line]) == [(TEXT.index(line), TEXT.index(line) + len(line))]
    [_, (start, _)] = locate_quotations(TEXT, ["| M | 40 crowns |", line])
    assert start == TEXT.rindex(line)
    assert len(locate_quotations(TEXT, [line, line, line])) == 2


@given(words, words, words, gaps)
def test_a_stretch_of_whole_words_is_found_as_it_stands(
    before: list[str], inside: list[str], after: list[str], gap: str
) -> None:
    text = gap.join([*before, *inside, *after])
    line = " ".join(inside)
    found = locate_quotations(text, [line])
    assert len(found) == (len(line) >= LEAST_CHARACTERS)
    assert all(" ".join(text[start:end].split()) == line for start, end in found)
