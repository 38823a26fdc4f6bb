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


def test_figures_that_several_sentences_give_are_told_with_their_places() -> None:
    said = ("Brine had 5.2 falls and grit 3.5 [1].", "Grit is dear.", "Falls: 3.5 against 5.2.")
    assert repeats(*said) == [(("3.5", "5.2"), (0, 2))]
    assert repeats(*said, "Of 3.5 one is dear.") == [(("5.2",), (0, 2)), (("3.5",), (0, 2, 3))]
    assert repeats(*said, question="Why 3.5 and not 5.2?") == []


def test_years_and_small_counts_stand_for_many_things() -> None:
    assert repeats("In 2023 there were 17 mills.", "In 2023 all 17 inns closed.") == []


def test_sentences_that_say_the_same_in_other_order_are_told() -> None:
    said = "The council of Fennmark adopted heated paving beside the hospital."
    again = "Beside the hospital, Fennmark's council adopted heated paving."
    assert repeats(said, again) == [(("",), (0, 1))]
    assert repeats("Check the file.", "Check the file, then reload the server.") == []
