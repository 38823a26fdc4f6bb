"""Figures that are worked out and stand before a mark."""

import pytest

from citations.figures_before_marks import find_worked_out

SUMS = ["7 × 750 = 5,250", "3,000 / 1,500 = 2", "14,200 - 14,000 = 200"]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("It costs 5,250 euro more, less than two limes at 3,400 euro each [1].", ["5,250 euro"]),
        ("It lies 200 above, and 5,250 are spent [1].", ["200", "5,250"]),
        ("Two limes cost 3,400 euro each [1], and it costs 5,250 euro more.", []),
        ("It costs 5,250 euro more.", []),
        ("A sawmill needs 2 filters [1].", []),
        ("A lime costs 3,400 euro [1].", []),
    ],
)
def test_a_figure_of_a_sum_is_found_where_a_mark_stands_behind_it(
    sentence: str, found: list[str]
) -> None:
    assert find_worked_out(sentence, SUMS, "en") == found
    assert find_worked_out(sentence, [], "en") == []
