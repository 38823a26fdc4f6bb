"""What is left to another section, which asks for it more."""

import pytest

from retrieval.passages.better_places import Place, find_places

COST, FALLS = [8.0, 1.0, 0.0, 4.0], [0.0, 3.0, 1.5, 3.0]
HERE, NOWHERE, ELSEWHERE = Place
AMPLE = 100


def place(own: list[list[float]], *others: list[list[float]], room: int = AMPLE) -> list[Place]:
    """Where texts of size 1 are shown."""
    return find_places(own, others, [1] * len(own[0]), room)


def test_a_text_is_left_to_the_section_whose_question_it_fits_better() -> None:
    assert place([COST], [FALLS]) == [HERE, ELSEWHERE, ELSEWHERE, ELSEWHERE]
    assert place([FALLS], [COST]) == [ELSEWHERE, HERE, HERE, HERE]


def test_what_fits_both_as_well_is_for_both() -> None:
    assert place([[8.0, 8.0]], [[7.0, 7.0]]) == [HERE, HERE]


def test_the_best_of_several_questions_counts_and_no_scale_of_scores() -> None:
    loud = [[10 * score for score in COST], [0.0, 0.0, 2.0, 0.0]]
    assert place([COST, FALLS], loud) == [HERE, HERE, ELSEWHERE, HERE]


def test_what_the_other_section_has_no_room_for_is_wanted_before_what_it_is_shown() -> None:
    told = [[0.0, 3.0, 2.0, 1.0]]
    assert place([COST], told, room=4) == [HERE, ELSEWHERE, ELSEWHERE, HERE]
    assert place([COST], told, room=2) == [HERE, ELSEWHERE, NOWHERE, HERE]


def test_what_fits_a_third_section_best_takes_no_room_of_the_second() -> None:
    second, third = [[0.0, 1.0, 2.0, 4.0]], [[0.0, 0.0, 4.0, 0.0]]
    assert place([[1.0, 0.0, 0.0, 1.0]], second, third, room=2) == [
        HERE,
        ELSEWHERE,
        ELSEWHERE,
        HERE,
    ]


@pytest.mark.parametrize("others", [[], [[]], [[[0.0, 0.0, 0.0, 0.0]]]])
def test_without_other_questions_all_is_here(others: list[list[list[float]]]) -> None:
    assert place([COST], *others) == [HERE] * 4


def test_without_questions_all_is_for_others() -> None:
    assert find_places([], [[[2.0, 0.0]]], [1, 1], AMPLE) == [ELSEWHERE, HERE]
    assert find_places([], [], [], AMPLE) == []
