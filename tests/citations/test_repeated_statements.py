"""What a sentence states, and which sentences state it again."""

import pytest

from citations.statements import Statement, find_repeats

FORUM = "Of 112 members whom the Disability Forum asked, 71 go out less on gritted days [1]."


@pytest.mark.parametrize(
    ("other", "covered"),
    [
        ("Of 112 members whom the Forum asked, 71 go out less on gritted days [3].", True),
        ("71 of the members whom the Disability Forum asked go out less on gritted days.", True),
        ("Of 112 members whom the Forum asked, 18 go out less on gritted days.", False),
        ("Of 112 members whom the Forum asked, 71 own a rollator.", False),
    ],
)
def test_a_statement_is_covered_by_one_with_its_figures_and_nearly_all_its_words(
    other: str, covered: bool
) -> None:
    assert Statement.read(FORUM, "en").covers(Statement.read(other, "en")) is covered


def repeats(*sentences: str, question: str = "") -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    return find_repeats(
        [Statement.read(one, "en") for one in sentences], Statement.read(question, "en")
    )


BETWEEN = ("Grit is dear.", "Brine is cheap.")


def test_figures_that_several_sentences_give_are_told_with_their_places() -> None:
    said = ("Brine had 5.21 falls and grit 3.52.", *BETWEEN, "Falls: 3.52 against 5.21.")
    assert repeats(*said) == [(("3.52", "5.21"), (0, 3))]
    assert repeats(*said, "One pays 3.52.") == [(("5.21",), (0, 3)), (("3.52",), (0, 3, 4))]
    assert repeats(*said, question="Why 3.52 and not 5.21?") == []


def test_a_conclusion_may_give_the_figure_of_the_fact_before_it() -> None:
    said = ("The council stayed 214 above [1].", "A level of 41 costs more than those 214.")
    assert repeats(*said) == []
    assert repeats(*said, *BETWEEN, "It is 214 above.") == [(("214",), (0, 1, 4))]


def test_a_round_figure_is_a_repeat_where_it_counts_the_same() -> None:
    said = ("The age is 500 million transactions.", *BETWEEN, "Warn at 500 million members.")
    assert repeats("Half of 500 kilometres.", *BETWEEN, "It pays 500 euro.") == []
    assert repeats(*said) == [(("500",), (0, 3))]


def test_years_and_small_counts_stand_for_many_things() -> None:
    assert repeats("In 2023 there were 17 mills.", "In 2023 all 17 inns closed.") == []


def test_sentences_that_say_the_same_in_other_order_are_told() -> None:
    said = "The council of Fennmark adopted heated paving beside the hospital."
    again = "Beside the hospital, Fennmark's council adopted heated paving."
    assert repeats(said, again) == [(("",), (0, 1))]
    assert repeats("Check the file.", "Check the file, then reload the server.") == []
