"""Sentences of the extractive model: which it takes, what it tidies away, where its mark stands."""

import pytest
from extractive_prompts import written
from hypothesis import given
from hypothesis import strategies as st
from sources_in_languages import JUNK

from citations.markers import find_markers, normalise_markers
from models.extractive.candidates import strip_markup
from prompts.template import SourceText

QUESTION = "How hot is boiling water?"
BOILS = "Boiling water is hot at exactly one hundred degrees Celsius"


def only(passage: str) -> str:
    """A section from one passage of source 3."""
    return written([SourceText(3, "Water", (passage,))], [QUESTION])


@pytest.mark.parametrize(
    "passage",
    [
        "# Boiling water is hot in headings of every document.",
        "| Boiling water is hot | in every row of a table. |",
        "```\nBoiling water is hot in every line of code.\n```",
        "Is boiling water really hot at one hundred degrees?",
        "boiling water is hot and this is the end of a sentence.",
        "Boiling water is hot and this sentence was never finish",
        "Boiling water is hot.",
        "Water is 9.",
        f"{BOILS} {'and hotter ' * 40}.",
        "Boiling water 100 200 300 400 500 600 700 800 900 1000 1100.",
    ],
)
def test_what_is_no_whole_statement_is_left_out(passage: str) -> None:
    assert only(passage) == ""


MARKS = [
    "[12]", " [12]", "[^12]", "[1, 2]", "[1-3]", "[1–3]", "[ 12 ]", "[1; 2]", "[1、2]", "【12】",
    "[١٢]", "[1][2]", "[1], [2]", "[1]-[3]", "[[9]7]", "**[12]**", r"\[12\]", "([12])",
    "[12](#cite-12)", "[[12]](#cite_note-12)", r"[\[12\]](#cite_note-12)",
    "([12](https://a.test/b))",
]  # fmt: skip


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("frame", ["{}.", "{}, as books say."])
def test_a_source_s_own_reference_marks_are_no_citations(mark: str, frame: str) -> None:
    plain = frame.format(BOILS)
    text = only(frame.format(f"{BOILS}{mark}"))
    assert text == f"{plain[:-1]} [3]."
    assert find_markers(normalise_markers(text, range(1000))[0]) == [3]


def test_a_reference_mark_after_the_sentence_is_no_citation() -> None:
    text = only(f"{BOILS}.[12] At the top of a mountain it boils sooner.")
    assert BOILS in text
    assert set(find_markers(normalise_markers(text, range(1000))[0])) == {3}


def test_what_stands_in_code_is_quoted_as_it_is() -> None:
    reads = "Boiling water is hot wherever the program reads [`water[12]`](https://a.test) and"
    text = only(f"{reads} `*args`  with   `a  b`.")
    assert text == (
        "Boiling water is hot wherever the program reads `water[12]` and `*args` with `a  b` [3]."
    )
    assert normalise_markers(text, {3}) == (text, 0)


@pytest.mark.parametrize(
    ("markup", "plain"),
    [
        ("**Boiling water** is", "Boiling water is"),
        ("__Boiling__ *water* is", "Boiling water is"),
        ("[Boiling water](https://a.test/water) is", "Boiling water is"),
        ("[Boiling water](https://a.test/Water_(boiling)) is", "Boiling water is"),
        ("![Boiling water](water.png) is", "Boiling water is"),
        ("Boiling\nwater  is", "Boiling water is"),
        ("Boiling ` water is", "Boiling water is"),
    ],
)
def test_a_source_s_markup_is_tidied(markup: str, plain: str) -> None:
    rest = "hot at exactly one hundred degrees Celsius"
    assert only(f"{markup} {rest}.") == f"{plain} {rest} [3]."


@pytest.mark.parametrize(
    ("end", "cited"),
    [(".", " [3]."), ("!", " [3]!"), ("...", " [3]..."), ("…", " [3]…"), (".)", " [3].)")],
)
def test_the_mark_stands_before_the_closing_mark(end: str, cited: str) -> None:
    assert only(f"{BOILS}{end}") == f"{BOILS}{cited}"


@given(st.lists(st.one_of(JUNK, st.text(max_size=20))).map(" ".join))
def test_a_tidied_sentence_adds_nothing(text: str) -> None:
    """What is left are the sentence's own characters, in their order."""
    left = iter(text)
    assert all(character in left for character in "".join(strip_markup(text).split()))


def test_the_number_of_a_paragraph_of_a_law_is_left_out() -> None:
    told = SourceText(1, "Act", ("(1) Every occupant may keep up to two colonies of bees.",))
    text = written([told], ["How many colonies may an occupant keep?"])
    assert text == "Every occupant may keep up to two colonies of bees [1]."


def test_half_of_a_bold_question_is_no_sentence() -> None:
    text = only(f"**Water is cold. Does that change how hot it is?**: No.\n\n{BOILS}.")
    assert text == f"{BOILS} [3]."


def test_the_year_of_an_entry_stands_before_each_of_its_sentences_and_none_of_the_next_entry() -> (
    None
):
    told = f"**1979.** A storm takes the roof. {BOILS}.\n\n**1980.** The roof is mended by two men."
    assert only(told).startswith(f"1979: {BOILS} [3].")
    listed = f"- **1979.** A storm takes the roof.\n- {BOILS}."
    assert only(listed).startswith(f"{BOILS} [3].")


@pytest.mark.parametrize(
    "above",
    [
        "**8.2 What you may not do.** ",
        "## Do not\n\n- ",
        "**Verboten.** ",
        "**Ce qui est interdit.** ",
        "**禁止事项。** ",
    ],
)
def test_what_a_heading_forbids_is_not_told_without_it(above: str) -> None:
    order = "Boil water with the lid closed at one hundred degrees."
    assert order[:-1] not in only(f"{above}{order}\n\n## Heat\n\n{BOILS}.")
    assert order[:-1] in only(f"**What you may do.** {order}\n\n## Heat\n\n{BOILS}.")
