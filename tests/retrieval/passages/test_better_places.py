"""What is left to another section, which asks for it more."""

import pytest

from retrieval.passages.better_places import find_better_placed

COST, FALLS = [8.0, 1.0, 0.0, 4.0], [0.0, 3.0, 1.5, 3.0]


def test_a_text_is_left_to_the_section_whose_question_it_fits_better() -> None:
    assert find_better_placed([COST], [FALLS]) == {1, 2, 3}
    assert find_better_placed([FALLS], [COST]) == {0}


def test_what_fits_both_as_well_is_left_to_nobody() -> None:
    assert find_better_placed([[8.0, 8.0]], [[7.0, 7.0]]) == frozenset()


def test_the_best_of_several_questions_counts_and_no_scale_of_scores() -> None:
    loud = [[10 * score for score in COST], [0.0, 0.0, 2.0, 0.0]]
    assert find_better_placed([COST, FALLS], loud) == {2}


@pytest.mark.parametrize(
    ("own", "others"), [([COST], []), ([], [COST]), ([[]], [[]]), ([[0.0, 0.0]], [[0.0, 0.0]])]
)
def test_nothing_is_left_to_nobody(own: list[list[float]], others: list[list[float]]) -> None:
    assert find_better_placed(own, others) == frozenset()
