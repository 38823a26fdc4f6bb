"""What is searched for where a sentence says that something is missing."""

import pytest

from citations.gap_queries import GapSubject, describe_gap, find_gaps

QUESTIONS = ["How often do crews strew grit?", "Who pays for the sweeping?"]


def describe_all(text: str, language: str = "en") -> list[GapSubject]:
    """All gaps of a section."""
    return [
        describe_gap(text, gap, QUESTIONS, "Winter service", language)
        for gap in find_gaps(text, language)
    ]


def test_half_a_sentence_is_asked_with_the_clause_that_it_belongs_to() -> None:
    [gap] = describe_all(
        "Crews come again when feet have moved the grit [2]; after how many hours remains open "
        "here and may stand under “Technique” in the minutes."
    )
    assert "feet have moved the grit" in gap.text
    assert not gap.is_exact
    assert not any("Technique" in one or "[2]" in one for one in gap.queries)


def test_a_full_subject_needs_no_other_words() -> None:
    [gap] = describe_all("The price of a spare belt remains open here.")
    assert (gap.text, gap.is_exact) == ("The price of a spare belt", True)


def test_each_of_several_missing_things_is_asked_for() -> None:
    [gap] = describe_all(
        "What the council made of this remains open here, as does the treatment of class 3 paths."
    )
    assert "as does the treatment of class 3 paths" in gap.queries
    assert len(gap.parts) == 2


def test_what_a_pronoun_stands_for_is_read_from_the_sentence_before() -> None:
    [gap] = describe_all("Vans are filled with brine at the depot [1]. How remains open here.")
    assert "brine at the depot" in gap.text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Whether the fee for brine was raised remains open here."),
        ("de", "Ob die Gebühr für Sole erhöht wurde, bleibt hier offen."),
    ],
)
def test_words_make_no_answer_to_yes_or_no_sure(language: str, said: str) -> None:
    assert [one.is_exact for one in describe_all(said, language)] == [False]


def test_a_cell_that_is_open_is_asked_by_its_row_and_its_column() -> None:
    [gap] = describe_all(
        "| Setting | Start value | Note |\n| --- | --- | --- |\n| `keep` | 3 days [1] | fine |\n"
        "| `freeze_age` | open here | for rows that rest [1] |\n"
    )
    assert gap.text == "`freeze_age` Start value"


def test_a_line_without_words_before_it_has_no_sentence_before() -> None:
    [gap] = describe_all("# Winter\n\n- The date of the next storm remains open here.")
    assert gap.queries[0] == "The date of the next storm"


@pytest.mark.parametrize("end", ["remains open.", "is not stated."])
def test_a_clause_inside_the_subject_is_not_taken_for_it(end: str) -> None:
    [gap] = describe_all(f"The start value of `brine_age`, which every crew uses at night, {end}")
    assert gap.text.replace("`", "") == "The start value of brine_age"
    assert not any(one.startswith("every crew") for one in gap.parts)


def test_no_query_asks_for_what_is_open() -> None:
    [gap] = describe_all("The price of a spare belt remains open here.")
    assert not any("open" in one for one in gap.queries)
